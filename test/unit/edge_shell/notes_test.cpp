#include "edge_shell/notes.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace edge_shell;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using edge::Outcome;
using edge::agent_side::Stage;

namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

AgentNote agent_note() {
    return {{"task-1",
             {*base::Labels::of({"gpu", "team/linux"}), -7},
             90s,
             "$JS.ACK.\"Q\".1",
             {largest, 12},
             {2, 3},
             Stage::answered,
             Outcome::agent_lost},
            "{\"kind\":\"Processed\",\n\"stdout\":\"\\u0000 \xc3\xa9\"}",
            "agent-1",
            {R"({"id":"1"})", R"({"id":"2"})"}};
}

void check_equal(const AgentNote& left, const AgentNote& right) {
    CHECK(left.task.task == right.task.task);
    CHECK(left.task.queue == right.task.queue);
    CHECK(left.task.timeout == right.task.timeout);
    CHECK(left.task.delivery == right.task.delivery);
    CHECK(left.task.nonce == right.task.nonce);
    CHECK(left.task.setbacks == right.task.setbacks);
    CHECK(left.task.stage == right.task.stage);
    CHECK(left.task.outcome == right.task.outcome);
    CHECK(left.answer == right.answer);
    CHECK(left.ending_agent == right.ending_agent);
    CHECK(left.left == right.left);
}

AgentNote read_again(const AgentNote& note) {
    auto read = parse_agent_note(to_json(note));
    REQUIRE(read.has_value());
    return *read;
}

std::string without(std::string text, const std::string& part) {
    const std::size_t at = text.find(part);
    REQUIRE(at != text.npos);
    return text.erase(at, part.size());
}

std::string with(std::string text, const std::string& part, const std::string& other) {
    const std::size_t at = text.find(part);
    REQUIRE(at != text.npos);
    return text.replace(at, part.size(), other);
}

}  // namespace

TEST_CASE("the note of a task of this host's agents is read as it was written") {
    check_equal(read_again(agent_note()), agent_note());
    CHECK(to_json(agent_note()).find('\n') == std::string::npos);
    AgentNote plain{{"t", {}, std::nullopt, "d", {}, {}, Stage::unassigned, {}}, "", ""};
    check_equal(read_again(plain), plain);
    CHECK(to_json(plain) == R"({"task":"t","labels":[],"priority":0,"timeout_ms":null,"delivery":"d",)"
                            R"("nonce":["0","0"],"deaths":0,"failures":0,"ending_agent":"",)"
                            R"("stage":"unassigned"})");
}

TEST_CASE("each stage and each outcome comes back") {
    AgentNote note = agent_note();
    for (Outcome outcome : {Outcome::processed, Outcome::timeout, Outcome::failed, Outcome::lost,
                            Outcome::rejected, Outcome::stopped, Outcome::invalid, Outcome::agent_lost}) {
        note.task.outcome = outcome;
        check_equal(read_again(note), note);
    }
    note.task.outcome = {};
    note.answer.clear();
    for (Stage stage : {Stage::unassigned, Stage::assigned}) {
        note.task.stage = stage;
        check_equal(read_again(note), note);
    }
}

TEST_CASE("a timeout is kept to the millisecond") {
    AgentNote note = agent_note();
    note.task.timeout = 1ns;
    CHECK(read_again(note).task.timeout == edge::Duration(1ms));
    note.task.timeout = edge::Duration::max();
    CHECK(*read_again(note).task.timeout > edge::Duration::max() - 1ms);
    note.task.timeout = -1h;
    CHECK(read_again(note).task.timeout == edge::Duration(0));
}

TEST_CASE("the note of a submitted task is read as it was written") {
    SubmitterNote note{{"t", {*base::Labels::of({"a"}), 5}, edge::StoreId{largest}, true, false}};
    for (int i = 0; i < 2; ++i) {
        auto read = parse_submitter_note(to_json(note));
        REQUIRE(read.has_value());
        CHECK(read->task.task == note.task.task);
        CHECK(read->task.queue == note.task.queue);
        CHECK(read->task.store == note.task.store);
        CHECK(read->task.was_lost == note.task.was_lost);
        CHECK(read->task.is_closed == note.task.is_closed);
        note = {{"t", {{}, -5}, std::nullopt, false, true}};
    }
}

