#include "nats_engine/findings.hpp"

#include "nats_engine/probes.hpp"

#include <catch2/catch.hpp>

using namespace nats_engine;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using Verdict = edge_shell::Finding::Verdict;

namespace {

const Names names("p");

nats::ServerInfo server(std::string name = "n1", std::string cluster = "") {
    nats::ServerInfo info;
    info.name = std::move(name);
    info.cluster = std::move(cluster);
    info.version = "2.12.1";
    info.has_headers = info.has_jetstream = true;
    return info;
}

FoundStream stream() {
    FoundStream found{{}, record_stream(names, 1)};
    found.info.config = found.wanted;
    return found;
}

}  // namespace

TEST_CASE("a server is judged by its version and by what it offers") {
    auto verdict_of = [](const nats::ServerInfo& info) {
        return server_finding("nats://h1", info, false, 300us).verdict;
    };
    CHECK(verdict_of(server()) == Verdict::right);
    auto info = server();
    for (const auto& [version, verdict] :
         {std::pair("2.8.4", Verdict::wrong), std::pair("1.4.1", Verdict::wrong),
          std::pair("2.9.10", Verdict::note), std::pair("2.10.0-RC.1", Verdict::right),
          std::pair("3.0.0", Verdict::right), std::pair("main", Verdict::note),
          std::pair("", Verdict::note)}) {
        INFO(version);
        info.version = version;
        CHECK(verdict_of(info) == verdict);
    }
    info = server();
    info.has_jetstream = false;
    CHECK(verdict_of(info) == Verdict::note);
    info.has_headers = false;
    CHECK(verdict_of(info) == Verdict::wrong);
    CHECK(server_finding("nats://h1", server("n1", "c"), true, 300us).text ==
          "n1 of the cluster c, version 2.12.1, with TLS, answers within 0.30 ms");
}

TEST_CASE("several servers must be one cluster, and one of them must keep data") {
    CHECK(cluster_findings({}).empty());
    CHECK(cluster_findings({server()}).empty());
    CHECK(cluster_findings({server(), server()}).empty());  // the same one by two names
    CHECK(cluster_findings({server("n1", "c"), server("n2", "c")}).empty());
    CHECK(cluster_findings({server("n1"), server("n2")}).size() == 1);
    CHECK(cluster_findings({server("n1", "c"), server("n2", "d")}).size() == 1);
    auto without = server();
    without.has_jetstream = false;
    auto findings = cluster_findings({without});
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].verdict == Verdict::wrong);
}

TEST_CASE("the limits of an account are compared with what a pool needs") {
    nats::AccountInfo account;
    CHECK(account_finding(account, false).verdict == Verdict::right);
    account.streams = account.most_streams = 2;
    CHECK(account_finding(account, true).verdict == Verdict::right);
    CHECK_THAT(account_finding(account, false).text, Contains("max_streams"));
    account = {};
    account.demands_stream_limits = true;
    CHECK(account_finding(account, true).verdict == Verdict::right);
    CHECK_THAT(account_finding(account, false).text, Contains("max_bytes_required"));
    account = {};
    account.most_unacknowledged = 199'999;
    CHECK_THAT(account_finding(account, true).text, Contains("max_ack_pending"));
    account.most_unacknowledged = 200'000;
    CHECK(account_finding(account, true).verdict == Verdict::right);
    account.consumers = account.most_consumers = 3;
    CHECK_THAT(account_finding(account, true).text, Contains("max_consumers"));
    account = {};
    account.most_stored_bytes = 1'000'000;
    account.stored_bytes = 890'000;
    CHECK(account_finding(account, true).text == "890.0 kB of 1.0 MB stored");
    account.stored_bytes = 900'000;
    CHECK(account_finding(account, true).verdict == Verdict::wrong);
    account.has_limits_by_replicas = true;
    CHECK(account_finding(account, true).verdict == Verdict::note);
}

TEST_CASE("in a cluster, one replica is worth a note") {
    nats::ServerInfo server;
    CHECK_FALSE(replicas_finding(stream().info, server));
    server.cluster = "c";
    REQUIRE(replicas_finding(stream().info, server));
    CHECK(replicas_finding(stream().info, server)->verdict == Verdict::note);
    auto three = stream().info;
    three.config.replicas = 3;
    CHECK_FALSE(replicas_finding(three, server));
}

TEST_CASE("a stream needs its leader, its replicas and as many of them as are wanted") {
    CHECK(stream_finding(stream()).text == "0 messages, 0 bytes, 1 replica");
    auto found = stream();
    found.wanted.replicas = 3;
    CHECK(stream_finding(found).verdict == Verdict::wrong);
    found.info.config.replicas = 3;
    found.info.replicas = {{"n2", true, false}, {"n3", true, false}};
    CHECK(stream_finding(found).verdict == Verdict::right);
    found.info.replicas[1].is_offline = true;
    CHECK_THAT(stream_finding(found).text, Contains("n3 is offline"));
    found.info.replicas[1] = {"n3", false, false};
    CHECK_THAT(stream_finding(found).text, Contains("n3 is offline, or has not all"));
    found.info.has_leader = false;
    CHECK_THAT(stream_finding(found).text, Contains("no leader"));
}

TEST_CASE("sizes and queues") {
    CHECK(size_finding(1 << 20).verdict == Verdict::right);
    CHECK(size_finding(16 << 10).verdict == Verdict::note);
    CHECK(size_finding(4096).verdict == Verdict::wrong);
    std::vector<nats::ConsumerInfo> consumers(2);
    consumers[0].config.ack_wait = consumers[1].config.ack_wait = 30s;
    consumers[0].waiting_messages = 5;
    consumers[1].unacknowledged = 1;
    CHECK(queues_finding(consumers, 30s).text == "2 queues, 5 tasks waiting, 1 with hosts");
    CHECK(queues_finding(consumers, 30s).verdict == Verdict::right);
    CHECK_THAT(queues_finding(consumers, 20s).text, Contains("2 have another lease"));
    consumers.assign(51, consumers[0]);
    CHECK(queues_finding(consumers, 30s).verdict == Verdict::note);
}

TEST_CASE("missing permissions are named as patterns, each once") {
    auto published = tried_publications(names, "h1");
    auto subscribed = tried_subscriptions(names, "h1");
    CHECK(permissions_finding(published, {}, subscribed, {}).verdict == Verdict::right);
    auto finding =
        permissions_finding(published, {"troupe.p.r.~check", published[0].subject}, subscribed, {});
    CHECK(finding.verdict == Verdict::wrong);
    CHECK(finding.text == R"(the user needs more permissions: publish: ["troupe.p.>"])");
    finding = permissions_finding(published, {"$JS.API.STREAM.INFO.TROUPE_p_R"}, subscribed,
                                  {"troupectl.p.all", "troupeev.p.r.~check"});
    CHECK(finding.text ==
          "the user needs more permissions: publish: [\"$JS.API.STREAM.*.TROUPE_p_R\"], "
          "subscribe: [\"troupectl.p.>\", \"troupeev.p.>\"]");
    finding = permissions_finding(published, {}, subscribed, {subscribed.back().subject});
    CHECK(finding.verdict == Verdict::note);
}
