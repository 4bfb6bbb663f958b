// A pool and the servers of `troupe mcp` without I/O, for random tests: the machine of MCP and the ledger are
// the real ones, and all that is between them and the world happens in steps that the test chooses.
#pragma once

#include "json/json.hpp"
#include "mcp/machine.hpp"
#include "pool_tools/ledger.hpp"
#include "random.hpp"

#include <deque>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace mcp_model {

inline void must(bool holds, const std::string& rule) {
    if (!holds) throw std::logic_error(rule);
}

// Who has which task. An agent has one task at most; its id is that of the task for a client.
class Pool {
  public:
    struct Lease {
        std::size_t task;
        const void* server;
        bool was_kicked;  // the task was withdrawn, and its server has to let the agent go
    };
    std::size_t submit();
    bool has_queued() const { return !queue_.empty(); }
    std::string assign(const void* server);
    void respond(const std::string& agent, const void* server);
    void release(const std::string& agent, const void* server);
    void withdraw(const std::string& agent);
    void died(const void* server);
    const std::map<std::string, Lease>& leases() const { return leases_; }
    bool was_answered(std::size_t task) const { return tasks_[task] == State::answered; }
    // Each task is answered, withdrawn or waits.
    void check_nobody_has_one() const;

  private:
    enum class State { queued, leased, answered, withdrawn };
    Lease taken(const std::string& agent, const void* server);
    void put_back(const Lease& lease);

    std::vector<State> tasks_;
    std::deque<std::size_t> queue_;
    std::map<std::string, Lease> leases_;  // by agent
    std::size_t agents_ = 0;
};

// One process of `troupe mcp`, as far as it decides, with the two pipes of its client.
class Server {
  public:
    Server(Pool& pool, workflow_test::Random& random);

    std::deque<std::string> to_server, to_client;  // lines in the pipes

    // Each makes a step, and does nothing if there is none to make.
    void read();       // a line
    void carry_out();  // a call that does not wait
    void assign();     // a queued task to an agent that waits
    void wake();       // a call whose wait has ended
    void time_out();   // a call that waits
    void withdraw();   // a task that an agent has
    void settle();     // all steps but new tasks
    void end_waits();  // of all calls, after which there is nothing to do
    // The client's end is seen, or a signal: `reads_rest` is false for the latter.
    void end(bool reads_rest);
    void kill() { pool_.died(this); }

    std::size_t waits() const { return waits_.size(); }
    std::vector<std::string> held() const { return ledger_.held(); }
    // No lease is held by nobody, and none is kept that the pool has taken away.
    void check() const;

  private:
    struct Wait {
        std::string agent;  // that has got a task; empty: none has
        bool is_over = false;
        bool is_cancelled = false;
    };
    void perform(mcp::Actions actions);
    void cancel(mcp::CallId call);
    void hand_back(const std::string& agent) { pool_.release(agent, this); }
    mcp::Outcome given(mcp::CallId call, const std::string& agent);
    mcp::Outcome use(mcp::CallId id, const mcp::CallTool& call);
    mcp::Outcome task_of(mcp::CallId call, const std::string& agent);
    mcp::Outcome finish(const std::string& agent);
    bool holds(const std::string& agent) const;
    mcp::CallId wait_for(bool (*fits)(const Wait& wait));

    Pool& pool_;
    workflow_test::Random& random_;
    mcp::Machine machine_;
    pool_tools::McpLedger ledger_;
    std::map<mcp::CallId, Wait> waits_;
    std::deque<mcp::Start> started_;
};

// A client, and what it knows. Its requests and cancellations go into the server's pipe.
class Client {
  public:
    Client(Server& server, workflow_test::Random& random);

    void take();
    void cancel();           // a call that waits
    void give_up();          // a call that waits, without a word
    void cancel_answered();  // a call that has brought a task, which it perhaps finishes already
    void finish(bool cancels);
    void finish_late(std::vector<std::string> others);  // a task that it had, or that another client has
    void give_back();
    void read();  // a line
    void settle();

    // By agent, the tasks that it has, as far as it knows.
    const std::map<std::string, std::size_t>& tasks() const { return tasks_; }
    const std::set<std::size_t>& finished() const { return finished_; }
    void check(const Pool& pool) const;

  private:
    enum class Kind { next, finish, give_back, late };
    struct Request {
        Kind kind;
        std::string agent;
        std::size_t task = 0;
    };
    std::size_t send(Request request, std::string_view tool, std::string_view arguments);
    std::vector<std::size_t> waiting() const;
    // Asks for those that it does not know.
    void told_of(const std::vector<json::View>& agents);
    void finish_calls();
    void send_cancel(std::size_t request);
    std::string some_task();
    void drop(const std::string& agent);
    void answered(std::size_t id, const Request& request, json::View result);

    Server& server_;
    workflow_test::Random& random_;
    std::size_t last_ = 0;
    std::size_t given_up_ = 0;             // calls that may still wait
    std::map<std::size_t, Request> open_;  // by their ids
    std::map<std::string, std::size_t> tasks_;
    std::map<std::string, std::size_t> brought_by_;  // requests
    std::map<std::string, std::size_t> unsure_;      // tasks whose finish_task was cancelled
    std::set<std::string> disowned_;                 // agents whose tasks it says it has not read
    std::vector<std::string> past_;                  // agents whose tasks it had
    std::set<std::size_t> finished_;
};

}  // namespace mcp_model
