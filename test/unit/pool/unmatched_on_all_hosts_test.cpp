#include "pool/unmatched_on_all_hosts.hpp"

#include <catch2/catch.hpp>

using namespace std::chrono_literals;
using base::Labels;
using pool::SubmissionId;
using pool::UnmatchedOnAllHosts;

namespace {

Labels labels(std::vector<std::string> texts) {
    return *Labels::of(std::move(texts));
}

pool::Time at(std::chrono::seconds time) {
    return pool::Time(time);
}

const std::vector<Labels> writers{labels({"writer"})};
const UnmatchedOnAllHosts::Waiting one{{SubmissionId("t"), labels({"gpu"})}};

// It waits since 0 s, and no agent has its labels: reported at 40 s.
UnmatchedOnAllHosts reported() {
    UnmatchedOnAllHosts hosts;
    hosts.look(one, at(0s));
    hosts.answered(one, writers, at(30s));
    auto found = hosts.answered(one, writers, at(40s));
    REQUIRE(found.reports.size() == 1);
    CHECK(found.reports[0].labels == labels({"gpu"}));
    CHECK(found.reports[0].missing == labels({"gpu"}));
    CHECK(found.reports[0].tasks == 1);
    REQUIRE(found.tells.size() == 1);
    CHECK(found.tells[0].submission == SubmissionId("t"));
    CHECK(found.tells[0].missing == labels({"gpu"}));
    return hosts;
}

bool is_empty(const UnmatchedOnAllHosts::Findings& found) {
    return found.reports.empty() && found.tells.empty();
}

}  // namespace

TEST_CASE("hosts are asked once tasks have waited for half a minute, and once more before it is reported") {
    UnmatchedOnAllHosts hosts;
    CHECK_FALSE(hosts.wants_to_ask(at(1000s)));
    hosts.look(one, at(0s));
    CHECK_FALSE(hosts.wants_to_ask(at(29s)));
    REQUIRE(hosts.wants_to_ask(at(30s)));
    CHECK(is_empty(hosts.answered(one, writers, at(30s))));
    CHECK_FALSE(hosts.wants_to_ask(at(39s)));
    REQUIRE(hosts.wants_to_ask(at(40s)));
    CHECK(hosts.unmatched().empty());
    CHECK(hosts.answered(one, writers, at(40s)).reports.size() == 1);
    REQUIRE(hosts.unmatched().size() == 1);
    CHECK(hosts.unmatched()[0].since == at(0s));
    CHECK(hosts.unmatched()[0].tasks == 1);
}

TEST_CASE("an agent that fits, wherever it is, ends it; the next lack is reported anew") {
    UnmatchedOnAllHosts hosts = reported();
    CHECK(is_empty(hosts.answered(one, std::vector{labels({"big", "gpu"})}, at(70s))));
    CHECK(hosts.unmatched().empty());
    CHECK_FALSE(hosts.wants_to_ask(at(99s)));
    hosts.answered(one, writers, at(100s));
    CHECK(hosts.answered(one, writers, at(110s)).reports.size() == 1);
    CHECK(hosts.unmatched()[0].since == at(70s));
}

TEST_CASE("an agent of which somebody has heard ends it at once") {
    UnmatchedOnAllHosts hosts = reported();
    hosts.known(writers, at(50s));
    CHECK(hosts.unmatched().size() == 1);
    hosts.known({labels({"gpu"})}, at(50s));
    CHECK(hosts.unmatched().empty());
    CHECK_FALSE(hosts.wants_to_ask(at(79s)));
    CHECK(hosts.wants_to_ask(at(80s)));
}

TEST_CASE("an answer of the hosts also counts for labels for which it is not yet time to ask") {
    UnmatchedOnAllHosts hosts = reported();
    auto two = one;
    two.emplace(SubmissionId("u"), labels({"big"}));
    hosts.look(two, at(36s));
    CHECK(is_empty(hosts.answered(two, std::vector{labels({"gpu"})}, at(66s))));
    CHECK(hosts.unmatched().empty());
}

