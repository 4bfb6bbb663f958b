// The page of a report: a run, or a sample of it, in one HTML file (docs/report.md).
#pragma once

#include "base/error.hpp"
#include "report/file.hpp"
#include "report/run_trace.hpp"

#include <string>

namespace report {

struct ReportedRun {
    const ReadTrace& log;
    std::string run;               // as run_json() writes it
    std::string title;             // the run's name or id
    std::string output_directory;  // of the kept output; empty if there is none
    bool is_live = false;
};

// Fails if the log or the output cannot be read, or as `write` does.
base::Result<void> write_report_page(const ReportedRun& reported, const WritePiece& write);

}  // namespace report
