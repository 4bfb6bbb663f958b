#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "fail.hpp"
#include "report/file.hpp"
#include "report/page.hpp"
#include "report/run_trace.hpp"
#include "run_argument.hpp"
#include "runs/run_json.hpp"
#include "runs/run_lookup.hpp"
#include "statelog/line_reader.hpp"
#include "trace/attempt_table.hpp"

#include <boost/program_options/errors.hpp>
#include <boost/system/errc.hpp>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <optional>
#include <string>
#include <sys/stat.h>

namespace barnum {

namespace po = boost::program_options;

namespace {

constexpr const char* report_details = R"(Examples:
  barnum report last
      Writes barnum-RUN.html, a page with everything about the run that was started last, and prints that name.
  barnum report nightly -o nightly.html
  barnum report last --csv - | column -s, -t | less -S
      Prints the trace: a row for each attempt, with its times, its outcome, and what it has used.
  barnum report last --json | jq -s 'map(.cost_usd) | add'

The page is one file, which needs neither a network nor a server, and can be sent to others. It contains what the run's
log contains, and the beginning and the end of what its commands have written. Of more than 100,000 tasks it contains a
part, and says which. docs/report.md explains it, and the columns of the trace.

Exit codes: 0 the report was written; 2 the command line is invalid, or there is no such run; 74 the log is damaged or
cannot be read, or the report cannot be written.
)";

struct ReportArguments {
    std::string run;
    std::optional<std::string> output;
    std::optional<std::string> csv;
    bool json = false;
};

const cli::OptionTable<ReportArguments>& report_option_table() {
    using cli::into;
    static const cli::OptionTable<ReportArguments> table{
        {run_argument("the run to report"), into(&ReportArguments::run)},
        {{"output", cli::file("FILE", "the path of a file, or -"),
          "write the page to this file instead of barnum-RUN.html; - is stdout", 'o'},
         into(&ReportArguments::output)},
        {{"csv", cli::file("FILE", "the path of a file, or -"),
          "write the trace to this file, as CSV, instead of the page; - is stdout"},
         into(&ReportArguments::csv)},
        {{"json", cli::none(), "print the trace, a JSON object for each attempt, instead of the page"},
         into(&ReportArguments::json)}};
    return table;
}

void check(const ReportArguments& arguments) {
    if (arguments.csv && arguments.json)
        throw po::error("--csv and --json cannot be combined: each prints the trace");
    if (arguments.output && (arguments.csv || arguments.json))
        throw po::error("--output is the file of the page, which --csv and --json do not write");
}

int failed(const base::Error& error) {
    bool is_usage = error.code == boost::system::errc::invalid_argument;
    return fail(is_usage ? base::ExitCode::usage : base::ExitCode::io_error, error.message);
}

base::Result<void> write_table(const report::ReadTrace& read, trace::AttemptTable::Format format,
                               const report::WritePiece& write) {
    constexpr std::size_t piece_size = std::size_t{64} << 10;
    statelog::LineReader lines(read.fd.get(), read.trace.name());
    trace::AttemptTable table(
        read.trace, [&](std::uint64_t offset) { return lines.read(offset); }, format);
    std::string piece = table.head();
    for (trace::Row row = 0; row < read.trace.position().rows; ++row) {
        if (auto appended = table.append(piece, row); !appended) return appended;
        if (piece.size() < piece_size) continue;
        if (auto written = write(piece); !written) return written;
        piece.clear();
    }
    return write(piece);
}

// Writing there would destroy what is read, and a run could not be resumed any more.
base::Result<void> check_target(const std::string& path, const report::ReadTrace& read) {
    struct stat target {};
    struct stat log {};
    bool is_log = ::stat(path.c_str(), &target) == 0 && ::fstat(read.fd.get(), &log) == 0 &&
                  target.st_dev == log.st_dev && target.st_ino == log.st_ino;
    if (is_log) return base::invalid(base::concat(path, " is the state log of the run; name another file"));
    return {};
}

// Names the file after the id, which may be that of a log from elsewhere.
std::string default_file(const std::string& run_id) {
    constexpr std::size_t shown_of_id = 8;
    std::string id = run_id.substr(0, shown_of_id);
    std::erase_if(id, [](unsigned char c) { return std::isalnum(c) == 0; });
    return base::concat("barnum-", id.empty() ? "run" : id, ".html");
}

int write_page(const ReportArguments& arguments, const runs::NamedRun& named, const report::ReadTrace& read) {
    runs::FoundRun run = named.found ? *named.found : runs::FoundRun{"", report::record_from(read)};
    auto liveness = read.is_used ? runs::Liveness::alive : runs::Liveness::dead;
    runs::RunState state = runs::state_of(run.record, liveness, runs::later_log_of(named.log).has_value());
    report::ReportedRun reported{read, runs::run_json(run, state),
                                 run.record.name.empty() ? run.record.id : run.record.name,
                                 named.found ? runs::output_path(run.path) : "", runs::is_living(state)};
    std::string file = arguments.output.value_or(default_file(run.record.id));
    if (auto safe = check_target(file, read); !safe) return failed(safe.error());
    auto written = report::write_report_file(
        file, [&](const report::WritePiece& write) { return report::write_report_page(reported, write); });
    if (!written) return failed(written.error());
    if (file != "-") std::cout << file << "\n";
    return base::ExitCode::ok;
}

int report_run(const cli::Options& given) {
    ReportArguments arguments = cli::read(report_option_table(), given);
    check(arguments);
    auto named = runs::find_named_run(arguments.run);
    if (!named) return fail(base::ExitCode::usage, named.error().message);
    auto read = report::read_trace(named->log);
    if (!read) {
        bool is_damaged = statelog::is_damage(read.error());
        return fail(is_damaged ? base::ExitCode::io_error : base::ExitCode::usage, read.error().message);
    }
    if (!arguments.csv && !arguments.json) return write_page(arguments, *named, *read);
    auto format = arguments.csv ? trace::AttemptTable::Format::csv : trace::AttemptTable::Format::json;
    std::string file = arguments.csv.value_or("-");
    if (auto safe = check_target(file, *read); !safe) return failed(safe.error());
    auto written = report::write_report_file(
        file, [&](const report::WritePiece& write) { return write_table(*read, format, write); });
    return written ? base::ExitCode::ok : failed(written.error());
}

}  // namespace

cli::Command report_command() {
    return {"report", "Write a page about a run, as one file, or its trace.", report_details,
            cli::options_of(report_option_table()), report_run};
}

}  // namespace barnum
