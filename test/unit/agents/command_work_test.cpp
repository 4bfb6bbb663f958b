// What the end of an agent's command means.
#include "agents/command_work.hpp"

#include <catch2/catch.hpp>

namespace {

using namespace agents;
using Kind = WorkEnd::Kind;
using End = process::ChildResult::End;
using pool_protocol::KickReason;

WorkEnd after(End end, int code, std::string output, std::optional<KickReason> kick = {}) {
    ChildEnd child;
    child.result.end = end;
    child.result.code = code;
    child.result.output = std::move(output);
    child.result.error_output = "noise\n";
    child.kick = std::move(kick);
    return work_end_of(std::move(child));
}

}  // namespace

TEST_CASE("ends of a command") {
    CHECK(after(End::exited, 0, "[]").kind == Kind::responded);
    CHECK(after(End::exited, 0, "[]").response == "[]");
    CHECK(after(End::exited, 0, "").kind == Kind::failed);
    CHECK(after(End::exited, 0, "").message == "the command exited with code 0 and wrote no response: noise");
    CHECK(after(End::exited, 3, "[]").exit_code == 3);
    CHECK(after(End::signalled, 11, "").signal == 11);
    CHECK(after(End::exited, 75, "").kind == Kind::unavailable);
    CHECK(after(End::not_started, 0, "").kind == Kind::unavailable);
    CHECK(after(End::exited, 127, "").kind == Kind::unusable);
    CHECK(after(End::exited, 126, "").kind == Kind::unusable);
    CHECK(after(End::timed_out, 0, "").kind == Kind::timed_out);
    CHECK(after(End::timed_out, 0, "").message == "its command wrote to stderr: noise");
    CHECK(after(End::cancelled, 0, "").kind == Kind::stopped);
    CHECK(after(End::too_much_output, 0, "").kind == Kind::failed);
}

TEST_CASE("ends of a command after a kick") {
    CHECK(after(End::cancelled, 0, "", KickReason::withdrawn).kind == Kind::kicked);
    CHECK(after(End::cancelled, 0, "", KickReason::timeout).kind == Kind::timed_out);
    WorkEnd responded = after(End::exited, 0, "[]", KickReason::withdrawn);
    CHECK(responded.kind == Kind::responded);
    CHECK(responded.kick == KickReason::withdrawn);
    CHECK(after(End::exited, 2, "", KickReason::withdrawn).kind == Kind::failed);
}
