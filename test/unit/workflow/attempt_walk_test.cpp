// Every order of events that an attempt of any shape of step can go through, with what must hold in all of
// them.
#include "attempt_helper.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <optional>

using namespace workflow_test;
using Kind = Failure::Kind;

namespace {

constexpr config::StepId shaped{0};
constexpr auto whole_timeout = std::chrono::milliseconds(7000);
const std::string task_value = R"({"from":"task"})", pre_value = R"({"from":"pre"})";
const std::string one_task = R"([{"kind":"Next","value":1}])";
const std::string wrong_task = R"([{"kind":"Nowhere","value":1}])";

struct Ending {
    AttemptEvent event;
    bool is_success;  // a value, a valid response, or a result of kind Success
};

std::vector<Ending> script_failures() {
    ScriptFailure not_started;
    not_started.description = "could not be started: no shell";
    return {{ScriptEnd(exited(3)), false},
            {ScriptEnd(killed(11)), false},
            {ScriptEnd(timed_out()), false},
            {ScriptEnd(not_started), false}};
}

Ending output(const std::string& text, bool is_success) {
    return {ScriptEnd(ScriptOutput{text}), is_success};
}

std::vector<Ending> endings(Phase phase, const std::string& input) {
    if (phase == Phase::pool)
        return {{PoolAnswer(PoolResponse{"[]", ""}), true},
                {PoolAnswer(PoolResponse{one_task, "claude-1"}), true},
                {PoolAnswer(PoolResponse{wrong_task, "claude-1"}), false},
                {PoolAnswer(PoolResponse{"nonsense", ""}), false},
                {PoolAnswer(PoolTimeout{}), false},
                {PoolAnswer(PoolTimeout{"claude-1", "it is tired"}), false},
                {PoolAnswer(PoolRefusal{"too large"}), false},
                {PoolAnswer(agent_failure()), false},
                {PoolAnswer(AgentsLost{"three agents died"}), false}};
    std::vector<Ending> all = script_failures();
    all.push_back(output("", false));
    all.push_back(output("non sense", false));
    if (phase == Phase::pre) all.push_back(output(pre_value, true));
    if (phase == Phase::command || phase == Phase::finally) {
        all.push_back(output("[]", true));
        all.push_back(output(one_task, true));
        all.push_back(output(wrong_task, false));
    }
    if (phase == Phase::post) {
        all.push_back(output(input, input.starts_with(R"({"kind":"Success")")));
        all.push_back(output(R"({"kind":"Success","next":)" + one_task + "}", true));
        all.push_back(output(R"({"kind":"Success","next":)" + wrong_task + "}", false));
        for (std::string kind : {"Timeout", "Error", "PreHookError"})
            all.push_back(output(R"({"kind":")" + kind + R"(","error":"why"})", false));
    }
    return all;
}

struct Shape {
    bool has_pre, is_pool, has_post, has_finally, has_timeout, is_finally;
};

config::WorkflowConfig configured(const Shape& shape) {
    config::Step step = shape.is_pool ? pool_step("Shaped") : command_step("Shaped");
    step.next = {{1}};
    if (shape.has_pre) step.pre = config::Command{"pre"};
    if (shape.has_post) step.post = config::Command{"post"};
    if (shape.has_finally) step.finally = config::Command{"finally"};
    if (shape.has_timeout) step.options.timeout = whole_timeout;
    return workflow_of({std::move(step), command_step("Next")});
}

struct Passed {
    Phase phase;
    std::string input;
    bool is_success;
};

class Walk {
  public:
    explicit Walk(const Shape& shape) : shape_(shape), config_(configured(shape)) {
        AttemptMachine machine(config_, shaped, std::make_shared<const std::string>(task_value),
                               shape.is_finally);
        AttemptAction action = machine.begin();
        visit(machine, action);
    }

    std::size_t paths() const { return paths_; }

  private:
    void visit(const AttemptMachine& machine, const AttemptAction& action) {
        if (auto* end = std::get_if<EndAttempt>(&action)) return finish(machine, end->result);
        Phase phase = phase_of(action);
        std::string input = input_of(action);
        check_timeout(action);
        check_rejects_other_event(machine, phase);
        for (const Ending& ending : endings(phase, input)) {
            path_.push_back({phase, input, ending.is_success});
            REQUIRE(path_.size() <= 3);
            AttemptMachine next = machine;
            AttemptAction following = next.apply(ending.event);
            visit(next, following);
            path_.pop_back();
        }
    }

