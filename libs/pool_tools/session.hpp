// Carries out what the client of `troupe mcp` asks for: hands calls to the agent's and the submitter's side.
#pragma once

#include "mcp/arguments.hpp"
#include "mcp/server.hpp"
#include "pool_tools/submissions.hpp"
#include "pool_tools/tasks.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>

namespace pool_tools {

// To be used from the executor's thread only.
class McpSession {
  public:
    McpSession(boost::asio::any_io_executor executor, io::DirectoryWatch& watch,
               pool_protocol::PoolDirectory directory, McpTasks::Settings settings);

    // Serves the client on stdin and stdout, until it has gone. A terminal cancellation ends it as well. In
    // both cases all tasks are handed back. The error: stdout cannot be written.
    boost::asio::awaitable<base::Result<void>> run();

  private:
    boost::asio::awaitable<mcp::Outcome> carry_out(mcp::Start call);
    boost::asio::awaitable<mcp::Outcome> use_tool(mcp::Start call);
    boost::asio::awaitable<mcp::Outcome> pool_status();
    boost::asio::awaitable<mcp::Outcome> read(std::string uri);
    mcp::Outcome use_quick_tool(const std::string& name, mcp::Arguments& arguments);
    mcp::Outcome submit(mcp::Arguments& arguments);
    mcp::Outcome list() const;
    mcp::Outcome complete(const mcp::Complete& what) const;

    boost::asio::any_io_executor executor_;
    pool_protocol::PoolDirectory directory_;
    McpTasks tasks_;
    McpSubmissions submissions_;
    mcp::Server server_;
};

}  // namespace pool_tools
