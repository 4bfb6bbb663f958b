// One task with an agent's program: answers, repairs, and what failures come to.
#include "agents/program_task.hpp"

#include "base/text.hpp"
#include "json/json.hpp"

#include <catch2/catch.hpp>

namespace {

using namespace agents;
using Kind = WorkEnd::Kind;
using Time = ProgramTask::Time;

constexpr std::string_view content =
    R"({"task":{"kind":"Review","value":{"file":"a.cpp"}},"instructions":"Review it.","timeout_seconds":60})";
const std::string schema =
    R"({"type":"array","items":{"anyOf":[{"type":"object","required":["kind","value"],)"
    R"("additionalProperties":false,"properties":{"kind":{"const":"Note"},"value":{"type":"object",)"
    R"("required":["text"],"properties":{"text":{"type":"string"}}}}}]}})";
const std::string note = R"([{"kind":"Note","value":{"text":"short"}}])";

agent_driver::AgentGroup claude() {
    agent_driver::AgentGroup group;
    group.settings.directory = "/work";
    return group;
}

std::string answer(std::string_view text) {
    return base::concat(R"({"type":"result","subtype":"success","is_error":false,"result":)",
                        json::quote(text), R"(,"session_id":"s1","total_cost_usd":0.5,"modelUsage":{"opus":)",
                        R"({"inputTokens":100,"cacheReadInputTokens":20,"outputTokens":7}}})", "\n");
}

std::string failure(std::string_view members) {
    return base::concat(R"({"type":"result","subtype":"success","is_error":true,)", members, "}\n");
}

// The kinds of actions, in order: "write", "close", "end", "show TEXT". An activity without a text is left
// out.
std::string words_of(const ProgramTask::Actions& actions) {
    std::string words;
    for (const auto& action : actions) {
        const auto* show = std::get_if<ProgramTask::ShowActivity>(&action);
        if (show && show->activity.text.empty()) continue;
        if (!words.empty()) words += ' ';
        if (std::holds_alternative<ProgramTask::Write>(action)) words += "write";
        if (std::holds_alternative<ProgramTask::CloseInput>(action)) words += "close";
        if (std::holds_alternative<ProgramTask::EndProgram>(action)) words += "end";
        if (show) words += "show " + activity_text(show->activity);
    }
    return words;
}

struct Run {
    explicit Run(agent_driver::AgentGroup group = claude(), std::string response_schema = schema)
        : task(group, content, std::move(response_schema)) {
        launch = task.launch(Time(0));
    }

    std::string output(std::string_view text) {
        last = task.output(text, Time(1000));
        return words_of(last);
    }
    const WorkEnd& end() const {
        REQUIRE(task.end());
        return *task.end();
    }

    ProgramTask task;
    agent_driver::Launch launch;
    ProgramTask::Actions last;
};

}  // namespace

TEST_CASE("a valid answer is the response, with a report of the work") {
    Run run;
    CHECK(run.output(
              "{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s1\",\"model\":\"opus\"}\n") == "");
    CHECK_FALSE(run.task.end());
    CHECK(run.output(answer(note)) == "close");
    CHECK(run.end().kind == Kind::responded);
    CHECK(run.end().response == note);
    CHECK(run.end().mistakes.empty());
    pool_protocol::AgentReport report;
    report.kind = "claude";
    report.model = "opus";
    report.session = "s1";
    report.turns = 1;
    report.input_tokens = 120;
    report.cached_tokens = 20;
    report.output_tokens = 7;
    report.usd = 0.5;
    CHECK(run.end().report == report);
}

