// The attempts of a run as a table, for spreadsheets and programs: as CSV, and as lines of JSON
// (docs/report.md, "The trace"). Pure: lines of the log are read through a function.
#pragma once

#include "base/error.hpp"
#include "trace/read_line.hpp"
#include "trace/trace.hpp"

#include <string>
#include <vector>

namespace trace {

class AttemptTable {
  public:
    enum class Format { csv, json };

    // The trace must not grow meanwhile.
    AttemptTable(const Trace& trace, ReadLine read_line, Format format);

    // What comes before the first row; may be empty.
    std::string head() const;
    // Appends the line of an attempt. Fails if the log cannot be read.
    base::Result<void> append(std::string& out, Row row) const;

  private:
    struct Place {
        Row first = absent;        // of the attempts of its task
        std::uint32_t number = 1;  // of this one
    };

    const Trace& trace_;
    ReadLine read_line_;
    Format format_;
    std::vector<Place> places_;  // by row
};

}  // namespace trace
