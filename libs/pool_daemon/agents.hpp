// The agents' side of the pool directory: what their files say, and the files that are written and removed
// for them (agent-protocol.txt, R11–R14). Decides nothing: it tells of events and is told what to do.
#pragma once

#include "pool_daemon/agent_sessions.hpp"
#include "pool_daemon/alarms.hpp"
#include "pool_daemon/leases.hpp"
#include "pool_daemon/pool_files.hpp"
#include "pool_protocol/ready.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace pool_daemon {

// Between two looks at the lock of an agent without a connection. A free lock counts at the second look: what
// the agent has started is ended within 2 s of its death.
inline constexpr std::chrono::milliseconds lock_look{2500};

class Agents {
  public:
    struct Callbacks {
        std::function<void(const std::string& id, const pool_protocol::Ready& ready)> on_ready;
        std::function<void(const std::string& id)> on_left;
        std::function<void(const std::string& id)> on_died;  // at work, and nothing of it lives any more
        std::function<void(const std::string& id, pool_protocol::Release::Reason)> on_release;
        std::function<void(const std::string& id)>
            on_response;  // taken by take_response(), if it was awaited
        std::function<void(const std::string& id)> on_rejected;  // its response is too large: trouble()
    };

    Agents(const PoolFiles& files, Leases& leases, Alarms& alarms, const AgentSessions& sessions,
           std::size_t max_message_bytes, Callbacks callbacks);

    // ---- what was seen in agents/; seeing it twice is harmless ----
    // `found`: by looking through the directory, where an agent of an earlier daemon's time may be at work.
    enum class Seen { announced, found };
    void ready_written(const std::string& id, Seen seen);
    void ready_removed(const std::string& id);
    // After lost events: whose ready file is gone. `names`: what is in agents/ now.
    void look_for_departed(const std::unordered_set<std::string>& names);
    void response_written(const std::string& id);
    // Whether its response is there already, though nobody has told of it yet; then it is taken in.
    void look_for_response(const std::string& id);

    // ---- what was told by an agent's process ----
    void released(const std::string& session, const pool_protocol::AgentRelease& release);
    // The process is connected, perhaps again: what it may not have heard is told again.
    void session_begun(const std::string& session);
    // The connection has ended: agents of the session whose locks are free have died.
    void session_ended(const std::string& session);

    // ---- what is to be done ----
    enum class Handover { done, agent_is_dead, failed };
    // The lease is on record before the agent can see its task, and until its files are gone.
    Handover assign(pool_protocol::Lease lease, std::string_view content);
    Handover send_heartbeat(const std::string& id);
    void kick(const std::string& id,
              std::string_view reason);  // files go a moment later, so that it can be read
    // It is to end its work, and will be heard of again.
    void recall(const std::string& id, std::string_view reason);
    void forget(const std::string& id);
    void forget_soon(const std::string& id);  // one that was kicked: it may be about to read so
    struct Found {
        pool_protocol::Ready ready;  // what it says of itself
        bool seems_dead = false;     // its lock is free: it is told of as dead after the second look
    };
    // It has a task, or a heartbeat to answer, from an earlier daemon's time.
    // `all_ended`: what agents of that time had started has ended by now, so that a free lock counts at once.
    Found recover(const std::string& id, bool all_ended);
    void discard_response(const std::string& id);
    // Removes the files of those that were kicked now.
    void finish_kicks();
    bool knows(const std::string& id) const { return known_.contains(id); }
    bool kicks_pending() const { return !kicked_.empty(); }

    std::string take_response(const std::string& id);
    // Why it can't do its task, or why its response can't be used, with its name; empty if it said nothing.
    std::string trouble(const std::string& id) const;
    // How it let go of its task; the default if it didn't.
    pool_protocol::Release release(const std::string& id) const;
    // "agent claude-2"; by its id if it gave no name.
    std::string display_name(const std::string& id) const;
    std::string name(const std::string& id) const;  // as it gave it; empty if it gave none
    std::string name_or_id(const std::string& id) const;

  private:
    struct Known {
        std::string name;
        std::string session;  // may be empty
        bool locked = false;
        bool keeps_lock = false;
        bool has_task = false;
        bool complained_of = false;  // its response can't be used
        bool lock_was_free = false;  // when it was last looked at
        bool is_recovered = false;   // from an earlier daemon, which may have heard that it let go
        std::string recalled;        // the reason, once it was told to end
        std::string trouble;
        pool_protocol::Release release;
        std::string response;
    };

    Handover hand_over(const std::string& id, std::string_view text,
                       std::optional<pool_protocol::Lease> lease);
    base::Result<void> put_task(const std::string& id, std::string_view text,
                                std::optional<pool_protocol::Lease> lease);
    void released(const std::string& id, Known& agent, pool_protocol::Release release);
    void reject(const std::string& id, Known& agent, std::string problem);
    bool needs_lock_watch(const Known& agent) const;
    void tell_recall(const std::string& id, const Known& agent);
    bool lock_is_free(const std::string& id) const;
    void watch_locks(std::chrono::milliseconds delay);
    void look_at_locks();
    void seems_dead(const std::string& id);
    std::string full_name(const std::string& id) const;
    void complain(const std::string& id, Known& agent, std::string_view about);
    void remove_files(const std::string& id);

    const PoolFiles& files_;
    Leases& leases_;
    Alarms& alarms_;
    const AgentSessions& sessions_;
    std::size_t max_message_bytes_;
    Callbacks callbacks_;
    bool watching_locks_ = false;
    std::unordered_map<std::string, Known> known_;
    std::unordered_set<std::string> kicked_;  // told, files still there
};

}  // namespace pool_daemon
