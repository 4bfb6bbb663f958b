#include "config/problem_list.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace config {

void ProblemList::add(json::View where, std::string message) {
    add(static_cast<std::size_t>(where.text().data() - text_.data()), std::move(message));
}

void ProblemList::add(std::size_t offset, std::string message) {
    json::Position at = json::position(text_, offset);
    insert({offset, {file_, at.line, at.column, std::move(message)}});
}

void ProblemList::add_behind(json::View link, Problem problem) {
    insert({static_cast<std::size_t>(link.text().data() - text_.data()), std::move(problem)});
}

void ProblemList::insert(Entry entry) {
    auto place = std::ranges::upper_bound(entries_, entry.offset, {}, &Entry::offset);
    entries_.insert(place, std::move(entry));
}

std::vector<Problem> ProblemList::take() {
    std::vector<Problem> problems;
    for (Entry& entry : entries_)
        problems.push_back(std::move(entry.problem));
    entries_.clear();
    return problems;
}

std::string to_string(const Problem& problem) {
    if (problem.line == 0) return base::concat(problem.file, ": error: ", problem.message);
    return base::concat(problem.file, ":", problem.line, ":", problem.column, ": error: ", problem.message);
}

}  // namespace config
