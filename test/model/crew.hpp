// Agents of every kind, played by the test: what they do in the pool's directory, and what they see there,
// told to the oracle. Those that wait hold a lock and say so, or are published ones that hold none (R12).
#pragma once

#include "draw.hpp"
#include "io/directory.hpp"
#include "io/unique_fd.hpp"
#include "oracle.hpp"
#include "story.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model {

class Crew {
  public:
    Crew(io::Directory agents, io::Directory scratch, Oracle& oracle, Story& story, sim::Draw& draw);

    // ---- operations ----
    void join();
    // A random agent does something that fits what it is at.
    void act();

    // What has changed in the directory. `life`: what the daemon may do at the moment.
    enum class Daemon { serves, sends_heartbeats, closes };
    // True if an agent did something at once.
    bool look(Daemon daemon);
    // Nothing is left for the daemon to do: holds the agents to it.
    void quiet();
    void daemon_ended();
    bool somebody_waits() const;
    std::size_t size() const { return agents_.size(); }

    // ---- towards an end ----
    void finish_work();  // who is at something responds, who was kicked or is dead goes
    void go_home();      // who waits goes as well
    void read_kicks();   // who was kicked goes

  private:
    enum class Phase { waiting, dead, working, heartbeat, responded, kicked, leaving };
    struct Agent {
        std::string id;
        Phase phase = Phase::waiting;
        io::UniqueFd lock;
        bool is_published = false;  // holds no lock
        std::string task;           // the submission that it has
        std::uint32_t texts = 0;    // responses written
        std::uint64_t ready_after = 0;
        std::optional<std::uint64_t> waiting_at;  // a quiet point
        struct Files {
            bool ready = false, task = false, response = false;
        } files;
    };

    void act_waiting(Agent& agent);
    void act_working(Agent& agent);
    void act_on_heartbeat(Agent& agent);
    void act_responded(Agent& agent);
    void act_kicked(Agent& agent);
    void respond(Agent& agent);
    void hand_back(Agent& agent);
    std::string write_response(Agent& agent, std::string_view text);
    void remove(const Agent& agent, std::string_view suffix);

    void list_files();
    void look_at(Agent& agent, Daemon daemon);
    void look_at_task(Agent& agent);
    bool was_kicked(const Agent& agent) const;
    void was_given(Agent& agent, const std::string& text);
    void is_over(Agent& agent, Daemon daemon);

    io::Directory directory_;
    io::Directory scratch_;
    Oracle& oracle_;
    Story& story_;
    sim::Draw& draw_;
    bool acted_ = false;
    std::vector<Agent> agents_;  // by number
    std::uint64_t last_number_ = 0;
    std::uint64_t last_given_ = 0;  // ready_after of who was given something since the last quiet point
};

}  // namespace model
