// The submitter's side of `troupe mcp`: tasks are submitted by files, so that they outlive this process and
// the daemon, and whoever knows a task's id gets its answer.
#pragma once

#include "io/directory_watch.hpp"
#include "mcp/call.hpp"
#include "pool_protocol/answer.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace pool_tools {

class McpSubmissions {
  public:
    McpSubmissions(boost::asio::any_io_executor executor, io::DirectoryWatch& watch,
                   pool_protocol::PoolDirectory directory)
        : executor_(executor), watch_(watch), directory_(std::move(directory)) {}

    mcp::Outcome submit(pool_protocol::Request request);
    // The answer stays readable for an hour after it was given here.
    boost::asio::awaitable<mcp::Outcome> wait(std::string id, std::chrono::seconds time);
    mcp::Outcome withdraw(const std::string& id);
    // The response or the reason why there is none, whole, as text; nothing if there is no answer.
    std::optional<std::string> answer_text(const std::string& id) const;

  private:
    enum class State { unknown, open, answered };
    State state_of(const std::string& id) const;
    std::optional<pool_protocol::Answer> take_answer(const std::string& id);
    bool has_ended(const std::string& id) const;
    void submit_again(const std::string& id);
    void remove_old_answers() const;

    boost::asio::any_io_executor executor_;
    io::DirectoryWatch& watch_;
    pool_protocol::PoolDirectory directory_;
    bool has_looked_for_old_ = false;
};

}  // namespace pool_tools
