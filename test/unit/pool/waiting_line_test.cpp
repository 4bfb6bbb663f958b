#include "pool/waiting_line.hpp"

#include "seeds.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

using base::Labels;
using namespace pool;

namespace {

Labels labels(std::vector<std::string> texts) {
    return *Labels::of(std::move(texts));
}

const Labels none;
const Labels x = labels({"x"});
const Labels y = labels({"y"});
const Labels xy = labels({"x", "y"});

WaitingLine::Place at(std::int64_t turn, std::int32_t priority = 0) {
    return {priority, turn};
}

// "agent submission", or "" if there is no match.
std::string next(WaitingLine& line) {
    auto match = line.take_match();
    return match ? match->agent.text() + " " + match->submission.text() : "";
}

void attach_idle(WaitingLine& line, const Labels& offered, WaitingLine::AgentTurn turn,
                 const AgentId& agent) {
    line.attach(offered);
    line.add_idle(offered, turn, agent);
}

}  // namespace

TEST_CASE("the submission and the agent that have waited longest are the first match") {
    WaitingLine line;
    attach_idle(line, none, 2, "b");
    attach_idle(line, none, 1, "a");
    line.add_queued(none, at(5), "second");
    line.add_queued(none, at(-1), "first");
    line.add_queued(none, at(6), "third");
    CHECK(next(line) == "a first");
    CHECK(next(line) == "b second");
    CHECK(next(line) == "");
    CHECK(line.queued() == 1);
    CHECK(line.idle() == 0);
}

TEST_CASE("the highest priority is the first, before those that have waited longer") {
    WaitingLine line;
    line.add_queued(none, at(1, -5), "low");
    line.add_queued(x, at(2, 7), "not mine");
    line.add_queued(none, at(3), "second");
    line.add_queued(none, at(4, 2), "first");
    line.add_queued(none, at(-1), "handed back");
    CHECK(line.first_queued()->submission == "not mine");
    attach_idle(line, none, 1, "a");
    CHECK(next(line) == "a first");
    line.remove_queued(none, at(3));
    attach_idle(line, y, 2, "b");
    CHECK(next(line) == "b handed back");
    attach_idle(line, xy, 3, "c");
    attach_idle(line, xy, 4, "d");
    CHECK(next(line) == "c not mine");
    CHECK(next(line) == "d low");
    CHECK(line.queued() == 0);
}

TEST_CASE("a submission goes only to an agent that has all of its labels") {
    WaitingLine line;
    line.add_queued(xy, at(1), "both");
    line.add_queued(x, at(2), "one");
    line.add_queued(none, at(3), "any");
    attach_idle(line, y, 1, "wrong");
    CHECK(next(line) == "wrong any");
    CHECK(next(line) == "");
    attach_idle(line, x, 2, "x");
    CHECK(next(line) == "x one");
    attach_idle(line, xy, 3, "xy");
    CHECK(next(line) == "xy both");
}

TEST_CASE("an agent with labels takes the first submission that it fits, with or without labels") {
    WaitingLine line;
    line.add_queued(y, at(1), "not mine");
    line.add_queued(none, at(2), "anybody's");
    line.add_queued(x, at(3), "mine");
    attach_idle(line, x, 1, "a");
    attach_idle(line, x, 2, "b");
    CHECK(next(line) == "a anybody's");
    CHECK(next(line) == "b mine");
}

TEST_CASE("of agents with different labels that fit, the one that has waited longest comes first") {
    WaitingLine line;
    attach_idle(line, xy, 1, "xy");
    attach_idle(line, none, 2, "none");
    attach_idle(line, x, 3, "x");
    line.add_queued(none, at(1), "1");
    line.add_queued(x, at(2), "2");
    CHECK(next(line) == "xy 1");
    CHECK(next(line) == "x 2");
}

TEST_CASE("groups go with their last member and come back") {
    WaitingLine line;
    for (int round = 0; round < 2; ++round) {
        line.add_queued(x, at(1), "s");
        attach_idle(line, x, 1, "a");
        line.remove_queued(x, at(1));
        line.add_queued(x, at(2), "t");
        line.remove_idle(x, 1);
        CHECK(next(line) == "");
        line.add_idle(x, 2, "a");
        line.remove_idle(x, 2);
        line.detach(x);
        CHECK(line.is_unmatched(x));
        line.remove_queued(x, at(2));
        CHECK_FALSE(line.is_unmatched(x));
    }
    CHECK(line.queued() == 0);
    CHECK(line.idle() == 0);
}

TEST_CASE("submissions are unmatched while no attached agent has all of their labels, idle or not") {
    WaitingLine line;
    line.add_queued(xy, at(1), "s");
    line.attach(x);
    CHECK(line.is_unmatched(xy));
    CHECK(line.missing(xy) == y);
    line.attach(y);
    CHECK(line.is_unmatched(xy));
    CHECK(line.missing(xy) == none);
    line.add_queued(x, at(2), "t");
    REQUIRE(line.unmatched().size() == 1);
    CHECK(*line.unmatched().front() == xy);
    line.attach(xy);
    CHECK(line.unmatched().empty());
    line.detach(xy);
    CHECK(line.is_unmatched(xy));
}

TEST_CASE("the whole queue is taken in its order") {
    WaitingLine line;
    line.add_queued(none, at(2), "b");
    line.add_queued(x, at(1), "a");
    line.add_queued(x, at(3), "c");
    CHECK(line.first_queued()->submission == "a");
    CHECK(line.queued_with(x) == std::vector<SubmissionId>{"a", "c"});
    CHECK(line.count_queued_with(x) == 2);
    auto all = line.take_queue();
    REQUIRE(all.size() == 3);
    CHECK(all[0].submission == "a");
    CHECK(all[1].submission == "b");
    CHECK(all[2].submission == "c");
    CHECK(line.queued() == 0);
    CHECK_FALSE(line.first_queued());
}

