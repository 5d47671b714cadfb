/// Loads of the cores of a cluster: CSV with a header, or the pairs `CORE LOAD;` of the papers' data sets.
///
/// The first line that is no comment tells the two apart: CSV has commas, pairs have semicolons. In a data set cores
/// are numbered through all servers, so the number of cores per server is needed to say which server a core belongs
/// to.
#include "experiments/input/placement/cluster_loads.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "experiments/input/placement/core_rows.hpp"
#include "experiments/input/text/line_reader.hpp"
#include "experiments/input/text/pair_reader.hpp"
#include "model/assignment/codec/codec.hpp"
#include "model/base/nearest.hpp"
#include "model/base/numeral.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

namespace {

using detail::CoreRows;

constexpr std::string_view header_forms = "'server,core,load' or 'server,cores,load'";

/// Rows of comma-separated fields; a field in double quotes may hold commas, and quotes doubled.
class CsvReader {
  public:
    CsvReader(LineReader& lines, const std::string& file) : lines_(lines), file_(file), rows_(file) {}

    ClusterLoads read(std::string_view header) {
        read_header(header);
        while (const auto line = lines_.next()) {
            if (base::trimmed(*line).empty() || line->starts_with('#')) continue;
            split(*line);
            if (!lines_.ended()) fail("", "the last line has no newline; if the file is complete, add one");
            if (fields_.size() != columns_.size())
                fail("", fmt::format("expected {} fields, {}, not {}", columns_.size(), header_, fields_.size()));
            by_server_ ? read_server() : read_core();
        }
        return rows_.finish();
    }

  private:
    [[noreturn]] void fail(std::string key, std::string expected) const {
        throw InputError::at_line(file_, lines_.line(), std::move(key), std::move(expected));
    }

    void read_header(std::string_view line) {
        static constexpr std::string_view known[] = {"server", "core", "cores", "load"};
        split(line);
        header_ = fmt::format("{}", base::trimmed(line));
        for (const std::string& field : fields_) {
            if (std::find(std::begin(known), std::end(known), field) == std::end(known))
                fail("header", fmt::format("expected {}, not {}{}", header_forms, base::shown(field),
                                           base::did_you_mean(field, known)));
            if (!columns_.emplace(field, columns_.size()).second)
                fail("header", fmt::format("expected each column once, but {} stands twice", base::shown(field)));
        }
        by_server_ = columns_.contains("cores");
        if (columns_.size() != 3 || !columns_.contains("server") || !columns_.contains("load"))
            fail("header", fmt::format("expected {}, not {}", header_forms, base::shown(line)));
        if (!lines_.ended()) fail("header", "the header has no newline, so the file is cut");
    }

    void split(std::string_view line) {
        if (line.find('\0') != std::string_view::npos || base::first_invalid_utf8(line) != std::string_view::npos)
            fail("", "expected text in UTF-8 without NUL bytes");
        fields_.clear();
        for (std::size_t at = 0;; ++at) {
            at = std::min(line.find_first_not_of(" \t", at), line.size());
            std::string field;
            if (at < line.size() && line[at] == '"') {
                at = read_quoted(line, at + 1, field);
            } else {
                const std::size_t end = std::min(line.find(',', at), line.size());
                field = base::trimmed(line.substr(at, end - at));
                at = end;
            }
            fields_.push_back(std::move(field));
            if (at >= line.size()) return;
        }
    }
    /// Position of the comma behind the field, or of the end of the line.
    std::size_t read_quoted(std::string_view line, std::size_t at, std::string& field) const {
        for (;; ++at) {
            if (at >= line.size()) fail("", "expected a closing quote on the line");
            if (line[at] != '"') {
                field += line[at];
            } else if (at + 1 < line.size() && line[at + 1] == '"') {
                field += '"';
                ++at;
            } else {
                break;
            }
        }
        const std::size_t comma = std::min(line.find(',', at), line.size());
        if (!base::trimmed(line.substr(at + 1, comma - at - 1)).empty())
            fail("", "expected a comma after the closing quote");
        return comma;
    }

    [[nodiscard]] const std::string& field(std::string_view column) const {
        return fields_[columns_.find(column)->second];
    }

    void read_core() {
        const auto core = base::parse_numeral<std::uint32_t>(field("core"));
        if (!core || *core >= assignment::max_cores)
            fail("core", fmt::format("expected the number of a core, 0 or more and below {}, not {}",
                                     assignment::max_cores, base::shown(field("core"))));
        rows_.add(field("server"), *core, rows_.load_of(field("load"), lines_.line(), "load"), lines_.line(), "server");
    }

    void read_server() {
        const auto cores = base::parse_numeral<std::uint32_t>(field("cores"));
        if (!cores || *cores == 0 || *cores > assignment::max_cores)
            fail("cores", fmt::format("expected a number of cores, 1 to {}, not {}", assignment::max_cores,
                                      base::shown(field("cores"))));
        std::vector<Rational> loads;
        const std::string_view text = field("load");
        for (std::size_t start = 0; start <= text.size();) {
            const std::size_t end = std::min(text.find(';', start), text.size());
            loads.push_back(rows_.load_of(base::trimmed(text.substr(start, end - start)), lines_.line(), "load"));
            start = end + 1;
        }
        if (loads.size() == 1) loads.resize(*cores, loads.front());
        if (loads.size() != *cores)
            fail("load", fmt::format("expected one load, or {} joined by ';', not {}", *cores, loads.size()));
        rows_.add_server(field("server"), loads, lines_.line(), "server");
    }

