// Which tasks the client of `troupe mcp` has, which call has given it each of them, and what became of those
// that it had. Decides what is handed back, and what is said of a task that the client does not have. Pure:
// the shell is McpTasks, which carries out what is returned here.
#pragma once

#include "mcp/call.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pool_tools {

class McpLedger {
  public:
    // Tasks that one outcome tells the client of.
    static constexpr std::size_t most_told = 20;
    // Tasks that the client had whose end is remembered.
    static constexpr std::size_t most_ends = 1000;

    // The outcome of the call gives the client the task, which nobody else has.
    void given(mcp::CallId call, const std::string& id);

    // These end the client's having a task, and return whether it had it. If so, the task was finished: its
    // response is given in already;
    bool finished(const std::string& id);
    // or it is to be handed back;
    bool given_back(const std::string& id);
    // or it is to be let go, because the pool has taken it away.
    bool taken_away(const std::string& id, std::string_view reason);
    // The client has named the task in another call, so it knows of it.
    void used(const std::string& id);
    // The client has perhaps not read the outcome of the call: returns the task to be handed back, if there
    // is one. What the outcome has told is to be told again.
    std::optional<std::string> unheard(mcp::CallId call);
    // Whether the client may have a task without knowing it: it has named it in no call, and no outcome has
    // told it that it has the task.
    bool has_to_tell() const;
    // The outcome of the call tells the client of the tasks that it has not named, but for the one that this
    // call gives. Of many, only the oldest are returned.
    std::vector<std::string> tell_unnamed(mcp::CallId call);
    // The client has ended: returns the tasks to be handed back.
    std::vector<std::string> client_ended();

    std::vector<std::string> held() const;  // ids, in order
    // What the tools say of a task that the client does not have.
    mcp::Outcome end_of(const std::string& id) const;

  private:
    struct Held {
        mcp::CallId given_by;
        std::optional<mcp::CallId> told_by{};
    };
    bool end(const std::string& id, std::string result);

    std::map<std::string, Held> held_;                      // by their ids
    std::map<mcp::CallId, std::string> given_by_;           // those that the client has not named
    std::deque<std::pair<std::string, std::string>> ends_;  // of the last tasks: the ids, and the results
};

}  // namespace pool_tools
