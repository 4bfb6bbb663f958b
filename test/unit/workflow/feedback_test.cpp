// What an attempt is told of those before it: the texts, and how they come from one attempt to the next.
#include "workflow/feedback.hpp"

#include "attempt_helper.hpp"
#include "json/json.hpp"
#include "workflow/hooks.hpp"
#include "workflow/payload.hpp"

#include <catch2/catch.hpp>

using namespace workflow_test;
using Kind = Failure::Kind;

namespace {

std::string repeated(std::string_view piece, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes)
        text += piece;
    return text;
}

config::WorkflowConfig answering(config::Step step) {
    step.options.max_retries = 9;
    step.post = config::Command{"check"};
    step.next = {{0}};
    return workflow_of({std::move(step)});
}

Failure gate_failed(std::string message, std::string response) {
    Failure failure = hook_failure("post", std::move(message));
    failure.response = std::move(response);
    return failure;
}

PreviousAttempts two_attempts() {
    auto first = with_attempt(nullptr, {1, "no \"tests\"", std::nullopt});
    return with_attempt(first, {2, "it\nfailed", "```\n[]\n```"});
}

}  // namespace

TEST_CASE("a text of at most 16 KiB is told whole, as valid UTF-8") {
    for (const std::string& text : {std::string(), std::string("a\n\x01é"), repeated("é", most_feedback)})
        CHECK(feedback_text(text) == text);
    CHECK(feedback_text("caf\xE9!") == "caf\xEF\xBF\xBD!");
    CHECK(feedback_text(" [] \n") == " []");
    CHECK(feedback_text("\n").empty());
}

TEST_CASE("of a longer text the beginning and the end are told, and how much is left out") {
    std::string text = "begins\n" + repeated("0123456789abcde\n", 3 * most_feedback) + "ends";
    std::string told = feedback_text(text);
    CHECK(told.size() <= most_feedback);
    CHECK(told.size() > most_feedback - 256);
    CHECK(told.starts_with("begins\n0123"));
    CHECK(told.ends_with("abcde\nends"));
    std::size_t mark = told.find("… [");
    REQUIRE(mark != std::string::npos);
    std::size_t end = told.find(" bytes are left out here]\n0123");  // a whole line follows
    REQUIRE(end != std::string::npos);
    std::size_t left_out = std::stoul(told.substr(mark + std::string_view("… [").size()));
    CHECK(left_out + mark + (told.size() - told.find('\n', end) - 1) == text.size());
    CHECK(feedback_text(told) == told);
}

TEST_CASE("an end that begins within a line says so") {
    std::string told = feedback_text(std::string(2 * most_feedback, 'x'));
    CHECK(told.find(" bytes are left out here]\n…xxx") != std::string::npos);
    CHECK(told.size() <= most_feedback);
}

TEST_CASE("no character is cut") {
    for (std::size_t shift = 0; shift < 4; ++shift) {
        std::string told =
            feedback_text(std::string(shift, 'x') + repeated("\xF0\x9F\x90\x98", 2 * most_feedback));
        CHECK_FALSE(json::invalid_utf8(told));
        CHECK(told.find("\xEF\xBF\xBD") == std::string::npos);
        CHECK(told.size() <= most_feedback);
    }
    // Bytes that are not UTF-8 become longer.
    std::string told = feedback_text(std::string(most_feedback, '\xFF'));
    CHECK(told.size() <= most_feedback);
    CHECK_FALSE(json::invalid_utf8(told));
}

TEST_CASE("previous attempts are written as JSON and in words") {
    auto attempts = two_attempts();
    CHECK(to_json(*attempts) == R"([{"attempt":1,"error":"no \"tests\"","response":null},)"
                                R"({"attempt":2,"error":"it\nfailed","response":"```\n[]\n```"}])");
    CHECK(to_json({}) == "[]");
    std::string section = feedback_section(*attempts);
    CHECK_THAT(section, Catch::StartsWith("\n\n## Previous Attempts\n\nThis task was attempted before"));
    CHECK_THAT(section, Catch::Contains("\n\n### Attempt 1\n\nIt failed:\n\n```text\nno \"tests\"\n```\n\n"
                                        "### Attempt 2\n\nIt failed:\n\n```text\nit\nfailed\n```\n\n"
                                        "Its response was:\n\n````text\n```\n[]\n```\n````"));
}

