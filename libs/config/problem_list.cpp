#include "config/problem_list.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace config {

namespace {

// Converts offsets to positions in one pass over the text. The offsets must be in ascending order.
class Positions {
  public:
    explicit Positions(std::string_view text) : text_(text) {}

    json::Position at(std::size_t offset) {
        offset = std::clamp(offset, done_, text_.size());
        json::Position step = json::position(text_.substr(done_), offset - done_);
        at_.column = step.line == 1 ? at_.column + step.column - 1 : step.column;
        at_.line += step.line - 1;
        done_ = offset;
        return at_;
    }

  private:
    std::string_view text_;
    std::size_t done_ = 0;
    json::Position at_;
};

}  // namespace

// A scalar is underlined completely; of an array or object, only the bracket.
json::Mark ProblemList::mark(json::View where) const {
    bool is_scalar = !where.is(json::Kind::array) && !where.is(json::Kind::object);
    return {static_cast<std::size_t>(where.text().data() - text_.data()),
            is_scalar ? where.text().size() : 1};
}

void ProblemList::add(json::View where, std::string message) {
    entries_.push_back({mark(where), {"", 0, 0, std::move(message)}});
}

void ProblemList::add(std::size_t offset, std::string message) {
    entries_.push_back({{offset, 1}, {"", 0, 0, std::move(message)}});
}

void ProblemList::warn(json::View where, std::string message) {
    add(where, std::move(message));
    entries_.back().problem.severity = Severity::warning;
}

void ProblemList::add_linked(json::View link, Problems problems) {
    for (Problem& problem : problems.shown)
        entries_.push_back({mark(link), std::move(problem)});
    omitted_ += problems.omitted;
}

Problems ProblemList::take() {
    std::vector<Entry*> order;  // in the order of the text; at the same position, in the order of discovery
    for (Entry& entry : entries_)
        order.push_back(&entry);
    std::ranges::sort(order, {}, [](const Entry* entry) { return std::pair(entry->where.offset, entry); });
    std::size_t shown = std::min(order.size(), most_shown);
    Problems problems{{}, order.size() - shown + omitted_};
    Positions positions(text_);
    for (Entry* entry : std::span(order).first(shown)) {
        Problem& problem = problems.shown.emplace_back(std::move(entry->problem));
        if (!problem.file.empty()) continue;
        json::Position at = positions.at(entry->where.offset);
        problem.file = file_;
        problem.line = at.line;
        problem.column = at.column;
        problem.excerpt = json::source_excerpt(text_, at.line, entry->where);
    }
    entries_.clear();
    omitted_ = 0;
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

std::string omitted(const Problems& problems) {
    if (problems.omitted == 0) return "";
    bool is_error = problems.shown.back().severity == Severity::error;
    return base::concat("… and ", problems.omitted, " more ", is_error ? "error" : "warning",
                        problems.omitted == 1 ? "" : "s");
}

std::string problem_text(const Problems& problems) {
    std::string out;
    for (const auto& problem : problems.shown)
        out += "\n" + with_excerpt(problem);
    if (problems.omitted > 0) out += "\n" + omitted(problems);
    return out;
}

}  // namespace config