TEST_CASE("a wrong answer goes back with its mistakes, up to max_repairs times") {
    Run run;
    CHECK(run.output(answer(R"([{"kind":"Note","value":{}}])")) == "write");
    CHECK(std::get<ProgramTask::Write>(run.last.back()).text.find("Element 1: its value does not match") !=
          std::string::npos);
    CHECK_FALSE(run.task.end());
    CHECK(run.output(answer(R"([{"kind":"Nota","value":{}}])")) == "write");
    SECTION("the second repair is right") {
        CHECK(run.output(answer(note)) == "close");
        CHECK(run.end().response == note);
        CHECK(run.end().report->repairs == 2);
        CHECK(run.end().mistakes.empty());
    }
    SECTION("a wrong answer after the last repair is given in as it is") {
        CHECK(run.output(answer("[1]")) == "close");
        CHECK(run.end().kind == Kind::responded);
        CHECK(run.end().response == "[1]");
        CHECK(run.end().mistakes != "");
    }
    SECTION("a failure in a repair counts") {
        CHECK(run.output(failure(R"("result":"Invalid API key","api_error_status":401)")) == "end");
        CHECK(run.end().kind == Kind::unusable);
    }
}

TEST_CASE("what the program sends back by itself counts as repairs, too") {
    auto call = [](std::string_view id) {
        return base::concat(R"({"type":"assistant","message":{"id":")", id,
                            R"(","content":[{"type":"tool_use","id":")", id,
                            R"(","name":"StructuredOutput","input":{}}]}})", "\n");
    };
    auto refused = [](std::string_view id) {
        return base::concat(R"({"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":")",
                            id, R"(","is_error":true,"content":"root: no tasks"}]}})", "\n");
    };
    Run run;
    run.output(call("a") + refused("a") + call("b"));
    SECTION("an answer") {
        CHECK(run.output(answer(R"([{"kind":"Note","value":{}}])")) == "write");
        CHECK(run.output(answer("[1]")) == "close");
        CHECK(run.end().report->repairs == 2);
    }
    SECTION("none") {
        run.output(refused("b"));
        CHECK(run.output(
                  R"({"type":"result","subtype":"error_max_structured_output_retries","errors":["gave up"]})"
                  "\n") == "end");
        CHECK(run.end().report->repairs == 1);
        CHECK(run.end().message == "gave up: root: no tasks");
    }
}

TEST_CASE("without repairs, or without a schema, the first answer counts") {
    auto group = claude();
    group.max_repairs = 0;
    Run strict(group);
    CHECK(strict.output(answer("[1]")) == "close");
    CHECK(strict.end().response == "[1]");
    Run free(claude(), "");
    CHECK(free.output(answer("as you like")) == "close");
    CHECK(free.end().response == "as you like");
}

TEST_CASE("an empty answer is asked for again, and then no response") {
    for (const std::string& given : {std::string(), schema}) {
        Run run(claude(), given);
        CHECK(run.output(answer("")) == "write");
        CHECK(run.output(answer(" \n")) == "write");
        CHECK(run.output(answer("")) == "close");
        CHECK(run.end().kind == Kind::failed);
        CHECK(run.end().failure == "no_answer");
    }
}

TEST_CASE("what failures come to") {
    struct Row {
        std::string members;
        Kind kind;
        std::string failure;
        bool is_permanent;
    };
    const Row rows[] = {
        {R"("result":"limit","api_error_status":429)", Kind::parked, "usage_limit", false},
        {R"("result":"busy","api_error_status":529)", Kind::unavailable, "overloaded", false},
        {R"("result":"key","api_error_status":401)", Kind::unusable, "not_ready", false},
        {R"("result":"long","terminal_reason":"prompt_too_long")", Kind::failed, "too_large", true},
        {R"("result":"no","stop_reason":"refusal")", Kind::failed, "refusal", false},
        {R"("result":"what?")", Kind::failed, "error", false},
    };
    for (const Row& row : rows) {
        Run run;
        CHECK(run.output(failure(row.members)) == "end");
        CHECK(run.end().kind == row.kind);
        CHECK(run.end().failure == row.failure);
        CHECK(run.end().is_permanent == row.is_permanent);
        CHECK(row.members.find(base::concat("\"", run.end().message, "\"")) != std::string::npos);
    }
}

