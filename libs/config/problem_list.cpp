#include "config/problem_list.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace config {

Problem problem_at(std::string_view text, std::string file, base::Mark where, std::string message) {
    json::Position at = json::position(text, where.offset);
    return {std::move(file), at.line, at.column, std::move(message), base::excerpt(text, at.line, where)};
}

// A scalar is underlined whole, of anything else the bracket.
base::Mark ProblemList::mark(json::View where) const {
    bool is_scalar = !where.is(json::Kind::array) && !where.is(json::Kind::object);
    return {static_cast<std::size_t>(where.text().data() - text_.data()),
            is_scalar ? where.text().size() : 1};
}

void ProblemList::add(json::View where, std::string message) {
    base::Mark place = mark(where);
    insert({place.offset, problem_at(text_, file_, place, std::move(message))});
}

void ProblemList::add(std::size_t offset, std::string message) {
    insert({offset, problem_at(text_, file_, {offset, 1}, std::move(message))});
}

void ProblemList::warn(json::View where, std::string message) {
    base::Mark place = mark(where);
    Problem problem = problem_at(text_, file_, place, std::move(message));
    problem.severity = Severity::warning;
    insert({place.offset, std::move(problem)});
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
    std::string_view severity = problem.severity == Severity::error ? ": error: " : ": warning: ";
    std::string place = problem.line == 0 ? "" : base::concat(":", problem.line, ":", problem.column);
    return base::concat(problem.file, place, severity, problem.message);
}

std::string with_excerpt(const Problem& problem) {
    return base::concat(to_string(problem), problem.excerpt.empty() ? "" : "\n", problem.excerpt);
}

}  // namespace config
