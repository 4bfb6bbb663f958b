// The tools of `barnum mcp` that concern runs, and the resources that describe runs.
#pragma once

#include "mcp/arguments.hpp"
#include "mcp/call.hpp"
#include "mcp/server.hpp"
#include "process/child_result.hpp"
#include "run_tools/allowed.hpp"
#include "serve_shell/context.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace run_tools {

// To be used from the executor's thread only.
class McpRuns {
  public:
    // `context` and `allowed` must outlive it. `root`: --root of every command that is run; may be empty.
    McpRuns(serve_shell::ServeContext& context, const AllowedDirectories& allowed, std::string root)
        : context_(context), allowed_(allowed), root_(std::move(root)) {}

    // `given`: the arguments, as the text of an object.
    mcp::Outcome list(const std::string& given);
    boost::asio::awaitable<mcp::Outcome> status(std::string given);
    // Reports to the client how long it has waited.
    boost::asio::awaitable<mcp::Outcome> wait(std::string given, mcp::Server& server, mcp::CallId call);
    boost::asio::awaitable<mcp::Outcome> list_tasks(std::string given);
    boost::asio::awaitable<mcp::Outcome> read_task(std::string given);
    boost::asio::awaitable<mcp::Outcome> list_failures(std::string given);
    boost::asio::awaitable<mcp::Outcome> read_logs(std::string given);
    boost::asio::awaitable<mcp::Outcome> cancel(std::string given);
    // "pause" or "continue".
    boost::asio::awaitable<mcp::Outcome> change(std::string verb, std::string given);
    boost::asio::awaitable<mcp::Outcome> retry(std::string given);
    boost::asio::awaitable<mcp::Outcome> answer(std::string given);

    // The resources of the runs that were started last, and the one with this URI, in which a run may have
    // any of its names.
    std::vector<mcp::Resource> resources();
    boost::asio::awaitable<mcp::Outcome> read(std::string uri);
    // Grows when the run of this resource changes; 0 if there is no such run.
    std::uint64_t version_of(std::string_view uri);
    // The ids of runs that begin so.
    std::vector<std::string> ids(std::string_view beginning);

  private:
    struct OpenedTask {
        serve_shell::OpenedRun run;
        trace::Row row;
    };
    base::Result<serve_shell::ServedRuns::Run> find(const std::string& reference);
    base::Result<serve_shell::ServedRuns::Run> run_in(mcp::Arguments& arguments);
    boost::asio::awaitable<base::Result<OpenedTask>> open_task(std::string run, std::int64_t task);
    boost::asio::awaitable<base::Result<std::string>> read_object(OpenedTask task, std::size_t limit);
    boost::asio::awaitable<mcp::Outcome> read_run(std::string uri, serve_shell::ServedRuns::Run run);
    boost::asio::awaitable<std::string> missing_agents_of(serve_shell::OpenedRun run);
    boost::asio::awaitable<std::string> status_members(serve_shell::ServedRuns::Run run,
                                                       serve_shell::OpenedRun opened);
    boost::asio::awaitable<std::string> waited_members(std::string_view kind,
                                                       serve_shell::ServedRuns::Run run);
    boost::asio::awaitable<base::Result<void>> check_retry(serve_shell::ServedRuns::Run run);
    boost::asio::awaitable<process::ChildResult> command(std::vector<std::string> words);

    serve_shell::ServeContext& context_;
    const AllowedDirectories& allowed_;
    std::string root_;
};

}  // namespace run_tools
