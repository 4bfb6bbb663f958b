#include "pool_protocol/queue_request.hpp"

#include <catch2/catch.hpp>

using namespace pool_protocol;

TEST_CASE("requests about the queue come back as they were written, and no other frame is one") {
    auto listed = parse_queue_request(to_json(QueueRequest(ListQueue{7})));
    REQUIRE(listed);
    CHECK(std::get<ListQueue>(*listed).at_most == 7);
    listed = parse_queue_request(to_json(QueueRequest(ListQueue{10 * max_listed})));
    CHECK(std::get<ListQueue>(*listed).at_most == max_listed);
    auto cancelled = parse_queue_request(to_json(QueueRequest(CancelQueued{{"a", "\"b\""}})));
    REQUIRE(cancelled);
    CHECK(std::get<CancelQueued>(*cancelled).submissions == std::vector<std::string>{"a", "\"b\""});
    auto first = parse_queue_request(to_json(QueueRequest(MoveQueued{{"a"}, std::nullopt})));
    REQUIRE(first);
    CHECK_FALSE(std::get<MoveQueued>(*first).before);
    auto moved = parse_queue_request(to_json(QueueRequest(MoveQueued{{"a"}, "b"})));
    REQUIRE(moved);
    CHECK(std::get<MoveQueued>(*moved).before == "b");
    for (const char* other :
         {"", "{}", R"({"kind":"Inline","content":"{\"kind\":\"Queue\"}"})", R"({"kind":"Cancel"})",
          R"({"kind":"Cancel","submissions":[1]})", R"({"kind":"Move","submissions":"a"})",
          R"({"kind":"Queues"})", R"({"kind":"Queue")"}) {
        INFO(other);
        CHECK_FALSE(parse_queue_request(other));
    }
}

TEST_CASE("a queue comes back as it was written") {
    Queue queue{12, true, {{"s1", "Greet \"you\"", UnixTime(1700000000123), *base::Labels::of({"gpu"}), -3}}};
    queue.tasks.push_back({"s2", "", UnixTime(5)});
    queue.tasks[0].processes = {4711, 4712};
    queue.tasks[0].program = "barnum";
    queue.tasks[1].by_file = true;
    auto read = parse_queue(to_json(queue));
    REQUIRE(read.has_value());
    CHECK(read->length == 12);
    CHECK(read->over_hosts);
    REQUIRE(read->tasks.size() == 2);
    const QueuedTask& first = read->tasks[0];
    CHECK(first.id == "s1");
    CHECK(first.title == "Greet \"you\"");
    CHECK(first.since == UnixTime(1700000000123));
    CHECK(first.labels == *base::Labels::of({"gpu"}));
    CHECK(first.priority == -3);
    CHECK_FALSE(first.by_file);
    CHECK(first.processes == std::vector{4711, 4712});
    CHECK(first.program == "barnum");
    CHECK(read->tasks[1].by_file);
    CHECK(read->tasks[1].processes.empty());
}

TEST_CASE("changes come back as they were written, and an earlier daemon's answer is told as one") {
    using How = QueueChange::How;
    std::vector<QueueChange> changes{{"a", How::cancelled}, {"b", How::moved}, {"c", How::unknown},
                                     {"d", How::ambiguous}, {"e", How::kept},  {"f", How::same}};
    auto read = parse_queue_changes(to_json(changes));
    REQUIRE(read.has_value());
    REQUIRE(read->size() == 6);
    for (std::size_t i = 0; i < changes.size(); ++i) {
        CHECK((*read)[i].id == changes[i].id);
        CHECK((*read)[i].how == changes[i].how);
    }
    auto refused = R"({"kind":"NotProcessed","reason":"invalid","message":"unknown kind"})";
    CHECK(parse_queue_changes(refused).error().message.find("restart it") != std::string::npos);
    CHECK(parse_queue(refused).error().message.find("restart it") != std::string::npos);
}

TEST_CASE("the title of a task is the step and the value, or the beginning of its content") {
    CHECK(task_title(R"({"task":{"kind":"Greet","value":{ "name": "you" }},"instructions":"x"})") ==
          R"(Greet {"name":"you"})");
    CHECK(task_title(R"({"task":{"kind":"Greet"}})") == "Greet");
    CHECK(task_title(R"({"task":7})") == R"({"task":7})");
    CHECK(task_title("[1,\n 2]") == "[1,  2]");
    CHECK(task_title("") == "");
    std::string long_value(200'000, 'x');
    CHECK(task_title("\"" + long_value + "\"") == "\"" + std::string(76, 'x') + "…");
    CHECK(task_title(R"({"task":{"kind":"A","value":")" + long_value + "\"}}")
              .starts_with(R"({"task":{"kind)"));
    CHECK(task_title("\"" + std::string(75, 'x') + "äää\"") == "\"" + std::string(75, 'x') + "…");
}
