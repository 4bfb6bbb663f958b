// Commands as the tasks of an agent: what their ends mean, and what is told of what they write.
#include "agents/shell_work.hpp"

#include "agents/command_output.hpp"

#include <catch2/catch.hpp>

namespace {

using namespace agents;
using Kind = WorkEnd::Kind;
using End = process::ChildResult::End;
using How = pool_protocol::CommandEnd::How;
using pool_protocol::KickReason;

WorkEnd after(End end, int code, std::optional<KickReason> kick = {}) {
    ChildEnd child;
    child.result.end = end;
    child.result.code = code;
    child.result.output = "[]";
    child.kick = std::move(kick);
    return shell_end_of(std::move(child), "noise");
}

// What the response tells.
How told(const WorkEnd& work) {
    REQUIRE(work.kind == Kind::responded);
    auto end = pool_protocol::parse_command_end(work.response);
    REQUIRE(end.has_value());
    CHECK(end->output == "[]");
    CHECK(end->error_output == "noise");
    return end->how;
}

}  // namespace

TEST_CASE("every end of a command is told, also failures") {
    CHECK(told(after(End::exited, 0)) == How::exited);
    CHECK(pool_protocol::parse_command_end(after(End::exited, 75).response)->code == 75);
    CHECK(told(after(End::exited, 127)) == How::exited);
    CHECK(told(after(End::signalled, 9)) == How::signalled);
    CHECK(told(after(End::timed_out, 0)) == How::timed_out);
    CHECK(told(after(End::too_much_output, 0)) == How::too_much_output);
    CHECK(told(after(End::not_started, 0)) == How::not_started);
}

TEST_CASE("a command that was ended from outside has no end of its own, unless its time was over") {
    CHECK(after(End::cancelled, 0).kind == Kind::stopped);
    CHECK(after(End::cancelled, 0, KickReason::withdrawn).kind == Kind::kicked);
    CHECK(after(End::cancelled, 0, KickReason::stopped).kind == Kind::kicked);
    CHECK(told(after(End::cancelled, 0, KickReason::timeout)) == How::timed_out);
    WorkEnd work = after(End::exited, 0, KickReason::timeout);
    CHECK(told(work) == How::exited);
    CHECK(work.kick == KickReason::timeout);
}

TEST_CASE("the variables of a task win over those of its agent") {
    agent_driver::Settings settings;
    settings.env = {{"A", "agent"}, {"B", "agent"}};
    pool_protocol::CommandTask task;
    task.variables = {{"BARNUM_STEP", "Do"}, {"B", "task"}};
    CHECK(variables_of(settings, task) ==
          process::Environment{{"BARNUM_STEP", "Do"}, {"B", "task"}, {"A", "agent"}});
}

TEST_CASE("the last line with words is shown") {
    CommandOutput output;
    CHECK_FALSE(output.add("half a "));
    CHECK(output.add("line\n\n  \n") == "half a line");
    CHECK(output.add("one\ntwo\nthree") == "two");
    CHECK(output.text("") == "half a line\n\n  \none\ntwo\nthree");
    CHECK(output.add(std::string(500, 'x') + "\n")->size() == CommandOutput::longest_line);
}

TEST_CASE("of much, the beginning and the end are told") {
    const std::string beginning(CommandOutput::most_kept, 'a');
    CommandOutput output;
    output.add(beginning.substr(1));
    output.add("bc");
    CHECK(output.text("bc") == beginning.substr(1) + "bc");
    output.add("def");
    CHECK(output.text("bcdef") == beginning.substr(1) + "bcdef");
    CHECK(output.text("ef") == beginning.substr(1) + "b\n[2 bytes left out]\nef");
}
