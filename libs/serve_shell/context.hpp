// What the answers of `barnum serve` are made of, and how they find a run.
#pragma once

#include "base/error.hpp"
#include "io/task_group.hpp"
#include "serve_shell/child.hpp"
#include "serve_shell/counters.hpp"
#include "serve_shell/followers.hpp"
#include "serve_shell/pools.hpp"
#include "serve_shell/runs_watch.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace serve_shell {

// Outlives all answers.
struct ServeContext {
    ServeContext(const boost::asio::any_io_executor& loop, std::string root)
        : executor(loop),
          runs(loop),
          followers(loop, runs),
          pools(loop, std::move(root)),
          actions(loop),
          explanations(loop),
          counters(loop),
          tasks(loop, io::log_exception) {}

    boost::asio::any_io_executor executor;
    RunsWatch runs;
    Followers followers;
    PoolsWatch pools;
    // Apart from each other, so that an action never waits for a slow `why`.
    OwnCommands actions;
    OwnCommands explanations;
    ServeCounters counters;
    io::TaskGroup tasks;  // what goes on in the background
};

// A run and its state log as they are now.
struct OpenedRun {
    std::shared_ptr<Follower> follower;
    std::string json;  // as in the list of runs
    runs::RunState state = runs::RunState::finished;
};

// The run and its log as they are now. errc::no_such_file_or_directory if there is no such run; otherwise it
// fails if its log cannot be read as far as its config.
boost::asio::awaitable<base::Result<OpenedRun>> open_run(ServeContext& context, std::string id);

// "running" if the run reports that the task of this row is; otherwise "": the log says its state. Waits up
// to half a second for the report.
boost::asio::awaitable<std::string_view> reported_state(OpenedRun run, trace::Row row);

// The run in the list, as it is now.
base::Result<const ServedRuns::Run*> find_served_run(ServeContext& context, const std::string& id);

}  // namespace serve_shell