TEST_CASE("an agent gets the previous attempts, and the first attempt's content stays as it was") {
    auto step = pool_step("Read");
    step.pool_instructions = "Read.";
    step.options.timeout_text = "1.5";
    step.options.timeout.emplace(1500);
    auto value = std::make_shared<const std::string>("1.0");
    auto attempts = two_attempts();
    CHECK(pool_payload(step, value, attempts).text() ==
          R"({"task":{"kind":"Read","value":1.0},"instructions":)" +
              json::quote("Read." + feedback_section(*attempts)) +
              R"(,"timeout_seconds":1.5,"previous_attempts":)" + to_json(*attempts) + "}");
    CHECK(pool_payload(step, value, nullptr).text() == pool_payload(step, value).text());

    auto config = workflow_of({step});
    AttemptMachine machine(config, {0}, value, false, attempts);
    CHECK(input_of(machine.begin()) == pool_payload(step, value, attempts).text());
}

TEST_CASE("a retry is told of the last three attempts, and of nothing after its end") {
    Run run(answering(pool_step("A")));
    run.begin({"A"});
    TaskId task = run.take();
    CHECK_FALSE(run.state.previous_of(task));
    for (std::uint32_t number = 1; number <= 5; ++number) {
        std::string error = "error " + std::to_string(number);
        auto group = run.end(task, gate_failed(error, "answer " + std::to_string(number)));
        CHECK_FALSE(run.state.previous_of(task));
        task = run.take();
        auto told = run.state.previous_of(task);
        REQUIRE(told);
        REQUIRE(told->size() == std::min<std::size_t>(number, 3));
        CHECK(told->back() == PreviousAttempt{number, error, "answer " + std::to_string(number)});
        CHECK(told->front().attempt == (number < 3 ? 1 : number - 2));
    }
    run.succeed(task);
    CHECK(run.state.previous_attempts.empty());
}

TEST_CASE("what a retry is told is bounded, whatever a log contains") {
    Run run(answering(pool_step("A")));
    run.begin({"A"});
    std::string long_text = repeated("wrong\n", 5 * most_feedback);
    run.apply_all({TaskCompleted{{0}, Failed{gate_failed(long_text, long_text), TaskId{1}}},
                   TaskSubmitted{{1}, {0}, run.task({0}).value, std::nullopt, Retry{{0}}}});
    auto told = run.state.previous_of({1});
    REQUIRE(told);
    CHECK(told->back().error == feedback_text(long_text));
    CHECK(told->back().response == feedback_text(long_text));
}

TEST_CASE("without retry_feedback a retry is told of nothing, and nothing is kept in the log") {
    auto config = answering(pool_step("A"));
    config.steps[0].options.retry_feedback = false;
    Run run(config);
    run.begin({"A"});
    auto group = run.end(run.take(), gate_failed("wrong", "[]"));
    CHECK_FALSE(std::get<Failed>(std::get<TaskCompleted>(group[0]).outcome).failure().response);
    CHECK(run.state.previous_attempts.empty());
}

TEST_CASE("a response is kept in the log only if a retry follows") {
    auto config = answering(pool_step("A"));
    config.steps[0].options.max_retries = 1;
    Run run(config);
    run.begin({"A"});
    auto response = [](const Group& group) {
        return std::get<Failed>(std::get<TaskCompleted>(group[0]).outcome).failure().response;
    };
    CHECK(response(run.end(run.take(), gate_failed("wrong", "[]"))) == "[]");
    CHECK_FALSE(response(run.end(run.take(), gate_failed("wrong", "[]"))));
    CHECK(run.state.over());
    CHECK(run.state.previous_attempts.empty());
}

TEST_CASE("a finally is told of its own attempts, and not of its task's") {
    auto step = command_step("A");
    step.options.max_retries = 1;
    step.finally = config::Command{"true"};
    Run run(workflow_of({step}));
    run.begin({"A"});
    run.fail(run.take());
    run.fail(run.take());
    TaskId finally = run.take();
    CHECK(run.task(finally).finally_for);
    CHECK_FALSE(run.state.previous_of(finally));
    run.end(finally, hook_failure("finally", "not yet"));
    auto told = run.state.previous_of(run.take());
    REQUIRE(told);
    CHECK(*told == std::vector{PreviousAttempt{1, "not yet", std::nullopt}});
}