namespace {

struct Member {
    Labels labels;
    std::int64_t turn;
    bool is_idle;
    std::int32_t priority = 0;
};

bool is_earlier(const Member& a, const Member& b) {
    return std::pair(-a.priority, a.turn) < std::pair(-b.priority, b.turn);
}

// The same as WaitingLine in the simplest way: all members, looked through each time.
struct PlainLine {
    std::vector<Member> agents;
    std::vector<Member> queue;

    bool has_fitting(const Labels& needed, bool idle_only) const {
        return std::ranges::any_of(agents, [&](const Member& agent) {
            return agent.labels.contain(needed) && (agent.is_idle || !idle_only);
        });
    }
    std::string take_match() {
        std::ranges::sort(agents, is_earlier);
        std::ranges::sort(queue, is_earlier);
        for (auto task = queue.begin(); task != queue.end(); ++task)
            for (Member& agent : agents) {
                if (!agent.is_idle || !agent.labels.contain(task->labels)) continue;
                agent.is_idle = false;
                std::string match = std::to_string(agent.turn) + " " + std::to_string(task->turn);
                queue.erase(task);
                return match;
            }
        return "";
    }
};

// Both lines, with the same random changes.
class Comparison {
  public:
    explicit Comparison(unsigned seed) : random_(seed) {}

    void step() {
        switch (below(6)) {
            case 0:
            case 1:
                return attach();
            case 2:
            case 3:
                return submit();
            case 4:
                return leave();
            default:
                REQUIRE(next(line_) == plain_.take_match());
        }
    }
    void check() const {
        REQUIRE(line_.queued() == plain_.queue.size());
        for (const Labels& needed : {none, x, y, xy}) {
            bool is_queued =
                std::ranges::any_of(plain_.queue, [&](const Member& task) { return task.labels == needed; });
            REQUIRE(line_.is_unmatched(needed) == (is_queued && !plain_.has_fitting(needed, false)));
        }
    }

  private:
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    const Labels& any() {
        static const Labels* const all[] = {&none, &x, &y, &xy};
        return *all[below(4)];
    }
    void attach() {
        Member agent{any(), ++turn_, true};
        attach_idle(line_, agent.labels, static_cast<std::uint64_t>(agent.turn), std::to_string(agent.turn));
        plain_.agents.push_back(std::move(agent));
    }
    void submit() {
        Member task{any(), below(3) == 0 ? -++turn_ : ++turn_, false, below(3) - 1};
        line_.add_queued(task.labels, at(task.turn, task.priority), std::to_string(task.turn));
        plain_.queue.push_back(std::move(task));
    }
    void leave() {
        bool is_agent = below(2) == 0;
        std::vector<Member>& members = is_agent ? plain_.agents : plain_.queue;
        if (members.empty()) return;
        auto member = members.begin() + below(static_cast<int>(members.size()));
        if (!is_agent) line_.remove_queued(member->labels, at(member->turn, member->priority));
        if (is_agent && member->is_idle)
            line_.remove_idle(member->labels, static_cast<std::uint64_t>(member->turn));
        if (is_agent) line_.detach(member->labels);
        members.erase(member);
    }

    std::mt19937 random_;
    WaitingLine line_;
    PlainLine plain_;
    std::int64_t turn_ = 0;
};

}  // namespace

TEST_CASE("a line behaves like one that looks through all members each time") {
    workflow_test::for_each_seed(200, {}, [](std::uint32_t seed) {
        Comparison comparison(seed);
        for (int step = 0; step < 200; ++step) {
            comparison.step();
            comparison.check();
        }
    });
}

TEST_CASE("idle agents are counted by their labels, and all queued submissions are listed") {
    WaitingLine line;
    CHECK(line.idle_groups().empty());
    CHECK(line.all_queued().empty());
    for (const Labels& labels : {none, x, x})
        line.attach(labels);
    line.add_idle(x, 1, "a");
    line.add_idle(none, 2, "b");
    line.add_idle(x, 3, "c");
    auto groups = line.idle_groups();
    REQUIRE(groups.size() == 2);
    CHECK(groups[0].labels == none);
    CHECK(groups[0].count == 1);
    CHECK(groups[1].labels == x);
    CHECK(groups[1].count == 2);
    line.remove_idle(none, 2);
    CHECK(line.idle_groups().size() == 1);
    line.add_queued(xy, at(1), "s");
    line.add_queued(none, at(2), "t");
    auto queued = line.all_queued();
    std::ranges::sort(queued);
    CHECK(queued == std::vector<SubmissionId>{"s", "t"});
}

TEST_CASE("agents of the kind shell get commands and nothing else, and nobody else gets these") {
    const Labels shell = *none.with_shell_label();
    WaitingLine line;
    attach_idle(line, shell, 1, "shell");
    line.add_queued(none, at(1), "task");
    CHECK(next(line) == "");
    CHECK(line.is_unmatched(none));
    line.add_queued(shell, at(2), "command");
    CHECK(next(line) == "shell command");
    line.add_queued(shell, at(3), "another");
    attach_idle(line, x, 2, "x");
    CHECK_FALSE(line.is_unmatched(none));
    CHECK(next(line) == "x task");
    attach_idle(line, x, 3, "x");
    CHECK(next(line) == "");
    line.add_idle(shell, 4, "shell");
    CHECK(next(line) == "shell another");
}
