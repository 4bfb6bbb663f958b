#include "runs/run_end.hpp"

#include "base/text.hpp"
#include "runs/run_directories.hpp"
#include "runs/run_lookup.hpp"
#include "runs/run_process.hpp"
#include "terminal/width.hpp"

#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

namespace runs {

namespace {

constexpr std::chrono::milliseconds look_pause{50};

}  // namespace

base::Result<FoundRun> find_recorded_run(const std::string& reference) {
    auto named = find_named_run(reference);
    if (!named) return named.error();
    if (named->found) return std::move(*named->found);
    return base::invalid(base::concat(
        reference, " has no record in the directory of the runs; `barnum ps -a` lists those that have one"));
}

base::Result<EndedRun> wait_for_end(const FoundRun& run) {
    if (auto process = RunProcess::open(run.record.process)) process->wait();
    while (true) {
        auto found = read_run(run.path);
        if (!found)
            return base::Error{std::make_error_code(std::errc::no_such_file_or_directory),
                               base::concat("the directory of the run ", run.record.id,
                                            " was removed; how the run has ended is not known")};
        RunState state = current_state(*found);
        if (!is_living(state)) return EndedRun{std::move(found->record), state};
        std::this_thread::sleep_for(look_pause);
    }
}

std::string why_not_running(FoundRun run) {
    RunState state = current_state(run);
    const RunRecord& record = run.record;
    if (state == RunState::resumed)
        return base::concat("the run ", record.id, " is not running: ", continuation_text(record));
    if (!is_living(state))
        return base::concat("the run ", record.id, " is not running: its state is ",
                            state_text(record, state));
    return base::concat("the run ", record.id,
                        " has no process that can be seen from here; it was started on ", record.host,
                        ", or what it ran is being ended after a kill");
}

std::string continuation_text(const RunRecord& record) {
    auto later = run_that_continues(record.id);
    std::string how = record.end
                          ? base::concat("it has ended (", terminal::printable(record.end->result), ")")
                          : std::string("it was killed");
    return base::concat(how, ", and the run ", later ? later->record.id : "that was removed meanwhile",
                        " continues it: name that one");
}

int exit_code_of(const EndedRun& run) {
    return run.record.end ? run.record.end->exit_code : 128 + SIGKILL;
}

std::string state_text(const RunRecord& record, RunState state) {
    if (is_living(state) && is_stopped(record.process)) return "stopped";
    std::string name(state_name(state));
    if (state != RunState::failed || !record.end || record.end->result == name) return name;
    return base::concat(name, " (", terminal::printable(record.end->result), ")");
}

}  // namespace runs
