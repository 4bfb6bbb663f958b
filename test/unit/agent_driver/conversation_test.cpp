// What is the same for all kinds of programs.
#include "agent_driver/conversation.hpp"

#include "replay.hpp"

#include <catch2/catch.hpp>

namespace {

using namespace agent_driver;
using namespace std::chrono_literals;
using Texts = std::vector<std::string>;

constexpr AgentKind all_kinds[] = {AgentKind::claude, AgentKind::codex, AgentKind::gemini, AgentKind::acp};

std::string success_of(AgentKind kind) {
    return std::string(kind == AgentKind::acp ? "gemini" : kind_name(kind)) + "-success";
}

Conversation started(AgentKind kind) {
    Conversation conversation(replay::settings(kind), replay::prompt());
    conversation.launch(0s);
    return conversation;
}

// After the first `count` lines of a recording.
Conversation after_lines(AgentKind kind, const Texts& lines, std::size_t count) {
    Conversation conversation = started(kind);
    for (std::size_t i = 0; i < count; ++i)
        replay::feed(conversation, lines[i]);
    return conversation;
}

bool ends(const Actions& actions) {
    return !actions.empty() && (std::holds_alternative<Answer>(actions.back()) ||
                                std::holds_alternative<Failure>(actions.back()));
}

FailureKind only_failure(const Actions& actions) {
    REQUIRE(actions.size() == 1);
    return std::get<Failure>(actions.front()).kind;
}

const std::string retry = R"({"type":"system","subtype":"api_retry","error":"server_error"})";
const std::string answer = R"({"type":"result","subtype":"success","result":"[]"})";

}  // namespace

TEST_CASE("a program may end after any line") {
    for (AgentKind kind : all_kinds) {
        Texts lines = replay::recording(success_of(kind));
        std::size_t answered = 0;
        for (Conversation all = started(kind); !ends(replay::feed(all, lines[answered])); ++answered) {
        }
        for (std::size_t count = 0; count <= answered; ++count) {
            INFO(kind_name(kind) << " after " << count << " lines");
            FailureKind failed = count == 0 ? FailureKind::not_ready : FailureKind::crashed;
            CHECK(only_failure(after_lines(kind, lines, count).exited({1, 0})) == failed);
            CHECK(only_failure(after_lines(kind, lines, count).exited({0, 0})) == FailureKind::no_answer);
            CHECK(only_failure(after_lines(kind, lines, count).exited({0, 11})) == FailureKind::crashed);
            CHECK(only_failure(after_lines(kind, lines, count).exited({0, 9})) == FailureKind::killed);
        }
        CHECK(after_lines(kind, lines, answered + 1).exited({0, 0}).empty());
    }
}

TEST_CASE("the failure of a program that ends says what it printed last") {
    Conversation conversation = started(AgentKind::claude);
    conversation.stdout_line("Usage: claude", 0s);
    conversation.stderr_line("error: unknown option '--x'", 0s);
    CHECK(replay::described(conversation.exited({2, 0})) ==
          Texts{"failure not_ready -: claude ended with exit code 2 without an answer: Usage: claude\nerror: "
                "unknown "
                "option '--x'"});
}

TEST_CASE("lines that are no messages change nothing") {
    const std::string garbage[] = {"",
                                   "null",
                                   "[]",
                                   "7",
                                   "\"x\"",
                                   "{",
                                   "{}",
                                   "\xff\xfe",
                                   R"({"type":7,"id":{},"method":[]})",
                                   R"({"id":99,"result":{"turn":{"status":"completed"}}})",
                                   R"({"id":99,"error":7})"};
    for (AgentKind kind : all_kinds) {
        Texts lines = replay::recording(success_of(kind));
        Conversation conversation = started(kind);
        Texts with_garbage, without;
        for (const std::string& line : lines) {
            for (const std::string& text : garbage) {
                INFO(kind_name(kind) << ": " << text);
                CHECK(conversation.stdout_line(text, 0s).empty());
            }
            std::string half = line.substr(0, line.size() / 2);
            CHECK(conversation.stdout_line(half, 0s).empty());
            for (std::string& action : replay::described(replay::feed(conversation, line)))
                with_garbage.push_back(std::move(action));
        }
        if (kind != AgentKind::acp) CHECK(with_garbage == replay::played(kind, success_of(kind)));
    }
}

