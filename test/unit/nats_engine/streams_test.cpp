#include "nats_engine/streams.hpp"

#include <catch2/catch.hpp>

using namespace nats_engine;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

const Names names("p");

nats::StreamInfo info(nats::StreamConfig config, std::int64_t created) {
    nats::StreamInfo found;
    found.config = std::move(config);
    found.created = nats::WallTime(nats::Nanoseconds(created));
    return found;
}

FoundStream found_queue() {
    return {info(queue_stream(names, 3), 1000), queue_stream(names, 1)};
}

FoundStream found_records() {
    return {info(record_stream(names, 3), 2000), record_stream(names, 1)};
}

}  // namespace

TEST_CASE("streams with other replicas, sizes and ages will do") {
    auto queue = found_queue();
    auto records = found_records();
    CHECK(!problem_of(queue, records));
    queue.info.config.most_bytes = 1 << 30;
    queue.info.config.most_messages = 1000;
    queue.info.config.longest_message = records.info.config.longest_message = 1 << 20;
    queue.info.config.max_age = 1h;
    records.info.config.max_age = 2h;
    records.info.config.allows_direct = true;
    CHECK(!problem_of(queue, records));
    records.info.config.max_age = 0h;
    queue.info.config.max_age = 0h;
    CHECK(!problem_of(queue, records));
}

TEST_CASE("only what is wrong in a stream is changed") {
    auto queue = found_queue();
    auto records = found_records();
    CHECK(changes_for(queue, records).empty());
    queue.wanted.replicas = 5;
    queue.info.config.refuses_new = false;
    records.info.config.most_bytes = records.info.config.most_messages = 1000;
    records.info.config.max_age = 24h;
    auto changes = changes_for(queue, records);
    REQUIRE(changes.size() == 2);
    CHECK(changes[0].found.config.name == "TROUPE_p_Q");
    CHECK(changes[0].members == std::vector<std::string_view>{"discard", "max_age", "num_replicas"});
    CHECK(changes[0].wanted.max_age == 12h);
    CHECK(changes[1].members == std::vector<std::string_view>{"max_msgs", "max_bytes"});
}

TEST_CASE("streams with which tasks could be lost or done twice are refused") {
    struct Row {
        const char* named;
        void (*change)(nats::StreamConfig& queue, nats::StreamConfig& records);
    };
    using Config = nats::StreamConfig;
    for (const Row& row : {
             Row{"TROUPE_p_Q has another subjects", [](Config&queue, Config&) { queue.subjects = {"x"}; }},
             Row{"TROUPE_p_Q has another retention", [](Config&queue, Config&) { queue.is_queue = false; }},
             Row{"TROUPE_p_Q has another max_msgs_per_subject",
                 [](Config&queue, Config&) { queue.most_per_subject = -1; }},
             Row{"TROUPE_p_Q has another discard", [](Config&queue, Config&) { queue.refuses_new = false; }},
             Row{"discard_new_per_subject",
                 [](Config&queue, Config&) { queue.refuses_new_per_subject = false; }},
             Row{"TROUPE_p_R has another subjects",
                 [](Config&, Config&records) { records.subjects.push_back("x"); }},
             Row{"TROUPE_p_R has another discard",
                 [](Config&, Config&records) { records.refuses_new = true; }},
             Row{"TROUPE_p_R has another republish",
                 [](Config&, Config&records) { records.republish_to = "x"; }},
             Row{"TROUPE_p_R has another max_bytes",
                 [](Config&, Config&records) { records.most_bytes = 1000; }},
             Row{"TROUPE_p_R has another max_msgs",
                 [](Config&, Config&records) { records.most_messages = 10; }},
             Row{"is not below", [](Config&queue, Config&records) { queue.max_age = records.max_age; }},
             Row{"is not below", [](Config&queue, Config&) { queue.max_age = 0h; }},
         }) {
        auto queue = found_queue();
        auto records = found_records();
        row.change(queue.info.config, records.info.config);
        CAPTURE(row.named);
        auto problem = problem_of(queue, records);
        REQUIRE(problem);
        CHECK_THAT(*problem, Contains(row.named));
    }
    auto records = found_records();
    records.info.created.reset();
    CHECK_THAT(*problem_of(found_queue(), records), Contains("when the stream TROUPE_p_R was created"));
}

TEST_CASE("a store is another one when one of its streams was created anew") {
    auto queue = found_queue().info;
    auto records = found_records().info;
    auto id = store_id(queue, records);
    CHECK(store_id(queue, records) == id);
    CHECK(store_id(info(queue.config, 1001), records) != id);
    CHECK(store_id(queue, info(records.config, 2001)) != id);
}

TEST_CASE("versions begin with the time at which the records' stream was created") {
    CHECK(first_version(info({}, 1'795'262'400'123'456'789)) == 1'795'262'400'123'456);
}

TEST_CASE("a queue's consumer delivers again after the lease, and says which queue it is") {
    edge::Queue queue{*base::Labels::of({"gpu"}), 2};
    auto config = consumer(names, queue, 30s);
    CHECK(config.filter == "troupe.p.q." + config.name + ".*");
    CHECK(config.ack_wait == 30s);
    CHECK(config.most_deliveries == -1);
    CHECK(parse_queue_description(config.description) == queue);
}
