// Labels: who gets which submission, and what is said of submissions that no agent could take.
#include "pool_events.hpp"

namespace {

base::Labels labels(std::vector<std::string> texts) {
    return *base::Labels::of(std::move(texts));
}

const base::Labels gpu = labels({"gpu"});
const base::Labels big_gpu = labels({"big", "gpu"});

AgentReady agent(const AgentId& id, const base::Labels& offered = {}) {
    return {id, false, offered};
}

Submitted task(const SubmissionId& id, const base::Labels& needed = {}) {
    return {id, std::nullopt, false, needed};
}

std::vector<SubmissionId> told(const std::vector<Action>& actions) {
    std::vector<SubmissionId> ids;
    for (const TellUnmatched& action : only<TellUnmatched>(actions))
        ids.push_back(action.submission);
    return ids;
}

}  // namespace

TEST_CASE(
    "a submission with labels waits for an agent that has them all, and is passed by others meanwhile") {
    State state;
    apply(state, agent("plain"), start);
    CHECK(only<Assign>(apply(state, task("needs gpu", gpu), start)).empty());
    CHECK(assigned_to(apply(state, task("any"), start), "plain") == "any");
    CHECK(assigned_to(apply(state, agent("gpu", big_gpu), start), "gpu") == "needs gpu");
    CHECK(is_drained(state) == false);
}

TEST_CASE("a submission that was handed back goes only to an agent that fits") {
    State state;
    apply(state, agent("gpu-1", gpu), start);
    apply(state, task("s", gpu), start);
    apply(state, agent("plain"), start);
    CHECK(only<Assign>(apply(state, AgentLeft{"gpu-1"}, start)).empty());
    CHECK(assigned_to(apply(state, agent("gpu-2", gpu), start), "gpu-2") == "s");
}

TEST_CASE("a submission keeps its position if its agent was gone before it could get it") {
    State state;
    apply(state, task("1", gpu), start);
    apply(state, task("2"), start);
    CHECK(assigned_to(apply(state, agent("plain"), start), "plain") == "2");
    apply(state, AgentLeft{"plain", true}, start);
    CHECK(assigned_to(apply(state, agent("gpu", gpu), start), "gpu") == "1");
}

TEST_CASE("a submission that was handed back passes an earlier one, which its agent did not fit") {
    State state;
    apply(state, task("1", gpu), start);
    apply(state, task("2"), start);
    apply(state, agent("plain"), start);
    apply(state, AgentLeft{"plain"}, start);
    CHECK(assigned_to(apply(state, agent("gpu", gpu), start), "gpu") == "2");
}

TEST_CASE("a recovered submission keeps its labels, and a recovered agent its own") {
    State state;
    Recovered event{"gpu-1", "s", std::nullopt, std::nullopt};
    event.labels = gpu;
    event.agent_labels = gpu;
    apply(state, event, start);
    apply(state, agent("plain"), start);
    CHECK(only<Assign>(apply(state, AgentFailed{"gpu-1"}, start)).empty());
    REQUIRE(state.unmatched.contains(gpu));

    Recovered heartbeat{"gpu-2", std::nullopt, std::nullopt, std::nullopt};
    heartbeat.agent_labels = gpu;
    apply(state, heartbeat, start);
    CHECK(state.unmatched.empty());
    CHECK(assigned_to(apply(state, AssignmentFailed{"gpu-2"}, start), "gpu-2") == "");
    CHECK(assigned_to(apply(state, TimePassed{}, start + 10s), "gpu-2") == "s");
}

TEST_CASE("submissions that no attached agent could take for 30 s are reported, with the missing labels") {
    State state;
    apply(state, agent("plain"), start);
    apply(state, agent("gpu", gpu), start);
    apply(state, task("for gpu", gpu), start);
    apply(state, task("1", big_gpu), start + 1s);
    apply(state, task("2", big_gpu), start + 2s);
    CHECK(next_deadline(state) == start + 31s);
    CHECK(only<ReportUnmatched>(apply(state, TimePassed{}, start + 30s)).empty());
    auto actions = apply(state, TimePassed{}, start + 31s);
    auto reports = only<ReportUnmatched>(actions);
    REQUIRE(reports.size() == 1);
    CHECK(reports[0].labels == big_gpu);
    CHECK(reports[0].missing == labels({"big"}));
    CHECK(reports[0].tasks == 2);
    CHECK(told(actions) == std::vector<SubmissionId>{"1", "2"});
    CHECK_FALSE(next_deadline(state));
    CHECK(apply(state, TimePassed{}, start + 100s).empty());
}

TEST_CASE("a submission that joins unmatched ones is told at once, without another report") {
    State state;
    apply(state, task("1", gpu), start);
    apply(state, TimePassed{}, start + 30s);
    auto actions = apply(state, task("2", gpu), start + 40s);
    CHECK(only<ReportUnmatched>(actions).empty());
    CHECK(told(actions) == std::vector<SubmissionId>{"2"});
    CHECK(told(apply(state, task("3"), start + 40s)).empty());
}

TEST_CASE("an agent that fits, though busy, ends the wait for one; when it leaves, 30 s begin anew") {
    State state;
    apply(state, task("1", gpu), start);
    apply(state, task("2", gpu), start);
    apply(state, agent("gpu", gpu), start + 10s);
    CHECK(state.unmatched.empty());
    CHECK_FALSE(next_deadline(state));
    apply(state, AgentResponded{"gpu"}, start + 20s);
    CHECK(next_deadline(state) == start + 50s);
    CHECK(told(apply(state, TimePassed{}, start + 50s)) == std::vector<SubmissionId>{"2"});
    apply(state, agent("gpu", gpu), start + 60s);
    apply(state, AgentDied{"gpu"}, start + 61s);
    CHECK(told(apply(state, TimePassed{}, start + 91s)) == std::vector<SubmissionId>{"2"});
}

TEST_CASE("labels that only several agents together have are not missing, but are reported") {
    State state;
    apply(state, agent("a", gpu), start);
    apply(state, agent("b", labels({"big"})), start);
    apply(state, task("s", big_gpu), start);
    auto reports = only<ReportUnmatched>(apply(state, TimePassed{}, start + 30s));
    REQUIRE(reports.size() == 1);
    CHECK(reports[0].missing.empty());
}

TEST_CASE("nothing is reported of submissions without labels, withdrawn ones, or when the pool drains") {
    State state;
    apply(state, task("any"), start);
    apply(state, task("s", gpu), start);
    apply(state, Withdrawn{"s"}, start);
    CHECK_FALSE(next_deadline(state));
    apply(state, task("t", gpu), start);
    apply(state, Draining{}, start + 1s);
    CHECK_FALSE(next_deadline(state));
    CHECK(apply(state, TimePassed{}, start + 60s).empty());
}
