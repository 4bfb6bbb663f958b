// The session of `barnum mcp` with its client: carries out the calls of tools, and reads resources.
#pragma once

#include "io/task_group.hpp"
#include "mcp/server.hpp"
#include "run_tools/allowed.hpp"
#include "run_tools/runs.hpp"
#include "run_tools/workflows.hpp"
#include "serve_shell/context.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <set>
#include <string>
#include <vector>

namespace run_tools {

struct McpSettings {
    AllowedDirectories allowed;
    bool allows_answers = false;
    std::string root;  // --root; may be empty
};

// To be used from the executor's thread only.
class McpSession {
  public:
    McpSession(boost::asio::any_io_executor executor, McpSettings settings);

    // Serves the client on stdin and stdout, until it has ended. A terminal cancellation ends it, and is
    // thrown on. The error: stdout cannot be written.
    boost::asio::awaitable<base::Result<void>> run();

  private:
    mcp::Offer offer();
    boost::asio::awaitable<mcp::Outcome> carry_out(mcp::Start call);
    boost::asio::awaitable<mcp::Outcome> use_tool(mcp::Start call);
    boost::asio::awaitable<mcp::Outcome> read(std::string uri);
    boost::asio::awaitable<mcp::Outcome> draw(std::string arguments);
    mcp::Outcome list();
    mcp::Outcome complete(const mcp::Complete& what);
    // Notifies the client when runs change to which it is subscribed.
    boost::asio::awaitable<void> notify_changes();
    void watch(std::set<std::string> uris);

    McpSettings settings_;
    serve_shell::ServeContext context_;
    McpWorkflows workflows_;
    McpRuns runs_;
    mcp::Server server_;
    std::set<std::string> watched_;  // the URIs of runs
    io::Bell watch_changed_;
    io::TaskGroup background_;
};

}  // namespace run_tools