TEST_CASE("a failure knows what was answered, if anything was") {
    const std::string wrong = R"([{"kind":"Nowhere","value":1}])";
    auto response = [](config::Step step, const Parts& parts, bool has_post = true, bool is_finally = false) {
        if (has_post) step.post = config::Command{"check"};
        step.finally = config::Command{"true"};
        auto config = workflow_of({std::move(step)});
        return attempt(config, {0}, parts, is_finally).failure().response;
    };
    for (bool has_post : {false, true}) {
        CHECK(response(pool_step("A"), {.action = PoolAnswer(PoolResponse{wrong, ""})}, has_post) == wrong);
        CHECK(response(command_step("A"), {.action = ScriptEnd(ScriptOutput{"words"})}, has_post) == "words");
        CHECK_FALSE(response(pool_step("A"), {.action = PoolAnswer(PoolTimeout{})}, has_post));
        CHECK_FALSE(response(pool_step("A"), {.action = PoolAnswer(agent_failure())}, has_post));
        CHECK_FALSE(response(command_step("A"), {.action = ScriptEnd(exited(3))}, has_post));
    }
    Parts gate{.action = PoolAnswer(PoolResponse{" []", ""}), .post = fails(exited(1))};
    CHECK(response(pool_step("A"), gate) == " []");
    gate.post = prints(R"({"kind":"Error","error":"the tests fail"})");
    CHECK(response(pool_step("A"), gate) == " []");
    gate.post = prints(R"({"kind":"Success","next":)" + wrong + "}");
    CHECK(response(pool_step("A"), gate) == " []");
    CHECK(response(command_step("A"), {.finally = prints("words")}, false, true) == "words");
    std::string long_text = repeated("wrong\n", 5 * most_feedback);
    CHECK(response(pool_step("A"), {.action = PoolAnswer(PoolResponse{long_text, ""})}) ==
          feedback_text(long_text));
}

TEST_CASE("a lenient step takes the response out of the text around it, and says so") {
    const std::string words = "Here it is:\n```json\n[{\"kind\": \"A\", \"value\": 1}]\n```";
    for (bool is_pool : {false, true}) {
        auto step = is_pool ? pool_step("A") : command_step("A");
        step.next = {{0}};
        AttemptEvent action = is_pool ? AttemptEvent(PoolAnswer(PoolResponse{words, ""}))
                                      : AttemptEvent(ScriptEnd(ScriptOutput{words}));
        auto strict = attempt(workflow_of({step}), {0}, {.action = action});
        CHECK(strict.failure().kind == Kind::invalid_response);
        CHECK_FALSE(strict.is_lenient);

        step.options.lenient_response = true;
        auto lenient = attempt(workflow_of({step}), {0}, {.action = action});
        CHECK(lenient.next().size() == 1);
        CHECK(lenient.is_lenient);

        step.post = config::Command{"check"};
        auto checked = attempt(workflow_of({step}), {0}, {.action = action});
        CHECK_THAT(checked.inputs.back(), Catch::Contains(R"("output":[{"kind": "A", "value": 1}],"next")"));
        CHECK(checked.is_lenient);
        CHECK(attempt(workflow_of({step}), {0}, {.action = action, .post = fails(exited(1))}).is_lenient);
    }
}

TEST_CASE("of a lenient step's words the array must be valid, and the failure shows them all") {
    auto step = pool_step("A");
    step.options.lenient_response = true;
    const std::string words = R"(It is [{"kind": "B", "value": 1}].)";
    auto failed = attempt(workflow_of({step}), {0}, {.action = PoolAnswer(PoolResponse{words, "agent a"})});
    CHECK_THAT(failed.failure().message,
               Catch::StartsWith("agent a: invalid response: element 1: kind \"B\""));
    CHECK_THAT(failed.failure().message, Catch::EndsWith("it was: " + words));
    CHECK(failed.failure().response == words);
    CHECK_FALSE(failed.is_lenient);
}

TEST_CASE("a completion says that the response was taken out of the text around it") {
    Run run(workflow_of({command_step("A")}));
    run.begin({"A"});
    TaskId task = run.take();
    for (bool is_lenient : {false, true}) {
        Group group = decide(run.config, run.state, task, std::vector<config::NewTask>(), {}, is_lenient);
        CHECK(std::get<TaskCompleted>(group.front()).is_lenient == is_lenient);
    }
}
