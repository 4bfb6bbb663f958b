// The lines of kept output as `barnum logs` prints them. Pure.
#pragma once

#include "output/lines.hpp"
#include "output/source.hpp"
#include "terminal/escapes.hpp"

#include <cstddef>
#include <string>

namespace kept_output {

// A JSON object and a newline (docs/output.md).
std::string json_line(const output::Source& source, const output::Line& line);

// Lines for people: "Analyze 12 | text", with names filled up to the longest one so far.
class LogsText {
  public:
    struct Format {
        bool has_times = false;  // after the prefix
        bool has_colors = false;
    };
    explicit LogsText(Format format) : format_(format) {}

    std::string line(const output::Source& source, const output::Line& line);

  private:
    Format format_;
    std::size_t widest_ = 0;  // columns
};

}  // namespace kept_output
