// The agents' side of the pool directory: reads the files of agents, reports their content as events, and
// writes and removes the daemon's files for them. Makes no decisions.
#pragma once

#include "pool/machine.hpp"
#include "pool_daemon/agent_sessions.hpp"
#include "pool_daemon/leases.hpp"
#include "pool_daemon/pool_files.hpp"
#include "pool_daemon/timer_queue.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/names.hpp"
#include "pool_protocol/ready.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace pool_daemon {

class Agents {
  public:
    using AgentId = pool::AgentId;

    struct Callbacks {
        std::function<void(const AgentId& id, const pool_protocol::Ready& ready)> on_ready;
        std::function<void(const AgentId& id)> on_left;
        std::function<void(const AgentId& id)> on_died;  // at work; none of its processes is left
        std::function<void(const AgentId& id, pool_protocol::Release::Reason)> on_release;
        // If the response was expected, take_response() returns it.
        std::function<void(const AgentId& id)> on_response;
        std::function<void(const AgentId& id)> on_activity;  // activity() is another
        std::function<void(const AgentId& id)> on_rejected;  // its response is too large: last_error()
    };

    Agents(const PoolFiles& files, Leases& leases, TimerQueue& timers, const AgentSessions& sessions,
           std::size_t max_message_bytes, Callbacks callbacks);

    // ---- events in agents/, which may be reported twice ----
    // `scan`: found by a scan of the directory, where an agent may have a task of an earlier daemon.
    enum class Source { event, scan };
    void ready_written(const AgentId& id, Source source);
    void ready_removed(const AgentId& id);
    // To be called after lost events: reports the agents whose ready files are gone. `names`: the current
    // content of agents/.
    void find_departed(const std::unordered_set<std::string>& names);
    void response_written(const AgentId& id);
    // Reads the agent's response if there is one, even if no event has announced it yet.
    void check_response(const AgentId& id);
    // There is a schema or a report, which is removed if the agent is unknown: the agent was late, or an
    // earlier daemon was killed.
    void addition_found(const AgentId& id);

    // ---- events of the agents' sessions ----
    void released(const std::string& session, const pool_protocol::AgentRelease& release);
    void activity_told(const std::string& session, const pool_protocol::ActivityNotice& notice);
    // The process has connected, perhaps again: recalls that it may have missed are sent again.
    void session_begun(const std::string& session);
    // The connection has ended: the agents of the session whose locks are free have died.
    void session_ended(const std::string& session);

    // ---- commands ----
    enum class Handover { done, agent_is_dead, failed };
    // The lease is recorded before the agent can see its task, and until its files are removed. `schema`: of
    // the response, for an agent that wants it; may be empty.
    Handover assign(pool_protocol::Lease lease, std::string_view content, std::string_view schema);
    Handover send_heartbeat(const AgentId& id);
    // Tells the agent, and removes its files 500 ms later, so that it can read the message. `is_requested`:
    // by a person, which is logged already.
    void kick(const AgentId& id, pool::KickReason reason, bool is_requested);
    // Tells the agent to end its work. A release or a response will follow.
    void recall(const AgentId& id, pool::KickReason reason);
    void forget(const AgentId& id);
    void forget_soon(const AgentId& id);  // after 500 ms: it was kicked, and may be about to read that
    struct Found {
        pool_protocol::Ready ready;  // the content of its ready file
        bool seems_dead = false;     // its lock is free: on_died follows after the second check
    };
    // Takes over an agent that has a task or a heartbeat of an earlier daemon. `all_ended`: the processes of
    // that daemon's agents have ended, so a free lock means death at once.
    Found recover(const AgentId& id, bool all_ended);
    void discard_response(const AgentId& id);
    // Removes the files of kicked agents at once.
    void finish_kicks();
    bool knows(const AgentId& id) const { return known_.contains(id); }
    bool kicks_pending() const { return !kicked_.empty(); }

    std::string take_response(const AgentId& id);
    // The report of an agent that has responded; nothing if there is no valid one.
    std::optional<pool_protocol::AgentReport> report(const AgentId& id) const;
    // The report of an agent that has left its task without a response. If it died, that is what it had told
    // of its activity, and the kind of its program is "unknown".
    std::optional<pool_protocol::AgentReport> last_report(const AgentId& id) const;
    // What it does at its task; nothing if it has not told.
    std::optional<pool_protocol::AgentActivity> activity(const AgentId& id) const;
    // Why the agent cannot do its task, or why its response cannot be used, with the agent's name; empty if
    // there is no error.
    std::string last_error(const AgentId& id) const;
    // How it released its task; the default if it did not.
    pool_protocol::Release release(const AgentId& id) const;
    // "agent claude-2"; with its id if it has no name.
    std::string display_name(const AgentId& id) const;
    std::string name(const AgentId& id) const;  // as given by the agent; empty if it gave none
    std::string name_or_id(const AgentId& id) const;

    static constexpr std::size_t max_ready_bytes = 256 * 1024;
    // The time between two checks of the lock of an agent without a connection. The second time that the lock
    // is free, the agent is dead: its processes end within 2 s after it.
    static constexpr std::chrono::milliseconds lock_check_interval{2500};
    // The delay before a file is read or written again, after descriptors, memory or space were lacking.
    static constexpr std::chrono::milliseconds file_retry_delay{200};

  private:
    struct KnownAgent {
        std::string name;
        std::string session;  // may be empty
        bool locked = false;
        bool keeps_lock = false;
        bool wants_schema = false;
        bool reports = false;
        bool has_task = false;
        bool warned = false;         // that its response cannot be used
        bool lock_was_free = false;  // at the last check
        bool is_recovered = false;   // from an earlier daemon, which may have received its release
        std::optional<pool::KickReason> recalled;  // set when it was told to end its work
        std::string last_error;
        pool_protocol::Release release;
        std::string response;
        std::optional<pool_protocol::AgentReport> report;
        std::optional<pool_protocol::AgentActivity> activity;
    };

    bool is_gone(const AgentId& id, const KnownAgent& agent) const;
    // What is put into a task file, and beside it.
    struct TaskFiles {
        std::string_view text;
        std::optional<pool_protocol::Lease> lease = std::nullopt;
        std::string_view schema = {};
    };

    Handover hand_over(const AgentId& id, TaskFiles task);
    base::Result<void> put_task(const AgentId& id, TaskFiles task);
    std::optional<pool_protocol::AgentReport> read_report(const AgentId& id) const;
    void released(const AgentId& id, KnownAgent& agent, pool_protocol::Release release);
    void reject(const AgentId& id, KnownAgent& agent, std::string problem);
    bool needs_lock_watch(const KnownAgent& agent) const;
    void send_recall(const AgentId& id, const KnownAgent& agent);
    bool lock_is_free(const AgentId& id) const;
    void watch_locks(std::chrono::milliseconds delay);
    void check_locks();
    void report_death(const AgentId& id);
    std::string full_name(const AgentId& id) const;
    void warn_once(const AgentId& id, KnownAgent& agent, std::string_view about);
    void remove_file(const AgentId& id, pool_protocol::FileKind kind);
    void remove_additions(const AgentId& id);
    enum class Additions { possible, none };
    void remove_files(const AgentId& id, Additions additions = Additions::possible);

    const PoolFiles& files_;
    Leases& leases_;
    TimerQueue& timers_;
    const AgentSessions& sessions_;
    std::size_t max_message_bytes_;
    Callbacks callbacks_;
    bool watching_locks_ = false;
    std::unordered_map<AgentId, KnownAgent> known_;
    std::unordered_set<AgentId> kicked_;  // whose files are not removed yet
};

}  // namespace pool_daemon
