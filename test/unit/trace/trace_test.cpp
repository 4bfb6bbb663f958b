#include "trace_helper.hpp"

#include <cmath>

using namespace trace;

TEST_CASE("a trace has a row for each attempt, with the attempts that have led to it") {
    Trace made = traced(over);
    REQUIRE(made.position() == Position{5, 5});
    CHECK(made.attempt(0).origin == Origin::initial);
    CHECK(made.attempt(0).parent == absent);
    CHECK(made.attempt(0).submitted == 1);
    CHECK(made.attempt(1).origin == Origin::spawned);
    CHECK(made.attempt(1).parent == 0);
    CHECK(made.attempt(1).step == 1);
    CHECK(made.attempt(2).next == 3);
    CHECK(made.attempt(3).origin == Origin::retry);
    CHECK(made.attempt(3).of == 2);
    CHECK(made.attempt(3).parent == 0);
    CHECK(made.attempt(4).origin == Origin::finally);
    CHECK(made.attempt(4).of == 0);
    CHECK(made.attempt(4).parent == absent);
    CHECK(made.attempt(4).is_finally);
    CHECK(made.first_of(3) == 2);
    CHECK(made.last_of(2) == 3);
    CHECK(made.find(3) == Row{3});
    CHECK(made.find(5) == std::nullopt);
}

TEST_CASE("the end of an attempt says how it ended, when, and which tasks follow") {
    Trace made = traced(over);
    Completion first = made.completion(0);
    CHECK(first.row == 0);
    CHECK(first.started == 1000);
    CHECK(first.ended == 2000);
    CHECK(first.outcome == Outcome::succeeded);
    CHECK(first.first_child == 1);
    CHECK(first.children == 2);
    CHECK(std::isnan(first.usd));
    CHECK(first.pre == absent);
    CHECK(made.completion(1).outcome == Outcome::retried);
    CHECK(made.completion(1).reason == 1);  // Timeout
    CHECK(made.completion(2).outcome == Outcome::dropped);
    CHECK(made.completion(2).reason == 5);  // CommandFailed
    CHECK(made.completion(3).first_child == absent);
}

TEST_CASE("what an agent has reported and what was measured is in the end of the attempt") {
    const std::string report =
        R"({"kind":"claude","model":"opus","input_tokens":100,"output_tokens":20,"usd":0.25})";
    const std::string measured = R"({"cpu_ms":7,"pre_ms":3,"action_ms":40,"post_ms":5})";
    std::string end = reported(succeeded(0, "[]"), report);
    end.insert(end.size() - 2, ",\"measured\":" + measured);
    Trace made = traced(initial_log + end);
    Completion completion = made.completion(0);
    CHECK(completion.flags == (has_report | has_measured));
    CHECK(completion.tokens == 120);
    CHECK(completion.usd == 0.25F);
    CHECK(completion.pre == 3);
    CHECK(completion.post == 5);
    CHECK(made.agents() == std::vector<std::string>{"claude opus"});
    CHECK(completion.agent == 0);
    CHECK(made.usage().total().usd == 0.25);
}

TEST_CASE("a trace counts the tasks and the attempts of each step") {
    Trace made = traced(over);
    const Counts& b = made.tallies()[1].tasks;
    CHECK(b.tasks == 2);
    CHECK(b.done == 1);
    CHECK(b.dropped == 1);
    CHECK(b.retried == 1);
    CHECK(b.timed == 3);
    CHECK(b.total_ms == 4000);
    CHECK(b.longest_ms == 2000);
    CHECK(made.tallies()[0].finallys.done == 1);
    CHECK(traced(retried).tallies()[1].tasks.open() == 2);
}

TEST_CASE("an incomplete group does not count, and neither does an incomplete line") {
    std::string text = grown;
    text.resize(text.rfind('\n', text.size() - 2) + 1);  // without the second of two children
    Trace made = traced(text);
    CHECK(made.position() == Position{1, 0});
    CHECK(made.find(1) == std::nullopt);
    CHECK(made.attempt(0).completion == absent);
    CHECK(made.tallies()[0].tasks.open() == 1);
    CHECK(made.last_time() == statelog::Time(std::chrono::milliseconds(1)));
    CHECK(made.finish()->torn_group);

    std::string rest = grown.substr(text.size());
    REQUIRE(made.feed(rest.substr(0, rest.size() - 1)).has_value());
    CHECK(made.position() == Position{1, 0});
    REQUIRE(made.feed("\n").has_value());
    CHECK(made.position() == Position{3, 1});
}

