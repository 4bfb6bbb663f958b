#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "candidates/value_candidates.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "fail.hpp"
#include "json/json.hpp"
#include "reuse/reused_run.hpp"
#include "reuse/why.hpp"
#include "run_argument.hpp"
#include "runs/run_lookup.hpp"
#include "statelog/log_file.hpp"
#include "statelog/replay_file.hpp"
#include "terminal/printable_lines.hpp"

#include <iostream>
#include <string>
#include <utility>

namespace barnum {

namespace {

constexpr const char* why_details = R"(Examples:
  barnum run workflow.jsonc --reuse last
  barnum why last 12
      Says whether task 12 of that run was reused, and from which task, or what is new about it: its step, a part of its
      step with the first lines that differ, its value, or that the equal task of the earlier run failed.

ID is the number of any of the task's attempts, as in the log and in `barnum inspect`. docs/runs.md explains how runs
are named, and what is reused.

Exit codes: 0 the reason was printed; 2 there is no such run or task; 74 a state log is damaged or cannot be read.
)";

struct WhyArguments {
    std::string run;
    std::size_t task = 0;
    bool json = false;
};

const cli::OptionTable<WhyArguments>& why_option_table() {
    using cli::into;
    static const cli::OptionTable<WhyArguments> table{
        {run_argument("the run of the task"), into(&WhyArguments::run)},
        {{.name = "task",
          .value = cli::whole_number("ID", 0).completed_by(candidates::tasks_of_run),
          .summary = "the number of the task; the word --task may be left out",
          .is_positional = true,
          .is_required = true},
         into(&WhyArguments::task)},
        {{"json", cli::none(), "print the reason as a JSON object"}, into(&WhyArguments::json)}};
    return table;
}

struct Search {
    reuse::TaskSearch tasks;
    statelog::ReplayedFile log;
};

base::Result<Search> search(int fd, const std::string& path, workflow::TaskId wanted) {
    reuse::TaskSearch tasks(wanted);
    auto observer = [&]() -> statelog::Replay::Observer {
        tasks = reuse::TaskSearch(wanted);
        return [&](const statelog::Replay& replay, const statelog::Record& record) {
            tasks.add(replay, record);
        };
    };
    auto replayed = statelog::replay_file(fd, path, observer);
    if (!replayed) return replayed.error();
    return Search{std::move(tasks), std::move(*replayed)};
}

int unknown_task(const Search& search, const std::string& path, std::size_t id) {
    auto last = search.tasks.last_id();
    return fail(base::ExitCode::usage,
                base::concat("there is no task ", id, " in ", path, "; ",
                             last ? base::concat("the last one in it is ", last->value) : "it has none"));
}

// A reused task's reason is in its own log.
base::Result<std::string> reason(const Search& search) {
    const auto& config = search.log.replay.config();
    const reuse::AskedTask& asked = *search.tasks.found();
    const auto& source = search.log.replay.header().reuses;
    if (!source || asked.reused) return reuse::why(*config, asked, nullptr);
    auto earlier = reuse::ReusedRun::read(*source, config);
    if (!earlier)
        return base::Error{earlier.error().code, base::concat("the run reuses run ", source->run_id, ": ",
                                                              earlier.error().message)};
    return reuse::why(*config, asked, &*earlier);
}

std::string as_json(const reuse::AskedTask& asked, const std::string& step, const std::string& reason) {
    return base::concat("{\"task_id\":", asked.id.value, ",\"step\":", json::quote(step),
                        ",\"finally\":", asked.task.finally_for ? "true" : "false",
                        ",\"reused\":", asked.reused ? "true" : "false", ",\"reason\":", json::quote(reason),
                        "}");
}

int tell(const cli::Options& given) {
    WhyArguments arguments = cli::read(why_option_table(), given);
    auto named = runs::find_named_run(arguments.run);
    if (!named) return fail(base::ExitCode::usage, named.error().message);
    auto fd = statelog::open_log(named->log);
    if (!fd) return fail(base::ExitCode::usage, fd.error().message);
    auto found = search(fd->get(), named->log, {arguments.task});
    if (!found) return fail(base::ExitCode::io_error, found.error().message);
    if (!found->tasks.found()) return unknown_task(*found, named->log, arguments.task);
    auto text = reason(*found);
    if (!text) return fail(base::ExitCode::io_error, text.error().message);
    const reuse::AskedTask& asked = *found->tasks.found();
    if (arguments.json) {
        std::cout << as_json(asked, found->log.replay.config()->step(asked.task.step).name, *text) << "\n";
        return base::ExitCode::ok;
    }
    std::cout << terminal::printable_lines(
        base::concat("task ", asked.id.value, " ", found->log.replay.config()->step(asked.task.step).name,
                     asked.task.finally_for ? " (finally): " : ": ", *text, "\n"));
    return base::ExitCode::ok;
}

}  // namespace

cli::Command why_command() {
    return {"why", "Tell why a task of a run was executed or reused.", why_details,
            cli::options_of(why_option_table()), tell};
}

}  // namespace barnum
