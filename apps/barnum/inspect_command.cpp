#include "inspect_command.hpp"

#include "base/shell.hpp"
#include "base/text.hpp"
#include "inspect/inspection.hpp"
#include "inspect/read_file.hpp"
#include "inspect/report.hpp"
#include "statelog/accept_edits.hpp"
#include "statelog/later_log.hpp"
#include "statelog/log_file.hpp"
#include "statelog/log_use.hpp"
#include "value_candidates.hpp"

#include <boost/program_options/errors.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <boost/system/errc.hpp>

#include <cstdint>
#include <iostream>
#include <optional>
#include <string>

namespace barnum {

namespace po = boost::program_options;

namespace {

constexpr const char* details = R"(Examples:
  barnum inspect run.ndjson
      Whether the run is going on, its tasks step by step, and what was dropped, is pending or waits.
  barnum inspect run.ndjson --task 12
      All about one task: its attempts, value, failures, children. Any attempt's number will do.
  barnum inspect run.ndjson --json | jq '.tasks[] | select(.state == "dropped")'
      All tasks, for programs; `barnum inspect --schema` describes the fields.
  barnum inspect run.ndjson --accept-edits
      After you have edited the log on purpose: makes its lines' checksums right, so that it can be resumed.

The log of a run that is going on may be looked at as well: that does not disturb the run.
docs/inspect.md explains what it says.

Exit codes: 0 the log is whole, whatever became of its tasks; 2 the command line is wrong, there is no such
file or task, or edits can't be accepted of a log in use; 74 the log is damaged or can't be read or written.
)";

// Signed, because an unsigned option takes "-1" for a very large number.
using Number = std::int64_t;

int fail(int code, const std::string& message) {
    std::cerr << "barnum: " << message << "\n";
    return code;
}

std::string resume_from(const std::string& path) {
    std::string word = path.starts_with('-') ? "./" + path : path;  // or it would be taken for an option
    return base::concat("barnum run --resume-from ", base::shell_word(word));
}

void check(const cli::Options& options) {
    bool log = options.count("log") > 0;
    bool task = options.count("task") > 0;
    bool shows = task || options["json"].as<bool>();
    bool accepts = options["accept-edits"].as<bool>();
    if (options["schema"].as<bool>()) {
        if (log || shows || accepts)
            throw po::error("--schema goes alone: it describes the fields of any log's JSON");
        return;
    }
    if (!log) throw po::error("LOG is missing: the path of a state log");
    if (accepts && shows)
        throw po::error("--accept-edits goes with LOG alone: it changes the log and shows nothing");
    if (task && options["task"].as<Number>() < 0)
        throw po::error("--task takes the number of a task, 0 or more");
}

int unknown_task(const inspect::Inspection& inspection, const std::string& path, Number id) {
    const auto& attempts = inspection.attempts();
    std::string range = attempts.empty() ? std::string("it has none")
                                         : base::concat("the last one in it is ", attempts.back().id.value);
    return fail(cli::ExitCode::usage, base::concat("there is no task ", id, " in ", path, "; ", range));
}

base::Result<void> print(const inspect::InspectedLog& log, std::optional<std::uint32_t> task, bool json) {
    if (json) return inspect::write_json(std::cout, log, task);
    auto text = task ? inspect::task_text(log, *task) : inspect::log_text(log);
    if (!text) return text.error();
    std::cout << *text;
    return {};
}

int report(const inspect::InspectedLog& log, const cli::Options& options) {
    std::optional<std::uint32_t> task;
    if (options.count("task") > 0) {
        Number id = options["task"].as<Number>();
        task = log.inspection.find({static_cast<std::uint64_t>(id)});
        if (!task) return unknown_task(log.inspection, log.path, id);
    }
    auto printed = print(log, task, options["json"].as<bool>());
    if (!printed) return fail(cli::ExitCode::io_error, printed.error().message);
    return cli::ExitCode::ok;
}

int show(const std::string& path, const cli::Options& options) {
    auto fd = statelog::open_log(path);
    if (!fd) return fail(cli::ExitCode::usage, fd.error().message);
    statelog::LogUse use = statelog::use_of(fd->get());
    auto file = inspect::inspect_file(fd->get(), path);
    if (!file) return fail(cli::ExitCode::io_error, file.error().message);
    inspect::InspectedLog log{file->inspection,
                              file->log.replay,
                              file->log.tail,
                              path,
                              use.use,
                              use.holders,
                              resume_from(path),
                              statelog::later_log(path).value_or(""),
                              statelog::now(),
                              [&](std::uint64_t offset) { return statelog::read_line(fd->get(), path, offset); }};
    return report(log, options);
}

int accept(const std::string& path) {
    auto opened = statelog::open_log(path);
    if (!opened) return fail(cli::ExitCode::usage, opened.error().message);
    auto accepted = statelog::accept_edits(path);
    if (accepted) {
        std::cout << base::counted(accepted->wrong, "line") << " had a wrong checksum, " << accepted->missing
                  << " had none; now each has the right one\n";
        return cli::ExitCode::ok;
    }
    bool in_use = accepted.error().code == boost::system::errc::resource_unavailable_try_again;
    return fail(in_use ? cli::ExitCode::usage : cli::ExitCode::io_error, accepted.error().message);
}

int run(const cli::Options& options) {
    check(options);
    if (options["schema"].as<bool>()) {
        std::cout << inspect::inspection_schema();
        return cli::ExitCode::ok;
    }
    const auto& path = options["log"].as<std::string>();
    return options["accept-edits"].as<bool>() ? accept(path) : show(path, options);
}

}  // namespace

cli::Command inspect_command() {
    po::options_description options("Options", 100);
    auto add = options.add_options();
    add("log", po::value<std::string>()->value_name("LOG"),
        "the state log of a run that is finished, broken off or going on; the word --log may be left "
        "out");
    add("json", po::bool_switch(), "all of it, as JSON");
    add("task", po::value<Number>()->value_name("ID"), "one task only, and all about it");
    add("accept-edits", po::bool_switch(),
        "after the log was edited on purpose: give each line its right checksum, if the log can be replayed");
    add("schema", po::bool_switch(), "print the JSON Schema of what --json prints");
    cli::Command made{"inspect", "Tells what a state log says about its run.", details, std::move(options),
                      run};
    made.positional = {"log"};
    made.values = {{"log", cli::files()}, {"task", cli::found_by(tasks_of_log)}};
    return made;
}

}  // namespace barnum
