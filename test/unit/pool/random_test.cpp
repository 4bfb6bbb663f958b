// Random streams of events against a bookkeeper that knows the rules only from outside: each submission is
// answered exactly once or withdrawn, no agent and no submission is in two hands at a time, and no agent gets
// a submission whose labels it lacks.
#include "pool_events.hpp"
#include "seeds.hpp"

#include <algorithm>
#include <random>

namespace {

// One of the subsets of {"x", "y"}.
base::Labels subset(int number) {
    std::vector<std::string> texts;
    if (number % 2 == 1) texts.emplace_back("x");
    if (number / 2 % 2 == 1) texts.emplace_back("y");
    return *base::Labels::of(std::move(texts));
}

// Always the same for a submission, as if its submitter had repeated them: "s7" has both labels.
base::Labels labels_of(const SubmissionId& id) {
    int number = std::stoi(id.text().substr(1));
    return number < 6 ? base::Labels() : subset(number);
}

// The same: "s5" has 1.
std::int32_t priority_of(const SubmissionId& id) {
    return std::stoi(id.text().substr(1)) % 4 - 1;
}

class Bookkeeper {
  public:
    void attached(const AgentId& agent, const base::Labels& labels) { offered_[agent] = labels; }
    void submitted(const SubmissionId& id) { open_.insert(id); }
    void withdrawn(const SubmissionId& id) {
        open_.erase(id);
        let_go_of(id);
    }
    // It ends its work when it is told to: until it has, what it is at is in its hands.
    void ends_when_told(const AgentId& agent, bool ends) {
        if (ends)
            enders_.insert(agent);
        else
            enders_.erase(agent);
    }
    void assignment_failed(const AgentId& agent) { gone(agent); }
    void recovered(const AgentId& agent, const SubmissionId& id) {
        open_.insert(id);
        held_[agent] = id;
    }

    void operator()(const Assign& action) {
        REQUIRE(open_.contains(action.submission));
        REQUIRE_FALSE(held_.contains(action.agent));
        REQUIRE(offered_.at(action.agent).contain(labels_of(action.submission)));
        for (const auto& [agent, submission] : held_)
            REQUIRE(submission != action.submission);
        held_[action.agent] = action.submission;
    }
    void operator()(const Deliver& action) {
        REQUIRE(held_.at(action.agent) == action.submission);
        answered(action.submission);
    }
    void operator()(const Refuse& action) { answered(action.submission); }
    void operator()(const Kick& action) { gone(action.agent); }
    void operator()(const Recall& action) {
        REQUIRE(enders_.contains(action.agent));
        REQUIRE(recalled_.insert(action.agent).second);
    }
    void operator()(const Forget& action) { gone(action.agent); }
    void operator()(const SendHeartbeat& action) { REQUIRE_FALSE(held_.contains(action.agent)); }
    void operator()(const DiscardResponse&) {}
    void operator()(const ReportUnmatched& action) {
        REQUIRE(action.labels.contain(action.missing));
        to_tell_[action.labels] += action.tasks;
    }
    // Follows the report, or comes later for a single submission.
    void operator()(const TellUnmatched& action) {
        REQUIRE(open_.contains(action.submission));
        auto left = to_tell_.find(labels_of(action.submission));
        if (left != to_tell_.end() && --left->second == 0) to_tell_.erase(left);
    }

    bool all_told() const { return to_tell_.empty(); }
    std::size_t open() const { return open_.size(); }
    const std::map<AgentId, SubmissionId>& held() const { return held_; }

  private:
    void answered(const SubmissionId& id) {
        REQUIRE(open_.erase(id) == 1);
        let_go_of(id);
    }
    void let_go_of(const SubmissionId& id) {
        std::erase_if(held_,
                      [&](const auto& pair) { return pair.second == id && !enders_.contains(pair.first); });
    }
    void gone(const AgentId& agent) {
        held_.erase(agent);
        recalled_.erase(agent);
    }

