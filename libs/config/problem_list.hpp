// Collects the problems of a text, each at a token: of a config, or of JSON that was given to an option.
#pragma once

#include "config/load.hpp"
#include "json/json.hpp"
#include "json/source_excerpt.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace config {

class ProblemList {
  public:
    // The maximum number of problems that are shown for a text.
    static constexpr std::size_t most_shown = 100;

    // The text must outlive the list.
    ProblemList(std::string_view text, std::string file, Use use = Use::begins)
        : text_(text), file_(std::move(file)), use_(use) {}

    // `where` is a part of the text.
    void add(json::View where, std::string message);
    void add(std::size_t offset, std::string message);

    // As add(), for a mistake that earlier versions did not see: has no effect if a run has begun with the
    // text.
    void add_unless_begun(json::View where, std::string message) {
        if (use_ == Use::begins) add(where, std::move(message));
    }

    // Adds a warning: something that is valid but probably not intended.
    void warn(json::View where, std::string message);

    // Adds the problems of another file, to which `link`, a part of the text, refers.
    void add_linked(json::View link, Problems problems);

    bool empty() const { return entries_.empty(); }

    // Returns the problems in the order of the text.
    Problems take();

  private:
    struct Entry {
        json::Mark where;
        Problem problem;  // its file and position are set by take(), unless it is in another file
    };

    json::Mark mark(json::View where) const;

    std::string_view text_;
    std::string file_;
    Use use_;
    std::vector<Entry> entries_;
    std::size_t omitted_ = 0;  // in other files
};

}  // namespace config
