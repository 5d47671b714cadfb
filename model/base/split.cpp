#include "model/base/split.hpp"

#include <algorithm>

namespace schedproof::base {

namespace {

template <class Visit>
void for_each_part(std::string_view text, char separator, Visit&& visit) {
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(separator, at), text.size());
        visit(text.substr(at, end - at));
        at = end + 1;
    }
}

template <class Visit>
void for_each_word(std::string_view text, std::string_view blanks, Visit&& visit) {
    for (std::size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
        visit(text.substr(at, end - at));
        at = text.find_first_not_of(blanks, end);
    }
}

/// Keeps the parts that fit and counts them all.
class Fields {
  public:
    explicit Fields(std::span<std::string_view> fields) : fields_(fields) {}
    void operator()(std::string_view part) {
        if (count_ < fields_.size()) fields_[count_] = part;
        ++count_;
    }
    [[nodiscard]] std::size_t count() const { return count_; }

  private:
    std::span<std::string_view> fields_;
    std::size_t count_ = 0;
};

}  // namespace

std::string_view trimmed(std::string_view text, std::string_view blanks) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for_each_part(text, separator, [&](std::string_view part) { parts.push_back(part); });
    return parts;
}

std::size_t split_into(std::span<std::string_view> fields, std::string_view text, char separator) {
    Fields kept(fields);
    for_each_part(text, separator, kept);
    return kept.count();
}

std::vector<std::string_view> split_words(std::string_view text, std::string_view blanks) {
    std::vector<std::string_view> words;
    for_each_word(text, blanks, [&](std::string_view word) { words.push_back(word); });
    return words;
}

std::size_t split_words_into(std::span<std::string_view> fields, std::string_view text, std::string_view blanks) {
    Fields kept(fields);
    for_each_word(text, blanks, kept);
    return kept.count();
}

}  // namespace schedproof::base
