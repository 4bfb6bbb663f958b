// Commands as tasks, and their ends as responses.
#include "pool_protocol/command_task.hpp"

#include "pool_protocol/messages.hpp"

#include <catch2/catch.hpp>

#include <memory>

using namespace pool_protocol;
using namespace std::chrono_literals;
using How = CommandEnd::How;

namespace {

std::string problem(const std::string& content) {
    auto command = parse_command(content);
    return command ? "" : command.error().message;
}

std::string with(const std::string& members) {
    return R"({"kind":"Command","version":1,"stdin":1)" + members + "}";
}

}  // namespace

TEST_CASE("a command is read as it was written, and its input is not changed") {
    CommandTask task;
    task.script = "echo \"\\n\"\n";
    task.variables = {{"BARNUM_STEP", "Schritt \"1\""}, {"EMPTY", ""}};
    task.previous_attempts = R"([{"attempt": 1}])";
    task.max_output = 1000;
    task.timeout = "2.5";
    auto value =
        std::make_shared<const std::string>("{ \"n\": 1.0, \"big\": 123456789012345678901234567890 }");
    std::string content = command_content(task, {R"({"kind":"Do","value":)", value, "}"}).text();
    auto read = parse_command(content);
    REQUIRE(read.has_value());
    CHECK(read->input == R"({"kind":"Do","value":)" + *value + "}");
    CHECK(read->task.script == task.script);
    CHECK(read->task.variables == task.variables);
    CHECK(read->task.previous_attempts == task.previous_attempts);
    CHECK(read->task.max_output == 1000);
    CHECK(content_timeout(content) == 2500ms);
    CHECK(timeout_at_end(content) == 2500ms);
    CHECK_FALSE(reads_as_message(content));
}

TEST_CASE("what need not be there has its default") {
    std::string content = command_content(CommandTask(), "7").text();
    CHECK_FALSE(content_timeout(content));
    auto read = parse_command(with(R"(,"script":"true","unknown":[])"));
    REQUIRE(read.has_value());
    CHECK(read->input == "1");
    CHECK(read->task.variables.empty());
    CHECK(read->task.previous_attempts.empty());
    CHECK(read->task.max_output == CommandTask().max_output);
}

TEST_CASE("what is no command is refused, with the reason") {
    const std::string only = "agents of the kind shell run Commands only; this task ";
    CHECK(problem("touch x") == only + "is no JSON object");
    CHECK(problem("[]") == only + "is no JSON object");
    CHECK(problem(R"({"task":{"kind":"Command"},"script":"true","stdin":1})") ==
          only + "has no \"kind\": \"Command\"");
    CHECK(problem(R"({"kind":"Command","script":"true","stdin":1})") ==
          only + "has another version than 1, the one that this agent knows");
    CHECK(problem(R"({"kind":"Command","version":2,"script":"true","stdin":1})") ==
          only + "has another version than 1, the one that this agent knows");
    CHECK(problem(with("")) == only + "has no \"script\" or no \"stdin\"");
    CHECK(problem(R"({"kind":"Command","version":1,"script":"true"})") ==
          only + "has no \"script\" or no \"stdin\"");
    CHECK(problem(with(R"(,"script":" ")")) == only + "has an empty \"script\"");
    CHECK(problem(with(R"(,"script":"a\u0000")")) == only + "has a NUL character in its \"script\"");
    CHECK(problem(with(",\"script\":\"" + std::string(128 * 1024, 'x') + "\"")) ==
          only + "has a \"script\" of more than 128 KiB");
    auto variable = [&](const std::string& json) {
        return problem(with(R"(,"script":"true","variables":)" + json));
    };
    CHECK(variable(R"({"A":"b"})").empty());
    CHECK(variable("[]") == only + "has \"variables\" that are no object");
    CHECK(variable(R"({"A":1})") == only + "has variables that are no strings");
    CHECK(variable(R"({"A":"\u0000"})") == only + "has a NUL character in the variable \"A\"");
    for (const char* name : {"", "A=B", "BARNUM_AGENT", "BARNUM_AGENT_ID", "BARNUM_AGENT_PROCESS"})
        CHECK(variable(std::string("{\"") + name + R"(":"x"})") ==
              only + "must not set the variable \"" + name + "\"");
}

TEST_CASE("an end is read as it was written, and its output is not changed") {
    for (How how : {How::exited, How::signalled, How::timed_out, How::too_much_output, How::not_started}) {
        CommandEnd end;
        end.how = how;
        end.code = 11;
        end.message = how == How::not_started ? "why" : "";
        end.output = "[]\n{\"kind\":\"CommandEnd\"}\n";
        end.error_output = "a\nb \"c\"";
        end.cpu = 1234us;
        end.peak_memory = 5'000'000'000;
        auto read = parse_command_end(to_text(end));
        REQUIRE(read.has_value());
        CHECK(read->how == how);
        CHECK(read->code == 11);
        CHECK(read->message == end.message);
        CHECK(read->output == end.output);
        CHECK(read->error_output == end.error_output);
        CHECK(read->cpu == end.cpu);
        CHECK(read->peak_memory == end.peak_memory);
    }
    CHECK(parse_command_end(to_text(CommandEnd()))->output.empty());
    CHECK_FALSE(parse_command_end(to_text(CommandEnd()))->peak_memory);
}

TEST_CASE("other responses are no ends") {
    std::string text = to_text(CommandEnd());
    CHECK_FALSE(parse_command_end(""));
    CHECK_FALSE(parse_command_end("[]"));
    CHECK_FALSE(parse_command_end(text.substr(0, text.size() - 1)));
    CHECK_FALSE(parse_command_end(" " + text));
    CHECK_FALSE(parse_command_end(
        "{\"kind\":\"CommandEnd\",\"version\":1,\"end\":\"lost\",\"code\":0,\"stderr\":\"\"}\n"));
    CHECK_FALSE(
        parse_command_end("{\"kind\":\"CommandEnd\",\"version\":1,\"end\":\"exited\",\"stderr\":\"\"}\n"));
    CHECK_FALSE(parse_command_end(
        "{\"kind\":\"CommandEnd\",\"version\":2,\"end\":\"exited\",\"code\":0,\"stderr\":\"\"}\n"));
}