TEST_CASE("a log without its initial tasks is no log, and has no rows") {
    std::string header = config_line;
    header.insert(header.size() - 2, R"(,"initial_tasks":2)");
    Trace made = traced(header + at(submitted(0, "A", "null", initial), 1));
    CHECK(made.position() == Position{0, 0});
    CHECK(made.finish().error().message.find("has 1 of the run's 2 initial tasks") != std::string::npos);
    REQUIRE(made.feed(at(submitted(1, "A", "null", initial), 1)).has_value());
    CHECK(made.position() == Position{2, 0});
    CHECK(made.finish().has_value());
}

TEST_CASE("a log with gaps between its numbers, or with numbers that do not ascend, is found through") {
    Trace gaps = traced(config_line + submitted(7, "A", "null", initial) + succeeded(7, "[20]") +
                        submitted(20, "B", "7", spawned));
    CHECK(gaps.find(7) == Row{0});
    CHECK(gaps.find(20) == Row{1});
    CHECK(gaps.find(8) == std::nullopt);

    Trace mixed = traced(config_line + submitted(0, "A", "null", initial) + succeeded(0, "[9,4]") +
                         submitted(9, "B", "0", spawned) + submitted(4, "B", "0", spawned) +
                         succeeded(9, "[]") + succeeded(4, "[]"));
    CHECK(mixed.position() == Position{3, 3});
    CHECK(mixed.find(9) == Row{1});
    CHECK(mixed.find(4) == Row{2});
    CHECK(mixed.completion(2).row == 2);
    CHECK(mixed.find(5) == std::nullopt);
}

TEST_CASE("damage is an error with its place, as of a replay") {
    std::string changed = grown;
    changed.replace(changed.find("\"task_id\":2"), 11, "\"task_id\":x");
    CHECK(damage_of(changed) == refusal(changed));
    CHECK(damage_of("{}\n") == refusal("{}\n"));
    CHECK(damage_of(initial_log + "\n") == refusal(initial_log + "\n"));

    std::string twice = over + succeeded(3, "[]");
    CHECK(damage_of(twice) == refusal(twice));
    std::string unknown = initial_log + succeeded(5, "[]");
    CHECK(damage_of(unknown) == refusal(unknown));
    std::string unannounced = initial_log + submitted(1, "B", "0", spawned);
    CHECK(damage_of(unannounced) == refusal(unannounced));
    std::string early = grown.substr(0, grown.rfind("{\"kind\"")) + succeeded(1, "[]");
    CHECK(damage_of(early) == refusal(early));
    std::string not_due = initial_log + submitted(1, "A", "null", finally_for(0));
    CHECK(damage_of(not_due).find("is the finally of a task that has not ended") != std::string::npos);
    std::string again = initial_log + submitted(0, "A", "null", initial);
    CHECK(damage_of(again) == refusal(again));
    std::string others = initial_log + succeeded(0, "[1]") + submitted(1, "B", "7", spawned);
    CHECK(damage_of(others) == refusal(others));
}

TEST_CASE("a trace stays as it was before the damage") {
    Trace made("LOG");
    REQUIRE(made.feed(retried + succeeded(2, "[]")).has_error());
    CHECK(made.position() == Position{4, 2});
    CHECK(made.tallies()[1].tasks.retried == 1);
}

TEST_CASE("checksums are verified") {
    statelog::Header header{config_text, "/", "r", 0};
    std::string text;
    statelog::append_header(text, header, statelog::Time());
    Trace made = traced(text);
    auto fed = made.feed(submitted(0, "A", "null", initial));
    REQUIRE(fed.has_error());
    CHECK(fed.error().message.find("has no checksum, and the first one has") != std::string::npos);
}

TEST_CASE("a number that does not fit into a batch is refused") {
    std::string text = config_line;
    text += R"({"kind":"TaskSubmitted","task_id":4294967295,"step":"A","value":1,"parent_id":null,)"
            R"("origin":"Initial"})"
            "\n";
    CHECK(damage_of(text).find("has the task number 4294967295") != std::string::npos);
}

TEST_CASE("positions are read as they are written, and as nothing else") {
    for (Position position : {Position{0, 0}, Position{12, 7}, Position{UINT32_MAX, UINT32_MAX}})
        CHECK(parse_position(to_string(position)) == position);
    for (std::string text :
         {"", ".", "1", "1.", ".1", "1.2.3", "01.2", "-1.2", "1.2 ", "4294967296.0", "a.b"})
        CHECK(parse_position(text) == std::nullopt);
}