    std::set<SubmissionId> open_;
    std::map<AgentId, SubmissionId> held_;
    std::set<AgentId> enders_;
    std::set<AgentId> recalled_;
    std::map<AgentId, base::Labels> offered_;
    std::map<base::Labels, std::size_t> to_tell_;  // the submissions of reports
};

bool fits_any(const base::Labels& needed, const State& state, bool idle_only) {
    return std::ranges::any_of(state.agents, [&](const auto& entry) {
        const Agent& agent = entry.second;
        return agent.labels.contain(needed) && (!idle_only || agent.state == AgentState::idle);
    });
}

// Work does not lie about while somebody who could do it waits for it; and what nobody could do is known.
void check_queue(const State& state) {
    std::set<base::Labels> unmatched;
    for (const auto& [id, submission] : state.submissions) {
        if (submission.agent) continue;
        if (!state.paused_until) REQUIRE_FALSE(fits_any(submission.labels, state, true));
        if (!submission.labels.empty() && !fits_any(submission.labels, state, false))
            unmatched.insert(submission.labels);
    }
    REQUIRE(unmatched.size() == state.unmatched.size());
    for (const auto& [labels, since] : state.unmatched)
        REQUIRE(unmatched.contains(labels));
}

// Nothing is forgotten: what is in the state waits in the queue, or for an agent that knows of it.
void check_consistency(const State& state) {
    std::size_t queued = 0;
    for (const auto& [id, submission] : state.submissions) {
        if (submission.agent)
            REQUIRE(state.agents.at(*submission.agent).submission == id);
        else
            REQUIRE(std::ranges::count(state.line.queued_with(submission.labels), id) == 1);
        queued += submission.agent ? 0 : 1;
    }
    REQUIRE(state.line.queued() == queued);
    REQUIRE(state.line.idle() == load(state).idle);
    check_queue(state);
    for (const auto& [id, agent] : state.ending) {
        REQUIRE(state.agents.at(agent).withdrawn == id);
        REQUIRE(state.agents.at(agent).state == AgentState::ending);
    }
    for (const auto& [deadline, agent] : state.deadlines)
        REQUIRE(state.agents.at(agent).deadline == deadline);
    const Statistics& counts = state.statistics;
    REQUIRE(counts.submitted + counts.recovered == counts.processed + counts.timed_out + counts.stopped +
                                                       counts.withdrawn + counts.failed +
                                                       state.submissions.size());
}

// What may happen at any time to an agent that is there, or not.
Event agents_event(const AgentId& agent, int which) {
    switch (which) {
        case 0:
            return AgentLeft{agent};
        case 1:
            return AgentDied{agent};
        case 2:
            return AgentFailed{agent};
        case 3:
            return AgentTimedOut{agent};
        case 4:
            return ResponseRejected{agent};
        default:
            return AgentResponded{agent};
    }
}

// A pool and what happens to it, chosen by chance.
class Sequence {
  public:
    explicit Sequence(unsigned seed) : random_(seed) {
        if (below(2) == 0) state_.config.idle_timeout = 50ms;
        if (below(2) == 0) state_.config.task_timeout = 80ms;
    }

    void run(int length);

  private:
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    AgentId any_agent() { return "a" + std::to_string(below(6)); }
    SubmissionId any_submission() { return "s" + std::to_string(below(12)); }
    void feed(const Event& event);
    void recover();
    void step();
    void agent_ready(const AgentId& agent);
    void submitted(const SubmissionId& id);
    void stop();

