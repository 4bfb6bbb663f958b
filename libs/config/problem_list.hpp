// The mistakes found in a text, each at a token of it: in a config, or in JSON that was given to an option.
#pragma once

#include "base/excerpt.hpp"
#include "base/json.hpp"
#include "config/load.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace config {

// `where` is the part of `text` that is wrong.
Problem problem_at(std::string_view text, std::string file, base::Mark where, std::string message);

class ProblemList {
  public:
    ProblemList(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

    // `where` is a part of the text.
    void add(json::View where, std::string message);
    void add(std::size_t offset, std::string message);

    // What is no mistake, but hardly meant.
    void warn(json::View where, std::string message);

    // A mistake in another file, to which `link`, a part of the text, led.
    void add_behind(json::View link, Problem problem);

    bool empty() const { return entries_.empty(); }

    // In the order of the text.
    std::vector<Problem> take();

  private:
    struct Entry {
        std::size_t offset;
        Problem problem;
    };

    void insert(Entry entry);
    base::Mark mark(json::View where) const;

    std::string_view text_;
    std::string file_;
    std::vector<Entry> entries_;  // by offset
};

}  // namespace config