    void check_timeout(const AttemptAction& action) const {
        auto* script = std::get_if<RunScript>(&action);
        if (!script) return;
        REQUIRE(script->timeout == (shape_.has_timeout ? std::optional(whole_timeout) : std::nullopt));
    }

    void check_rejects_other_event(AttemptMachine machine, Phase phase) const {
        AttemptEvent other = PoolAnswer(PoolTimeout{});
        if (phase == Phase::pool) other = ScriptEnd(ScriptOutput{"[]"});
        REQUIRE_THROWS(machine.apply(other));
    }

    void finish(AttemptMachine machine, const AttemptResult& result) {
        ++paths_;
        check_phases();
        check_inputs();
        auto* failure = std::get_if<Failure>(&result);
        REQUIRE((failure == nullptr) == path_.back().is_success);
        if (failure) check_failure(*failure);
        REQUIRE_THROWS(machine.apply(ScriptEnd(ScriptOutput{"[]"})));
        REQUIRE_THROWS(machine.apply(PoolAnswer(PoolTimeout{})));
    }

    const Passed* passed(Phase phase) const {
        for (const Passed& part : path_)
            if (part.phase == phase) return &part;
        return nullptr;
    }

    // Exactly those phases that docs/hooks.md names, each once, and in this order.
    void check_phases() const {
        std::vector<Phase> expected, found;
        const Passed* pre = passed(Phase::pre);
        if (shape_.is_finally) {
            expected = {Phase::finally};
        } else {
            if (shape_.has_pre) expected.push_back(Phase::pre);
            if (!pre || pre->is_success) expected.push_back(shape_.is_pool ? Phase::pool : Phase::command);
            if (shape_.has_post) expected.push_back(Phase::post);
        }
        for (const Passed& part : path_)
            found.push_back(part.phase);
        REQUIRE(found == expected);
    }

    void check_inputs() const {
        const Passed* pre = passed(Phase::pre);
        std::string action_value = pre && pre->is_success ? pre_value : task_value;
        for (const Passed& part : path_) {
            if (part.phase == Phase::pre || part.phase == Phase::finally) REQUIRE(part.input == task_value);
            if (part.phase == Phase::command)
                REQUIRE(part.input == R"({"kind":"Shaped","value":)" + action_value + "}");
            if (part.phase == Phase::pool)
                REQUIRE(part.input.starts_with(R"({"task":{"kind":"Shaped","value":)" + action_value + "}"));
            if (part.phase == Phase::post) REQUIRE(part.input.find(post_prefix(action_value)) == 0);
        }
    }

    // What the post hook reads first, by how the part before it ended.
    std::string post_prefix(const std::string& value) const {
        const Passed& before = path_[path_.size() - 2];
        std::string kind = before.is_success ? "Success" : before.phase == Phase::pre ? "PreHookError" : "";
        if (kind.empty()) kind = path_.back().input.starts_with(R"({"kind":"Timeout")") ? "Timeout" : "Error";
        return R"({"kind":")" + kind + R"(","input":)" + value;
    }

    void check_failure(const Failure& failure) const {
        REQUIRE_FALSE(failure.message.empty());
        REQUIRE((failure.kind == Kind::hook_failed) == !failure.hook.empty());
        if (failure.hook == "pre") REQUIRE(!passed(Phase::pre)->is_success);
        if (failure.hook == "post") REQUIRE(passed(Phase::post));
        if (failure.hook == "finally") REQUIRE(passed(Phase::finally));
        bool is_command = failure.kind == Kind::command_failed || failure.kind == Kind::agent_failed;
        if (!is_command) REQUIRE(!(failure.exit_code || failure.signal));
        if (shape_.is_finally) REQUIRE(failure.kind != Kind::command_failed);
    }

    Shape shape_;
    config::WorkflowConfig config_;
    std::vector<Passed> path_;
    std::size_t paths_ = 0;
};

}  // namespace

TEST_CASE("an attempt of any shape ends once, after the phases of its step, whatever happens in them") {
    std::size_t paths = 0;
    for (unsigned bits = 0; bits < 64; ++bits) {
        Shape shape{(bits & 1U) != 0, (bits & 2U) != 0,  (bits & 4U) != 0,
                    (bits & 8U) != 0, (bits & 16U) != 0, (bits & 32U) != 0};
        if (shape.is_finally && !shape.has_finally) continue;
        INFO("shape " << bits);
        paths += Walk(shape).paths();
    }
    CHECK(paths > 2000);
}
