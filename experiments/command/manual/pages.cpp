/// Pages in roff, by the macros of man(7).
///
/// Text becomes roff in one place, `roff`: a hyphen of a command line is a minus sign, quotes are those of ASCII, and
/// no line begins with what roff takes for a request. A page says what `--help` says, in the same order and under the
/// same headings, with exit codes and examples.
#include <fmt/core.h>

#include <algorithm>

#include "experiments/command/manual/manual.hpp"
#include "model/base/split.hpp"

namespace schedproof::cli {

namespace {

std::string roff(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        if (c == '\\')
            safe += "\\e";
        else if (c == '-')
            safe += "\\-";
        else if (c == '\'')
            safe += "\\(aq";
        else if (c == '`')
            safe += "\\(ga";
        else
            safe += c;
    }
    return safe.starts_with('.') ? "\\&" + safe : safe;
}
std::string roff_bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string roff_italic(const std::string& text) { return text.empty() ? "" : "\\fI" + roff(text) + "\\fR"; }

std::string page_name(std::string path) {
    std::replace(path.begin(), path.end(), ' ', '-');
    return path;
}

std::string roff_upper(std::string text) {
    for (char& c : text)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return text;
}

/// The title, and the one line by which apropos finds the page.
std::string roff_head(const std::string& path, const std::string& summary) {
    return fmt::format(".TH {0} 1 \"\" \"schedproof {1}\" \"schedproof\"\n.SH NAME\n{2} \\- {3}\n",
                       roff(roff_upper(page_name(path))), SCHEDPROOF_VERSION, roff(page_name(path)), roff(summary));
}

std::string roff_paragraph(const std::string& term, const std::string& text) {
    return ".TP\n" + term + "\n" + text + "\n";
}

std::string roff_entry(const Option& option) {
    std::string term;
    for (const std::string& name : option.all_names())
        term += (term.empty() ? "" : ", ") + (option.argument() ? roff_italic(name) : roff_bold(name));
    const std::string form = option.form();
    if (!form.empty()) term += " " + roff_italic(form);
    std::string text = roff(option.meaning);
    if (option.required) text += "; required";
    if (option.show_default && !option.current().empty()) text += "; default: " + roff(option.current());
    for (const std::string& other : option.needs) text += "; needs " + roff_bold(other);
    for (const std::string& other : option.excludes) text += "; not with " + roff_bold(other);
    return roff_paragraph(term, text);
}

std::string option_section(const OptionTable& options) {
    std::vector<std::string> groups{""};
    for (const Option& option : options)
        if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
    std::string text = ".SH OPTIONS\n";
    for (const std::string& group : groups) {
        if (!group.empty()) text += fmt::format(".SS \"{}\"\n", roff(group));
        for (const Option& option : options)
            if (option.group == group) text += roff_entry(option);
    }
    return text + roff_paragraph(roff_bold("-h") + ", " + roff_bold("--help"),
                                 "what the command reads and writes, on the terminal");
}

std::string roff_synopsis(const std::string& path, const Subcommand& command) {
    std::string text = ".SH SYNOPSIS\n" + roff_bold(path) + "\n";
    if (!command.parts.empty()) text += roff_italic("COMMAND") + " ";
    for (const Option& option : command.options)
        if (option.required && !option.argument())
            text += roff_bold(option.name()) + (option.flag() ? " " : " " + roff_italic(option.form()) + " ");
    text += "[" + roff_italic("options") + "]";
    for (const Option& option : command.options)
        if (option.argument())
            text += (option.required ? " " : " [") + roff_italic(option.names) + (option.several() ? "..." : "") +
                    (option.required ? "" : "]");
    return text + "\n";
}

std::string command_section(const std::string& path, const std::vector<Subcommand>& parts) {
    std::string text = ".SH COMMANDS\n";
    for (const Subcommand& part : parts)
        text += roff_paragraph(roff_bold(page_name(path + " " + part.name)) + "(1)", roff(part.summary));
    return text;
}

std::string roff_examples(const std::string& lines) {
    std::string text = ".SH EXAMPLES\n.nf\n";
    for (const std::string_view line : base::split(lines, '\n')) text += roff(std::string(base::trimmed(line))) + "\n";
    return text + ".fi\n";
}

constexpr const char* exit_status = R"(.SH EXIT STATUS
.TP
0
answered, and as expected
.TP
1
refuted: a certificate was rejected, a statement fails, a claim is not as expected
.TP
2
the command line or an input file is wrong; one line says where and what was expected
.TP
3
unknown: a limit was reached
.TP
4
two computations of one quantity disagree, or an internal error
)";

void add_pages(const std::string& before, const std::vector<Subcommand>& commands, std::vector<ManualPage>& pages) {
    for (const Subcommand& command : commands) {
        const std::string path = before + " " + command.name;
        std::string page = roff_head(path, command.summary) + roff_synopsis(path, command);
        page += command.parts.empty() ? option_section(command.options) : command_section(path, command.parts);
        page += exit_status + roff_examples(command.example);
        page += ".SH SEE ALSO\n" + roff_bold(page_name(before)) + "(1)\n";
        pages.push_back({page_name(path), page});
        add_pages(path, command.parts, pages);
    }
}

}  // namespace

std::vector<ManualPage> manual_pages(const std::vector<Subcommand>& commands) {
    Subcommand whole{"", "", "", {}};
    whole.parts = commands;
    std::vector<ManualPage> pages{
        {"schedproof", roff_head("schedproof", "simulate, enumerate, prove and refute cluster-scheduling policies") +
                           roff_synopsis("schedproof", whole) +
                           ".SH DESCRIPTION\nA scheduling policy, written once, is simulated, enumerated exactly, and "
                           "proved or refuted. Numbers are exact outside the simulators. Each command has a page of "
                           "its own.\n" +
                           command_section("schedproof", commands) + exit_status +
                           roff_examples("schedproof capacity cluster.toml\nschedproof check --family queueing\nsource "
                                         "<(schedproof completion bash)") +
                           ".SH SEE ALSO\n" + roff_bold("schedproof-certify") + "(1)\n"}};
    add_pages("schedproof", commands, pages);
    return pages;
}

}  // namespace schedproof::cli