    LineReader& lines_;
    std::string file_;
    CoreRows rows_;
    std::vector<std::string> fields_;
    std::map<std::string, std::size_t, std::less<>> columns_;
    std::string header_;
    bool by_server_ = false;
};

/// `core1 load1; core2 load2; ...`
class DataSetReader {
  public:
    DataSetReader(LineReader& lines, const std::string& file) : file_(file), pairs_(lines, "CORE LOAD"), rows_(file) {}

    void announce(std::string_view comment) { pairs_.begin_with(comment); }

    ClusterLoads read(std::string_view first_line, std::optional<std::uint32_t> cores_per_server) {
        pairs_.begin_with(first_line);
        while (const auto pair = pairs_.next()) {
            const Rational load = rows_.load_of(pair->second, pair->line, fmt::format("column {}", pair->column));
            const std::size_t slash = pair->first.rfind('/');
            const auto name = numbered_name(pair->first);
            const bool numbered = slash == std::string_view::npos;
            if (!name || (!numbered && name->letters.size() != slash + 1))
                pairs_.fail(pair->line, pair->column,
                            fmt::format("expected a core, NUMBER or SERVER/NUMBER, not {}", base::shown(pair->first)));
            if (count_++ == 0) {
                numbered_ = numbered;
                letters_ = name->letters;
            }
            if (numbered != numbered_ || (numbered && name->letters != letters_))
                pairs_.fail(pair->line, pair->column,
                            fmt::format("expected all cores named alike, not {}", base::shown(pair->first)));
            if (numbered)
                add_numbered(*name, load, *pair);
            else
                rows_.add(pair->first.substr(0, slash), name->number, load, pair->line,
                          fmt::format("column {}", pair->column));
        }
        pairs_.expect_announced("cores", count_);
        return numbered_ && count_ > 0 ? finish_numbered(cores_per_server) : rows_.finish();
    }

  private:
    struct Numbered {
        std::uint32_t number;
        std::size_t line, column;
        Rational load;
    };

    void add_numbered(const NumberedName& name, const Rational& load, const WordPair& pair) {
        if (cores_.size() == assignment::max_cores)
            pairs_.fail(pair.line, pair.column, fmt::format("expected at most {} cores in all", assignment::max_cores));
        cores_.push_back({name.number, pair.line, pair.column, load});
    }

    ClusterLoads finish_numbered(std::optional<std::uint32_t> cores_per_server) {
        const auto by_number = [](const Numbered& a, const Numbered& b) { return a.number < b.number; };
        if (!std::is_sorted(cores_.begin(), cores_.end(), by_number))
            std::stable_sort(cores_.begin(), cores_.end(), by_number);
        const std::uint32_t base = cores_.front().number;
        if (base > 1)
            pairs_.fail(cores_.front().line, cores_.front().column,
                        fmt::format("expected cores numbered from 0 or from 1 on, but {} is the least", base));
        for (std::size_t i = 1; i < cores_.size(); ++i) {
            const Numbered& core = cores_[i];
            const std::uint32_t due = cores_[i - 1].number + 1;
            if (core.number < due)
                pairs_.fail(
                    core.line, core.column,
                    fmt::format("expected each core once, but {} stands on line {}", core.number, cores_[i - 1].line));
            if (core.number > due)
                pairs_.fail(core.line, core.column,
                            fmt::format("expected cores numbered through, but {} is left out", due));
        }
        const std::uint32_t each = cores_of_each(cores_per_server);
        ClusterLoads result;
        result.file = file_;
        result.numbered = true;
        result.cores.assign(cores_.size() / each, each);
        for (std::size_t s = 0; s < result.cores.size(); ++s) result.servers.push_back(std::to_string(base + s));
        for (Numbered& core : cores_) result.loads.push_back(std::move(core.load));
        return result;
    }

    [[nodiscard]] std::uint32_t cores_of_each(std::optional<std::uint32_t> given) const {
        const auto announced = pairs_.announced("per-server");
        if (given && announced && *given != *announced)
            throw InputError::in_file(
                file_, fmt::format("expected {} cores per server, as the file announces, not {}", *announced, *given));
        const std::uint64_t each = given ? *given : announced.value_or(0);
        if (!given && !announced)
            throw InputError::in_file(
                file_, "expected the number of cores per server (--cores), since cores are numbered through");
        if (each == 0 || cores_.size() % each != 0)
            throw InputError::in_file(
                file_, fmt::format("expected a multiple of {} cores, that many per server, not {}: is it cut?", each,
                                   cores_.size()));
        return static_cast<std::uint32_t>(each);
    }

    std::string file_;
    PairReader pairs_;
    CoreRows rows_;
    std::vector<Numbered> cores_;
    std::size_t count_ = 0;
    bool numbered_ = false;
    std::string letters_;
};

}  // namespace

ClusterLoads read_loads(std::istream& in, const std::string& file, std::optional<std::uint32_t> cores_per_server) {
    LineReader lines(in, file);
    DataSetReader data_set(lines, file);
    while (auto line = lines.next()) {
        if (lines.line() == 1 && line->starts_with("\xEF\xBB\xBF")) line->remove_prefix(3);
        const std::string_view text = base::trimmed(*line);
        if (text.empty()) continue;
        // A comment first: it may announce numbers of a data set, and means nothing to CSV.
        if (text.starts_with('#')) {
            data_set.announce(*line);
            continue;
        }
        if (text.find(',') != std::string_view::npos && text.find(';') == std::string_view::npos)
            return CsvReader(lines, file).read(text);
        return data_set.read(*line, cores_per_server);
    }
    throw InputError::in_file(
        file, fmt::format("expected the header {}, or pairs CORE LOAD;, but the file is empty", header_forms));
}

}  // namespace schedproof::input