TEST_CASE("messages and mistakes have a limit, however much a program says") {
    Run failing;
    std::string long_text(300'000, 'x');
    failing.output(failure(base::concat(R"("result":")", long_text, "\"")));
    CHECK(failing.end().message.size() == 4000);
    Run wrong;
    CHECK(wrong.output(answer(base::concat(R"([{"kind":")", long_text, R"(","value":1}])"))) == "write");
    CHECK(std::get<ProgramTask::Write>(wrong.last.back()).text.size() < 20'000);
}

TEST_CASE("a program that does not read what it has asked for has failed, and only then") {
    Run run;
    CHECK(words_of(run.task.not_read()) == "end");
    CHECK(run.task.end()->message == "what it has asked for and not read had more than 67108864 bytes");
    CHECK(run.task.not_read().empty());
}

TEST_CASE("a line without an end fails the attempt, with the number") {
    Run run;
    std::string piece(std::size_t{1} << 20, 'x');
    for (int sent = 0; sent < 65; ++sent)
        CHECK(run.task.output(piece, Time(1)).empty());
    CHECK(words_of(run.task.output("\n", Time(1))) == "end");
    CHECK(run.task.end()->message.starts_with("a line of its output had more than 67108864 bytes"));
}

TEST_CASE("the end of a program without an answer") {
    Run run;
    run.task.error_output("it broke\nbadly", Time(5));
    run.task.output("half a li", Time(6));
    run.task.exited({3, 0}, Time(7));
    CHECK(run.end().kind == Kind::unusable);  // it ended before it said anything
    CHECK(run.end().message.find("it broke\nhalf a li\nbadly") != std::string::npos);
    Run killed;
    killed.output("{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s1\"}\n");
    killed.task.exited({0, 9}, Time(7));
    CHECK(killed.end().failure == "killed");
    Run answered;
    answered.output(answer(note));
    answered.task.exited({1, 0}, Time(7));
    CHECK(answered.end().kind == Kind::responded);
}

TEST_CASE("an answer whose line has no end counts when the program has ended") {
    Run run;
    std::string line = answer(note);
    run.output(line.substr(0, line.size() - 1));
    CHECK_FALSE(run.task.end());
    run.task.exited({0, 0}, Time(7));
    CHECK(run.end().kind == Kind::responded);
}

TEST_CASE("a silent program is ended at its deadline, which moves with each line") {
    Run run;
    CHECK(run.task.deadline() == Time(600'000));
    run.output("{\"type\":\"system\"}\n");
    CHECK(run.task.deadline() == Time(601'000));
    CHECK(words_of(run.task.deadline_passed(Time(600'500))) == "");
    CHECK(words_of(run.task.deadline_passed(Time(601'000))) == "end");
    CHECK(run.end().failure == "stalled");
    CHECK_FALSE(run.task.deadline());
}

TEST_CASE("a task whose time is over while the provider fails is not at fault") {
    std::string retry = R"({"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,)";
    Run run;
    SECTION("overloaded") {
        run.output(retry + R"("error_status":529,"error":"overloaded"})" + "\n");
        run.task.time_is_over();
        CHECK(run.end().kind == Kind::unavailable);
        CHECK(run.end().message.starts_with("its requests failed until the task's time was over"));
    }
    SECTION("a usage limit") {
        run.output(retry + R"("error_status":429,"error":"rate_limit"})" + "\n");
        run.task.time_is_over();
        CHECK(run.end().kind == Kind::parked);
    }
    SECTION("not if a request has got through again") {
        run.output(retry + R"("error_status":529,"error":"overloaded"})" + "\n");
        run.output(R"({"type":"assistant","message":{"id":"m1","content":[],"usage":{"input_tokens":1}}})"
                   "\n");
        run.task.time_is_over();
        CHECK_FALSE(run.task.end());
    }
    SECTION("nor if there is an answer") {
        run.output(retry + R"("error_status":529,"error":"overloaded"})" + "\n");
        run.output(answer(note));
        run.task.time_is_over();
        CHECK(run.end().kind == Kind::responded);
    }
}

TEST_CASE("what the program does is shown") {
    Run run;
    CHECK(
        run.output(R"({"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","name":"Edit",)"
                   R"("input":{"file_path":"/work/a.cpp"}}],"usage":{"input_tokens":1,"output_tokens":1}}})"
                   "\n") == "show Edit a.cpp · turn 1");
    CHECK(run.task.report().turns == 1);
}

TEST_CASE("with what the program does it is shown what it has used so far, if that has changed") {
    Run run;
    std::string line = R"({"type":"assistant","message":{"id":"m1","content":[],"usage":{"input_tokens":10,)"
                       R"("cache_read_input_tokens":5,"output_tokens":2}}})"
                       "\n";
    run.output(line);
    REQUIRE(run.last.size() == 1);
    pool_protocol::AgentActivity used;
    used.turn = 1;
    used.input_tokens = 15;
    used.cached_tokens = 5;
    used.output_tokens = 2;
    CHECK(std::get<ProgramTask::ShowActivity>(run.last.front()).activity == used);
    run.output(line);
    CHECK(run.last.empty());
    run.output(answer(note));
    REQUIRE(run.last.size() == 2);
    CHECK(std::get<ProgramTask::ShowActivity>(run.last.front()).activity.usd == 0.5);
    CHECK(run.task.activity().input_tokens == 120);
}

TEST_CASE("tools that were denied are kept, each once, and only a few of many") {
    Run run;
    auto denying = [](std::string_view tools) {
        std::string line = answer(note);
        line.insert(1, base::concat(R"("permission_denials":[)", tools, "],"));
        return line;
    };
    run.output(denying(R"({"tool_name":"Bash"},{"tool_name":"Write\n"},{"tool_name":"Bash"})"));
    CHECK(run.task.denied() == std::vector<std::string>{"Bash (claude)", "Write  (claude)"});
    CHECK(run.task.report().refused == "Bash (claude), Write  (claude)");
    CHECK(run.task.activity().text == "refused by claude: Write ");
    Run many;
    std::string tools;
    for (int i = 0; i < 100; ++i)
        tools += base::concat(i > 0 ? "," : "", R"({"tool_name":"T)", i, "\"}");
    many.output(denying(tools));
    CHECK(many.task.denied().size() == 10);
}

TEST_CASE("what is told of a program has no secrets, before it is shortened; its answer is data") {
    agent_driver::Surroundings surroundings;
    surroundings.redact = [](std::string_view text) {
        std::string out(text);
        for (std::size_t at = out.find("swordfish"); at != out.npos; at = out.find("swordfish"))
            out.replace(at, 9, "***");
        return out;
    };
    ProgramTask task(claude(), content, "", "", surroundings);
    (void)task.launch(Time(0));
    const std::string command = std::string(112, 'x') + "swordfish";
    task.output(
        base::concat(R"({"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t",)",
                     R"("name":"Bash","input":{"command":")", command, "\"}}]}}\n"),
        Time(0));
    CHECK(task.activity().text == "Bash " + std::string(112, 'x') + "***");
    task.output(answer("swordfish"), Time(0));
    REQUIRE(task.end());
    CHECK(task.end()->response == "swordfish");

    ProgramTask failing(claude(), content, "", "", surroundings);
    (void)failing.launch(Time(0));
    failing.output(failure(base::concat(R"("result":")", std::string(3995, 'x'), "swordfish\"")), Time(0));
    REQUIRE(failing.end());
    CHECK(failing.end()->message == std::string(3995, 'x') + "***");
}

TEST_CASE("the launch holds the prompt") {
    Run run;
    REQUIRE(run.launch.lines.size() == 1);
    CHECK(run.launch.lines.front().find("Review it.") != std::string::npos);
    CHECK(run.launch.lines.front().find(R"({\"file\":\"a.cpp\"})") != std::string::npos);
    CHECK(run.launch.lines.front().find("timeout_seconds") == std::string::npos);
}

TEST_CASE("prices count for a program that tells no price, and only for that") {
    agent_driver::AgentGroup group = claude();
    group.settings.prices = agent_driver::Prices{3, 0.3, 15};
    Run told(group);
    told.output(answer(note));
    CHECK(told.end().report->usd == 0.5);
    Run untold(group);
    std::string line = answer(note);
    std::string_view price = R"(,"total_cost_usd":0.5)";
    line.erase(line.find(price), price.size());
    untold.output(line);
    CHECK(untold.end().report->usd.value() == Approx((100 * 3 + 20 * 0.3 + 7 * 15) / 1e6));
    CHECK(untold.end().report->price_list.empty());
    Run without;
    without.output(line);
    CHECK_FALSE(without.end().report->usd);
}
