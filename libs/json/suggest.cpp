#include "json/suggest.hpp"

#include "base/text.hpp"
#include "json/json.hpp"

#include <algorithm>
#include <vector>

namespace json {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// The number of insertions, deletions and substitutions of a byte, and swaps of adjacent bytes, that turn one
// name into the other. Ignores case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    auto same = [&](std::size_t i, std::size_t j) { return lower(a[i]) == lower(b[j]); };
    std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        cost[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j)
        cost[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            std::size_t substituted = cost[i - 1][j - 1] + (same(i - 1, j - 1) ? 0 : 1);
            cost[i][j] = std::min({substituted, cost[i - 1][j] + 1, cost[i][j - 1] + 1});
            bool swapped = i > 1 && j > 1 && same(i - 1, j - 2) && same(i - 2, j - 1);
            if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    }
    return cost[a.size()][b.size()];
}

// Whether `word` is one of the parts of `name`: "retries" in "max_retries".
bool has_word(std::string_view name, std::string_view word) {
    constexpr std::string_view between = "_-";
    for (std::size_t at = name.find(word); at != name.npos; at = name.find(word, at + 1)) {
        std::size_t end = at + word.size();
        bool begins = at == 0 || between.find(name[at - 1]) != between.npos;
        if (begins && (end == name.size() || between.find(name[end]) != between.npos)) return true;
    }
    return false;
}

// The only candidate of which `name` is a part; empty if there is none or more than one.
std::string_view longer_name(std::string_view name, std::span<const std::string_view> candidates) {
    constexpr std::size_t shortest = 4;
    if (name.size() < shortest) return {};
    auto has_it = [&](std::string_view candidate) { return has_word(candidate, name); };
    auto found = std::ranges::find_if(candidates, has_it);
    if (found == candidates.end() || std::any_of(found + 1, candidates.end(), has_it)) return {};
    return *found;
}

std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates) {
    constexpr std::size_t longest =
        200;  // longer names are not misspellings, and the computation would be slow
    if (candidates.empty() || name.size() > longest) return {};
    auto by_distance = [&](std::string_view a, std::string_view b) {
        return edit_distance(name, a) < edit_distance(name, b);
    };
    std::string_view best = *std::min_element(candidates.begin(), candidates.end(), by_distance);
    // Zero for names of one or two letters: with another letter they are other names.
    std::size_t tolerated = std::max(name.size(), best.size()) / 3;
    return edit_distance(name, best) > tolerated ? longer_name(name, candidates) : best;
}

}  // namespace

std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates) {
    std::string_view meant = nearest(name, candidates);
    return meant.empty() ? "" : base::concat("; did you mean ", quote(meant), "?");
}

std::string alternatives(std::span<const std::string_view> names) {
    std::string out;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) out += i + 1 == names.size() ? " or " : ", ";
        out += quote(names[i]);
    }
    return out;
}

}  // namespace json