TEST_CASE("hosts are asked less and less often, but at least every ten minutes") {
    UnmatchedOnAllHosts hosts = reported();
    auto now = at(40s);
    for (auto pause : {30s, 60s, 120s, 240s, 480s, 600s, 600s}) {
        CHECK_FALSE(hosts.wants_to_ask(now + pause - 1s));
        now += pause;
        REQUIRE(hosts.wants_to_ask(now));
        CHECK(is_empty(hosts.answered(one, writers, now)));
    }
}

TEST_CASE("for a task that joins unmatched ones hosts are asked again, and it is told once") {
    UnmatchedOnAllHosts hosts = reported();
    hosts.answered(one, writers, at(70s));
    auto two = one;
    two.emplace(SubmissionId("u"), labels({"gpu"}));
    hosts.look(two, at(75s));
    CHECK(hosts.unmatched()[0].tasks == 2);
    CHECK_FALSE(hosts.wants_to_ask(at(99s)));
    REQUIRE(hosts.wants_to_ask(at(100s)));
    auto found = hosts.answered(two, writers, at(100s));
    CHECK(found.reports.empty());
    REQUIRE(found.tells.size() == 1);
    CHECK(found.tells[0].submission == SubmissionId("u"));
    hosts.look(two, at(110s));
    CHECK_FALSE(hosts.wants_to_ask(at(219s)));
    CHECK(is_empty(hosts.answered(two, writers, at(220s))));
}

TEST_CASE("a task that joins unmatched ones is not told if an agent fits by then") {
    UnmatchedOnAllHosts hosts = reported();
    auto two = one;
    two.emplace(SubmissionId("u"), labels({"gpu"}));
    hosts.look(two, at(65s));
    CHECK(is_empty(hosts.answered(two, std::vector{labels({"gpu"})}, at(75s))));
    CHECK(hosts.unmatched().empty());
}

TEST_CASE("what does not wait any more is forgotten") {
    UnmatchedOnAllHosts hosts = reported();
    hosts.look({}, at(41s));
    CHECK(hosts.unmatched().empty());
    CHECK_FALSE(hosts.wants_to_ask(at(1000s)));
    hosts.look(one, at(50s));
    CHECK_FALSE(hosts.wants_to_ask(at(79s)));
    CHECK(hosts.wants_to_ask(at(80s)));
}

TEST_CASE("if a host does not say what its agents have, nothing is reported") {
    UnmatchedOnAllHosts hosts;
    hosts.look(one, at(0s));
    hosts.answered(one, writers, at(30s));
    CHECK(is_empty(hosts.answered(one, std::nullopt, at(40s))));
    CHECK(hosts.unmatched().empty());
}

TEST_CASE("labels that different agents have are no agent's, and none of them is missing") {
    UnmatchedOnAllHosts hosts;
    const UnmatchedOnAllHosts::Waiting both{{SubmissionId("t"), labels({"big", "gpu"})}};
    const std::vector<Labels> apart{labels({"big"}), labels({"gpu"})};
    hosts.look(both, at(0s));
    hosts.answered(both, apart, at(30s));
    auto found = hosts.answered(both, apart, at(40s));
    REQUIRE(found.reports.size() == 1);
    CHECK(found.reports[0].missing.empty());
}

TEST_CASE("a task without labels is unmatched if no host has an agent") {
    UnmatchedOnAllHosts hosts;
    const UnmatchedOnAllHosts::Waiting any{{SubmissionId("t"), Labels()}};
    hosts.look(any, at(0s));
    CHECK(is_empty(hosts.answered(any, writers, at(30s))));
    hosts.answered(any, std::vector<Labels>(), at(60s));
    CHECK(hosts.answered(any, std::vector<Labels>(), at(90s)).reports.size() == 1);
}