    std::mt19937 random_;
    State state_;
    Bookkeeper book_;
    Time now_{};
};

// Whatever is assigned now, no submission that its agent could take waits before it.
void check_order(const State& state, const Assign& assigned) {
    const base::Labels& offered = state.agents.at(assigned.agent).labels;
    for (const auto& [id, submission] : state.submissions)
        if (!submission.agent && offered.contain(submission.labels))
            REQUIRE_FALSE(submission.place < state.submissions.at(assigned.submission).place);
}

void Sequence::feed(const Event& event) {
    auto actions = apply(state_, event, now_);
    for (const Action& action : actions)
        std::visit(book_, action);
    for (const Assign& assigned : only<Assign>(actions))
        check_order(state_, assigned);
}

// What an earlier daemon has left; an agent or a submission may be named twice.
void Sequence::recover() {
    Recovered event{any_agent(), any_submission(), 30ms, now_ + 40ms};
    if (below(4) == 0) event.deadline.reset();
    event.ends_when_told = below(2) == 0;
    event.labels = labels_of(*event.submission);
    event.agent_labels = subset(3);
    event.priority = priority_of(*event.submission);
    if (!state_.agents.contains(event.agent)) {
        book_.ends_when_told(event.agent, event.ends_when_told);
        book_.attached(event.agent, event.agent_labels);
        if (!state_.submissions.contains(*event.submission)) book_.recovered(event.agent, *event.submission);
    }
    REQUIRE(apply(state_, event, now_).empty());
}

void Sequence::agent_ready(const AgentId& agent) {
    bool ends = below(2) == 0;
    base::Labels labels = subset(below(4));
    if (!state_.agents.contains(agent)) {
        book_.ends_when_told(agent, ends);
        book_.attached(agent, labels);
    }
    feed(AgentReady{agent, ends, labels});
}

void Sequence::submitted(const SubmissionId& id) {
    Submitted event{id, below(3) == 0 ? std::optional<Duration>(30ms) : std::nullopt};
    event.wants_failures = below(2) == 0;
    event.labels = labels_of(id);
    event.priority = priority_of(id);
    if (!state_.submissions.contains(id)) book_.submitted(id);
    feed(event);
}

void Sequence::step() {
    now_ += std::chrono::milliseconds(below(20));
    if (below(100) == 0) now_ += ending_time;
    if (below(100) == 0) now_ += unmatched_time;
    AgentId agent = any_agent();
    SubmissionId submission = any_submission();
    switch (below(11)) {
        case 0:
        case 1:
            return agent_ready(agent);
        case 2:
        case 3:
            return feed(agents_event(agent, below(8)));
        case 4:
            book_.assignment_failed(agent);
            return feed(AssignmentFailed{agent});
        case 5:
            return submitted(submission);
        case 6:
            book_.withdrawn(submission);
            return feed(Withdrawn{submission});
        case 7:
            return feed(KickRequested{agent});
        case 8:
            return feed(Cancelled{submission});
        case 9:
            return feed(below(2) == 0 ? Moved{submission, any_submission()}
                                      : Moved{submission, std::nullopt});
        default:
            return feed(TimePassed{});
    }
}

void Sequence::stop() {
    feed(Stopping{});
    REQUIRE(book_.open() == 0);
    REQUIRE(state_.agents.size() == load(state_).ending);
    feed(Stopping{});
    REQUIRE(state_.agents.empty());
    REQUIRE_FALSE(next_deadline(state_));
}

void Sequence::run(int length) {
    for (int left = below(4); left > 0; --left)
        recover();
    int drains_from = below(2) == 0 ? length : below(2 * length);
    for (int number = 0; number < length; ++number) {
        if (number == drains_from) feed(Draining{});
        step();
        REQUIRE(book_.open() == state_.submissions.size());
        check_consistency(state_);
        REQUIRE(book_.all_told());
        if (state_.closing) REQUIRE(state_.line.queued() == 0);
    }
    stop();
}

}  // namespace

TEST_CASE("random events never lose a submission, answer it twice or give it to two agents") {
    workflow_test::for_each_seed(workflow_test::scaled(2000, 300), {},
                                 [](std::uint32_t seed) { Sequence(seed).run(400); });
}
