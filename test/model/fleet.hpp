// Agents of every kind, played by the test: what they do in the pool's directory, and what they see there,
// told to the oracle. Those that wait hold a lock and say so, or are published ones that hold none.
// Ours keep the lock while they work, end their work when they are told to, and may belong to a process with
// a connection.
#pragma once

#include "agent_process.hpp"
#include "draw.hpp"
#include "io/directory.hpp"
#include "io/unique_fd.hpp"
#include "oracle.hpp"
#include "pool_protocol/kick_reason.hpp"
#include "story.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model {

class Fleet {
  public:
    Fleet(io::Directory agents, io::Directory scratch, std::string socket_path, Oracle& oracle, Story& story,
          sim::Draw& draw);

    // ---- operations ----
    void join();
    void join_for_anything();  // with all labels
    // A random agent does something that fits what it is at.
    void act(bool is_served);
    // What is due by now: who was told to end its work has done so, what the dead have left behind ends.
    void time_has_passed();

    // What has changed in the directory. `life`: what the daemon may do at the moment.
    enum class Daemon { serves, sends_heartbeats, closes };
    // True if an agent did something at once.
    bool look(Daemon daemon);
    // Nothing is left for the daemon to do: holds the agents to it.
    void quiet();
    void daemon_started();
    void daemon_ended();
    void order_is_lost();  // of those who wait
    // While it is, nobody can be told anything by file.
    void set_disk_full(bool is_full) { disk_is_full_ = is_full; }
    std::vector<base::Labels> waiting() const;  // their labels
    bool somebody_waits_for_anything() const;   // with all labels
    std::size_t size() const { return agents_.size(); }

    // ---- towards an end ----
    void finish_work();  // who is at something responds, who was kicked or is dead goes
    void go_home();      // who waits goes as well
    void read_kicks();   // who was kicked goes

  private:
    // dead: before it had a task; died: at work; told: to end its work, and it has not yet.
    enum class State { waiting, dead, working, heartbeat, responded, kicked, told, died, leaving };
    enum class Kind { published, locking, ours };  // published: holds no lock
    using Process = std::shared_ptr<AgentProcess>;
    struct Agent {
        std::string id;
        State state = State::waiting;
        io::UniqueFd lock;
        Kind kind = Kind::locking;
        base::Labels labels;
        Process process;  // none: its death shows by its lock only
        bool wants_schema = false;
        bool reports = false;
        bool has_session = false;  // its ready file names the process's connection
        std::string task;          // the submission that it has
        // It gets one at most, whose file may outlive it: with its process it may die before it answers.
        bool had_heartbeat = false;
        struct End {
            std::optional<Clock::time_point> told;       // to end its work, in active time
            std::uint64_t told_in = 0;                   // the daemon's life
            std::optional<Clock::time_point> ends;       // told: when it will have; none: never
            Clock::time_point freed{};                   // its lock, in active time
            std::uint64_t let_go_in = 0;                 // by its connection, in the daemon's life
            std::optional<Clock::time_point> work_ends;  // died: when nothing of it is at work any more
            bool is_by_connection = false;               // died: the daemon hears of it
            bool is_excused = false;                     // it could not be told
        } end;
        std::uint32_t texts = 0;  // responses written
        std::uint64_t ready_after = 0;
        std::optional<std::uint64_t> waiting_at;  // a quiet point
        struct Files {
            bool ready = false, task = false, response = false;
        } files;
    };

    void join(base::Labels labels);
    void join_ours(Agent& agent);
    std::string ready_text(const Agent& agent) const;
    Process some_process();
    void write_report(const Agent& agent);
    void check_schema(const Agent& agent) const;
    void connect_somebody();
    void act_waiting(Agent& agent);
    void act_ours(Agent& agent);
    void act_working(Agent& agent);
    void act_on_heartbeat(Agent& agent);
    void act_responded(Agent& agent);
    void act_kicked(Agent& agent);
    void respond(Agent& agent);
    void hand_back(Agent& agent);
    void let_go(Agent& agent, LetGo how);
    void die(Agent& agent);
    void dies(Agent& agent, Clock::time_point work_ends, bool is_by_connection);
    void told(Agent& agent, const pool_protocol::StatedKickReason& reason);
    void has_ended(Agent& agent);
    void ends_as_due(Agent& agent);
    void hear_kicks(const Process& process);
    void hear_kicks();
    std::string write_response(Agent& agent, std::string_view text);
    void remove(const Agent& agent, std::string_view suffix);

    void list_files();
    void look_at(Agent& agent, Daemon daemon);
    void look_at_task(Agent& agent);
    bool was_kicked(const Agent& agent) const;
    void was_given(Agent& agent, const std::string& text);
    void is_over(Agent& agent, Daemon daemon);
    static bool is_overdue(const Agent& agent);
    void check_end(const Agent& agent) const;
    void forget_departed();
    void quiet_ours(Agent& agent);
    void check_death_is_noticed(const Agent& agent) const;

    io::Directory directory_;
    io::Directory scratch_;
    std::string socket_path_;
    Oracle& oracle_;
    Story& story_;
    sim::Draw& draw_;
    bool acted_ = false;
    bool disk_is_full_ = false;
    std::vector<Agent> agents_;  // by number
    std::vector<Process> processes_;
    Clock::time_point life_began_{};  // active time
    std::uint64_t last_process_ = 0;
    std::uint64_t last_number_ = 0;
    struct Given {
        std::uint64_t ready_after = 0;
        base::Labels needed;
    };
    std::uint64_t last_given(const Agent& agent) const;
    std::vector<Given> given_lately_;  // since the last quiet point
};

}  // namespace model
