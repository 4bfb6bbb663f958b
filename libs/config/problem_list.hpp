// The mistakes found in a config, each at a token of its text. Inner part of config/load.
#pragma once

#include "base/json.hpp"
#include "config/load.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace config {

class ProblemList {
  public:
    ProblemList(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

    // `where` is a part of the text.
    void add(json::View where, std::string message);
    void add(std::size_t offset, std::string message);

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

    std::string_view text_;
    std::string file_;
    std::vector<Entry> entries_;  // by offset
};

}  // namespace config
