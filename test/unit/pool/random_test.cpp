// Random streams of events against a bookkeeper that knows the rules only from outside: each submission is
// answered exactly once or withdrawn, and no agent and no submission is in two hands at a time.
#include "pool/machine.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <random>

using namespace pool;
using namespace std::chrono_literals;

namespace {

class Bookkeeper {
  public:
    void submitted(const SubmissionId& id) { open_.insert(id); }
    void withdrawn(const SubmissionId& id) {
        open_.erase(id);
        std::erase_if(held_, [&](const auto& pair) { return pair.second == id; });
    }
    void released(const AgentId& agent) { held_.erase(agent); }
    void recovered(const AgentId& agent, const SubmissionId& id) {
        open_.insert(id);
        held_[agent] = id;
    }

    void operator()(const Assign& action) {
        REQUIRE(open_.contains(action.submission));
        REQUIRE_FALSE(held_.contains(action.agent));
        for (const auto& [agent, submission] : held_)
            REQUIRE(submission != action.submission);
        held_[action.agent] = action.submission;
    }
    void operator()(const Deliver& action) {
        REQUIRE(held_.at(action.agent) == action.submission);
        answered(action.submission);
    }
    void operator()(const Refuse& action) { answered(action.submission); }
    void operator()(const Kick& action) { held_.erase(action.agent); }
    void operator()(const Forget& action) { held_.erase(action.agent); }
    void operator()(const SendHeartbeat& action) { REQUIRE_FALSE(held_.contains(action.agent)); }
    void operator()(const DiscardResponse&) {}

    std::size_t open() const { return open_.size(); }
    const std::map<AgentId, SubmissionId>& held() const { return held_; }

  private:
    void answered(const SubmissionId& id) {
        REQUIRE(open_.erase(id) == 1);
        std::erase_if(held_, [&](const auto& pair) { return pair.second == id; });
    }

    std::set<SubmissionId> open_;
    std::map<AgentId, SubmissionId> held_;
};

void run_sequence(unsigned seed, int length) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    State state;
    if (below(2) == 0) state.config.idle_timeout = 50ms;
    if (below(2) == 0) state.config.task_timeout = 80ms;
    Bookkeeper book;
    Time now{};
    // What an earlier daemon has left; an agent or a submission may be named twice.
    for (int left = below(4); left > 0; --left) {
        Recovered event{"a" + std::to_string(below(6)), "s" + std::to_string(below(12)), 30ms, now + 40ms};
        if (below(4) == 0) event.deadline.reset();
        if (!state.agents.contains(event.agent) && !state.submissions.contains(*event.submission))
            book.recovered(event.agent, *event.submission);
        REQUIRE(apply(state, event, now).empty());
    }
    int drains_from = below(2) == 0 ? length : below(2 * length);
    auto feed = [&](const Event& event) {
        for (const Action& action : apply(state, event, now))
            std::visit(book, action);
    };
    for (int step = 0; step < length; ++step) {
        now += std::chrono::milliseconds(below(20));
        if (step == drains_from) feed(Draining{});
        std::string agent = "a" + std::to_string(below(6));
        std::string submission = "s" + std::to_string(below(12));
        switch (below(8)) {
            case 0:
            case 1:
                feed(AgentReady{agent});
                break;
            case 2:
                feed(AgentLeft{agent});
                break;
            case 3:
                feed(AgentResponded{agent});
                break;
            case 4:
                book.released(agent);  // a failed assignment is none
                feed(AssignmentFailed{agent});
                break;
            case 5:
                if (!state.submissions.contains(submission)) book.submitted(submission);
                feed(Submitted{submission, below(3) == 0 ? std::optional<Duration>(30ms) : std::nullopt});
                break;
            case 6:
                book.withdrawn(submission);
                feed(Withdrawn{submission});
                break;
            default:
                feed(TimePassed{});
                break;
        }
        REQUIRE(book.open() == state.submissions.size());
        const Statistics& counts = state.statistics;
        REQUIRE(counts.submitted + counts.recovered ==
                counts.processed + counts.timed_out + counts.stopped + counts.withdrawn + book.open());
        // Work does not lie about while somebody waits for it.
        if (!state.paused_until) REQUIRE((state.idle.empty() || state.queue.empty()));
        if (state.closing) REQUIRE(state.queue.empty());
    }
    feed(Stopping{});
    REQUIRE(book.open() == 0);
}

}  // namespace

TEST_CASE("random events never lose a submission, answer it twice or give it to two agents") {
    const char* chosen = std::getenv("BARNUM_TEST_SEED");
    if (chosen != nullptr) return run_sequence(static_cast<unsigned>(std::strtoul(chosen, nullptr, 10)), 400);
    for (unsigned seed = 0; seed < 2000; ++seed)
        run_sequence(seed, 400);
}
