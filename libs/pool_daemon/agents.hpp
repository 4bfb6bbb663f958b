// The agents' side of the pool directory: what their files say, and the files that are written and removed
// for them (agent-protocol.txt, R11–R14). Decides nothing: it tells of events and is told what to do.
#pragma once

#include "pool_daemon/alarms.hpp"
#include "pool_daemon/leases.hpp"
#include "pool_daemon/pool_files.hpp"
#include "pool_protocol/messages.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace pool_daemon {

class Agents {
  public:
    struct Callbacks {
        std::function<void(const std::string& id)> on_ready;
        std::function<void(const std::string& id)> on_left;
        std::function<void(const std::string& id)>
            on_response;  // taken by take_response(), if it was awaited
    };

    Agents(const PoolFiles& files, Leases& leases, Alarms& alarms, std::size_t max_message_bytes,
           Callbacks callbacks);

    // ---- what was seen in agents/; seeing it twice is harmless ----
    // `found`: by looking through the directory, where an agent of an earlier daemon's time may be at work.
    enum class Seen { announced, found };
    void ready_written(const std::string& id, Seen seen);
    void ready_removed(const std::string& id);
    // After lost events: whose ready file is gone. `names`: what is in agents/ now.
    void look_for_departed(const std::unordered_set<std::string>& names);
    void response_written(const std::string& id);

    // ---- what is to be done ----
    enum class Handover { done, agent_is_dead, failed };
    // The lease is on record before the agent can see its task, and until its files are gone.
    Handover assign(pool_protocol::Lease lease, std::string_view content);
    Handover send_heartbeat(const std::string& id);
    void kick(const std::string& id,
              std::string_view reason);  // files go a moment later, so that it can be read
    void forget(const std::string& id);
    void forget_soon(const std::string& id);  // one that was kicked: it may be about to read so
    // It has a task, or a heartbeat to answer, from an earlier daemon's time.
    void recover(const std::string& id);
    void discard_response(const std::string& id);
    // Removes the files of those that were kicked now.
    void finish_kicks();
    bool knows(const std::string& id) const { return known_.contains(id); }
    bool kicks_pending() const { return !kicked_.empty(); }

    std::string take_response(const std::string& id);
    // What it said of why it can't do its task, with its name; empty if it said nothing.
    std::string trouble(const std::string& id) const;
    // Whether it has said that it leaves its task to time out, and how many have: nobody is at work there.
    bool has_given_up(const std::string& id) const;
    std::size_t given_up() const;
    // "agent claude-2"; by its id if it gave no name.
    std::string display_name(const std::string& id) const;
    std::string name(const std::string& id) const;  // as it gave it; empty if it gave none
    std::string name_or_id(const std::string& id) const;

  private:
    struct Known {
        std::string name;
        bool locked = false;
        bool has_task = false;
        bool complained_of = false;  // its response can't be used
        bool has_given_up = false;   // and keeps its task until the time is over
        std::string trouble;
        std::string response;
    };

    Handover hand_over(const std::string& id, std::string_view text,
                       std::optional<pool_protocol::Lease> lease);
    base::Result<void> put_task(const std::string& id, std::string_view text,
                                std::optional<pool_protocol::Lease> lease);
    void task_refused(const std::string& id, Known& agent, const pool_protocol::Ready& ready);
    std::string full_name(const std::string& id) const;
    void complain(const std::string& id, Known& agent, std::string_view about);
    void remove_files(const std::string& id);

    const PoolFiles& files_;
    Leases& leases_;
    Alarms& alarms_;
    std::size_t max_message_bytes_;
    Callbacks callbacks_;
    std::unordered_map<std::string, Known> known_;
    std::unordered_set<std::string> kicked_;  // told, files still there
};

}  // namespace pool_daemon
