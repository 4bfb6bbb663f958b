#include "base/labels.hpp"

#include "base/character.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <iterator>

namespace base {

namespace {

bool is_allowed(char c) {
    return is_alphanumeric(c) || std::string_view("-_./:").find(c) != std::string_view::npos;
}

// A message must not be as long as what it is about, nor change a terminal.
std::string shown(std::string_view text) {
    if (text.size() > Labels::max_length) return concat("a text of ", text.size(), " bytes");
    std::string printable(text);
    std::ranges::replace_if(
        printable, [](char c) { return c < ' ' || c > '~'; }, '?');
    return concat("'", printable, "'");
}

}  // namespace

std::optional<std::string> label_problem(std::string_view text) {
    if (!text.empty() && text.size() <= Labels::max_length && std::ranges::all_of(text, is_allowed))
        return std::nullopt;
    return concat("a label has 1 to ", Labels::max_length,
                  " letters, digits, '-', '_', '.', '/' and ':', unlike ", shown(text));
}

Result<Labels> Labels::of(std::vector<std::string> texts) {
    for (const std::string& text : texts)
        if (auto problem = label_problem(text)) return invalid(std::move(*problem));
    std::ranges::sort(texts);
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    if (texts.size() > max_count)
        return invalid(concat(texts.size(), " labels are too many; at most ", max_count, " are allowed"));
    Labels labels;
    labels.texts_ = std::move(texts);
    return labels;
}

Result<Labels> Labels::parse(std::string_view text) {
    std::vector<std::string> texts;
    for (std::size_t comma = text.find(','); comma != text.npos; comma = text.find(',')) {
        texts.emplace_back(text.substr(0, comma));
        text.remove_prefix(comma + 1);
    }
    texts.emplace_back(text);
    return of(std::move(texts));
}

bool Labels::contain(const Labels& others) const {
    return std::ranges::includes(texts_, others.texts_);
}

bool Labels::has(std::string_view text) const {
    return std::ranges::binary_search(texts_, text);
}

bool Labels::fit(const Labels& needed) const {
    return contain(needed) && (!has(shell_label) || needed.has(shell_label));
}

Result<Labels> Labels::with_shell_label() const {
    std::vector<std::string> texts = texts_;
    texts.emplace_back(shell_label);
    return of(std::move(texts));
}

Labels Labels::without(const Labels& others) const {
    Labels left;
    std::ranges::set_difference(texts_, others.texts_, std::back_inserter(left.texts_));
    return left;
}

std::string Labels::joined(std::string_view separator) const {
    std::string out;
    for (const std::string& text : texts_)
        out += concat(out.empty() ? "" : separator, text);
    return out;
}

std::string Labels::description() const {
    return concat(texts_.size() == 1 ? "the label " : "the labels ", joined(", "));
}

}  // namespace base