TEST_CASE("a note that lacks a member, or has another one in its place, is refused with the member's name") {
    const std::string whole = to_json(agent_note());
    struct Row {
        std::string part;
        std::string other;
        std::string name;
    };
    for (const Row& row :
         std::vector<Row>{{R"("task":"task-1",)", "", "task"},
                          {R"("task-1")", R"("../x")", "task"},
                          {R"("task-1")", "7", "task"},
                          {R"(["gpu","team/linux"])", R"(["gpu",7])", "labels"},
                          {R"(["gpu","team/linux"])", R"(["a b"])", "labels"},
                          {R"(["gpu","team/linux"])", "null", "labels"},
                          {":-7", ":2147483648", "priority"},
                          {":-7", ":1.5", "priority"},
                          {":90000", ":-1", "timeout_ms"},
                          {":90000", ":9223372036855", "timeout_ms"},
                          {R"("timeout_ms":90000,)", "", "timeout_ms"},
                          {R"("$JS.ACK.\"Q\".1")", "null", "delivery"},
                          {R"("18446744073709551615")", R"("18446744073709551616")", "nonce"},
                          {R"("18446744073709551615")", R"("-1")", "nonce"},
                          {R"("18446744073709551615",)", "", "nonce"},
                          {R"("18446744073709551615")", R"("")", "nonce"},
                          {R"("deaths":2)", R"("deaths":-2)", "deaths"},
                          {R"("failures":3)", R"("failures":2147483648)", "failures"},
                          {R"("ending_agent":"agent-1")", R"("ending_agent":1)", "ending_agent"},
                          {R"("answered")", R"("done")", "stage"},
                          {R"("agent_lost")", R"("agent")", "outcome"},
                          {R"("answer":")", R"("no":")", "answer"}}) {
        INFO(row.part << " is " << row.other);
        auto read = parse_agent_note(with(whole, row.part, row.other));
        REQUIRE(read.has_error());
        CHECK(read.error().message == "the note has no valid \"" + row.name + "\"");
    }
}

TEST_CASE("a note of a submitted task that lacks a member is refused") {
    const std::string whole = to_json(SubmitterNote{{"t", {}, edge::StoreId{4}, true, true}});
    for (const char* part : {R"(,"store":"4")", R"(,"was_lost":true)", R"(,"is_closed":true)",
                             R"(,"labels":[])", R"(,"priority":0)", R"("task":"t",)"})
        CHECK(parse_submitter_note(without(whole, part)).has_error());
    CHECK(parse_submitter_note(with(whole, R"("4")", "4")).has_error());
    CHECK(parse_submitter_note(to_json(agent_note())).has_error());
    CHECK(parse_agent_note(whole).has_error());
}

TEST_CASE("a text that is no note is refused") {
    for (const char* text : {"", "{", "[]", "7", "null", "{}", "\"\\ud800\"", "{\"task\":\"\xff\"}"}) {
        CHECK(parse_agent_note(text).has_error());
        CHECK(parse_submitter_note(text).has_error());
    }
    CHECK_THAT(parse_agent_note("{").error().message, Contains("the note"));
}

TEST_CASE("members that a later version adds are ignored") {
    CHECK(parse_agent_note(with(to_json(agent_note()), "{\"task\"", "{\"new\":[{}],\"task\"")).has_value());
}

TEST_CASE("a note can have any text") {
    AgentNote note = agent_note();
    note.answer = "\xff\n";
    note.task.delivery = std::string("\0\x7f\n", 3);
    CHECK(to_json(note).find('\n') == std::string::npos);
    CHECK(read_again(note).answer == "\xef\xbf\xbd\n");
    CHECK(read_again(note).task.delivery == note.task.delivery);
}
