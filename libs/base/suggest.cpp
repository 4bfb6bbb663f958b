#include "base/suggest.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <numeric>

namespace base {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j) {
            std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates) {
    std::size_t best = std::max<std::size_t>(1, name.size() / 3) + 1;
    std::optional<std::string> found;
    for (const std::string& candidate : candidates) {
        std::size_t distance = edit_distance(name, candidate);
        if (distance >= best) continue;
        best = distance;
        found = candidate;
    }
    return found;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
    auto found = nearest(name, candidates);
    return found ? concat("; did you mean '", *found, "'?") : std::string();
}

}  // namespace base