TEST_CASE("a conversation ends once") {
    Conversation conversation = started(AgentKind::claude);
    CHECK(conversation.repair("too early", 0s).empty());
    REQUIRE(ends(conversation.stdout_line(answer, 0s)));
    CHECK(conversation.stdout_line(answer, 0s).empty());
    CHECK(conversation.interrupt().empty());
    CHECK(conversation.exited({1, 0}).empty());
    CHECK(!conversation.deadline());
}

TEST_CASE("an invalid answer is repaired as often as the caller wants") {
    for (AgentKind kind : all_kinds) {
        Texts lines = replay::recording(success_of(kind));
        Conversation conversation = started(kind);
        for (std::size_t i = 0; !ends(replay::feed(conversation, lines[i])); ++i) {
        }
        Actions actions = conversation.repair("element 1 has no kind", 7s);
        INFO(kind_name(kind));
        REQUIRE(actions.size() == 1);
        CHECK(std::get<Send>(actions.front()).line.find("element 1 has no kind") != std::string::npos);
        CHECK(conversation.repair("twice", 7s).empty());
        CHECK(conversation.deadline() == 607s);
        CHECK(only_failure(conversation.exited({1, 0})) == FailureKind::crashed);
    }
}

TEST_CASE("a program that is silent for too long has stalled") {
    Conversation conversation = started(AgentKind::codex);
    CHECK(conversation.deadline() == 600s);
    conversation.stdout_line("noise", 100s);
    CHECK(conversation.deadline() == 700s);
    conversation.stderr_line("noise", 200s);
    CHECK(conversation.deadline_passed(799s).empty());
    CHECK(only_failure(conversation.deadline_passed(800s)) == FailureKind::stalled);
    CHECK(conversation.deadline_passed(900s).empty());
}

TEST_CASE("retries of the program end after a minute") {
    Conversation conversation = started(AgentKind::claude);
    CHECK(conversation.stdout_line(retry, 10s).empty());
    CHECK(conversation.stdout_line(retry, 69s).empty());
    CHECK(only_failure(conversation.stdout_line(retry, 70s)) == FailureKind::overloaded);
}

TEST_CASE("a program that tries again without a valid login has failed at once") {
    Conversation conversation(replay::settings(AgentKind::claude), replay::prompt());
    conversation.launch(0s);
    const std::string wrong_key =
        R"({"type":"system","subtype":"api_retry","error":"authentication_failed"})";
    CHECK(only_failure(conversation.stdout_line(wrong_key, 1s)) == FailureKind::not_ready);
}

TEST_CASE("a request that gets through ends the retries") {
    Conversation conversation = started(AgentKind::claude);
    conversation.stdout_line(retry, 10s);
    conversation.stdout_line(R"({"type":"assistant","message":{"id":"x"}})", 60s);
    CHECK(conversation.stdout_line(retry, 70s).size() == 0);
    CHECK(conversation.stdout_line(retry, 129s).empty());
    CHECK(only_failure(conversation.stdout_line(retry, 130s)) == FailureKind::overloaded);
}

TEST_CASE("a program that is silent while it retries has the failure that it retries") {
    Conversation conversation = started(AgentKind::claude);
    conversation.stdout_line(retry, 10s);
    CHECK(only_failure(conversation.deadline_passed(610s)) == FailureKind::overloaded);
}

TEST_CASE("an interrupted program that just ends was interrupted") {
    Conversation conversation = started(AgentKind::claude);
    CHECK(replay::described(conversation.interrupt()) == Texts{"send"});
    CHECK(conversation.interrupt().empty());
    CHECK(only_failure(conversation.exited({0, 0})) == FailureKind::interrupted);
}

TEST_CASE("the end of a long output is kept") {
    Conversation conversation = started(AgentKind::claude);
    for (int i = 0; i < 1000; ++i)
        conversation.stderr_line(std::string(10'000, 'x'), 0s);
    conversation.stderr_line("the end", 0s);
    Actions actions = conversation.exited({1, 0});
    const std::string& message = std::get<Failure>(actions.front()).message;
    CHECK(message.size() < 2100);
    CHECK(message.ends_with("the end"));
}
