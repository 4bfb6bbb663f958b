#include "json/json.hpp"
#include "mcp/call.hpp"
#include "process/own_command.hpp"
#include "run_tools/documents.hpp"
#include "run_tools/logs.hpp"
#include "run_tools/offer.hpp"
#include "run_tools/results.hpp"
#include "run_tools/workflows.hpp"

#include <catch2/catch.hpp>

using namespace run_tools;

namespace {

struct Options {
    std::vector<std::string> options;
    std::string mistakes;
};

Options options_in(const std::string& object) {
    mcp::Arguments arguments(object);
    Options found;
    found.options = run_tools::mcp_run_options(arguments);
    found.mistakes = arguments.mistakes();
    return found;
}

std::string log_lines(int count, std::size_t size) {
    std::string lines;
    for (int i = 0; i < count; ++i)
        lines += R"({"time":1,"task":)" + std::to_string(i) + R"(,"stream":")" +
                 (i % 2 ? "stdout" : "stderr") + R"(","text":")" + std::string(size, 'x') + "\"}\n";
    return lines;
}

process::ChildResult failed_with(std::string output) {
    process::ChildResult result;
    result.end = process::ChildResult::End::exited;
    result.code = 2;
    result.error_output = std::move(output);
    return result;
}

}  // namespace

TEST_CASE("mcp: arguments of a run become options of the command, each in one word") {
    auto found =
        options_in(R"({"entrypoint_value":{"a": 1.50},"agents":["claude","codex=12"],"name":"wake","jobs":2,)"
                   R"("pool":"p q","max_tasks":7,"budget_usd":1.5,"reuse":"last","config":"x","other":1})");
    CHECK(found.mistakes.empty());
    CHECK(found.options == std::vector<std::string>{R"(--entrypoint-value={"a":1.50})", "--agent=claude",
                                                    "--agent=codex=12", "--pool=p q", "--reuse=last",
                                                    "--name=wake", "--jobs=2", "--max-tasks=7",
                                                    "--budget-usd=1.5"});
    CHECK(options_in(R"({"entrypoint_value":null,"initial_state":"[{\"kind\":\"A\"}]","budget_usd":null})")
              .options == std::vector<std::string>{R"(--initial-state=[{"kind":"A"}])"});
    CHECK(options_in(R"({"entrypoint_value":"a path"})").options ==
          std::vector<std::string>{R"(--entrypoint-value="a path")"});
}

TEST_CASE("mcp: a run begins in one way, and has a name that runs may have") {
    CHECK(options_in(R"({"entrypoint_value":1,"initial_state":[]})").mistakes.find("cannot both be given") !=
          std::string::npos);
    CHECK(options_in(R"({"name":"last"})").mistakes.find("not be `last`") != std::string::npos);
    CHECK(options_in(R"({"name":"a b"})").mistakes.find("`name` must be") == 0);
    CHECK(options_in(R"({"name":"a.b"})").mistakes.empty());
    CHECK(options_in(R"({"budget_usd":0})").mistakes.find("from 0.000001 to 1000000000") !=
          std::string::npos);
}

TEST_CASE("mcp: no agent is a command of the model's own") {
    for (const char* agent : {"exec", "exec=1,exec=x", "claude=1,exec=x", "claude=0", "claude=", "claude=1x",
                              "claude=1000", "acp", "", "Claude", "claude,model=x", "--agent=exec"}) {
        INFO(agent);
        auto found = options_in(std::string(R"({"agents":[")") + agent + "\"]}");
        CHECK(found.mistakes.find("must be claude, codex or gemini") != std::string::npos);
    }
}

TEST_CASE("mcp: a list is cut where it does not fit any more") {
    CHECK(run_tools::fitted({}, 0).elements.empty());
    auto list = run_tools::fitted({"11", "22", "3333", "4"}, 7);
    CHECK(list.elements == "11,22");
    CHECK(list.left_out == 2);
}

TEST_CASE("mcp: of the output, the last lines are shown") {
    auto shown = run_tools::logs_result(log_lines(4, 1), 2, "");
    CHECK(shown ==
          R"({"kind":"Logs","outputs":[{"task":2,"stream":"stderr","since":"1970-01-01T00:00:00.001Z",)"
          R"("lines":["x"]},{"task":3,"stream":"stdout","since":"1970-01-01T00:00:00.001Z","lines":["x"]}],)"
          R"("earlier_lines":2})");
    CHECK(run_tools::logs_result(log_lines(4, 1), 9, "stderr").ends_with(R"(],"earlier_lines":0})"));
    CHECK(run_tools::logs_result(log_lines(4, 1), 1, "stderr").find(R"("task":2)") != std::string::npos);
    CHECK(run_tools::logs_result("", 9, "") == R"({"kind":"Logs","outputs":[],"earlier_lines":0})");
    for (std::size_t size : {100U, 5'000U, 100'000U}) {
        auto cut = run_tools::logs_result(log_lines(1000, size), 1000, "");
        CHECK(cut.size() < mcp::result_limit);
        CHECK_FALSE(json::check(cut));
        CHECK(cut.find(R"("task":999,)") != std::string::npos);
    }
}

TEST_CASE("mcp: lines of one stream are shown together, and what is no text is told") {
    std::string lines = R"({"time":5,"task":1,"stream":"stdout","text":"a"})"
                        "\n"
                        R"({"time":6,"task":1,"stream":"stderr","base64":"/w=="})"
                        "\n"
                        R"({"time":7,"task":1,"stream":"stdout","omitted":3})"
                        "\n";
    CHECK(
        run_tools::logs_result(lines, 9, "") ==
        R"({"kind":"Logs","outputs":[{"task":1,"stream":"stdout","since":"1970-01-01T00:00:00.005Z",)"
        R"("lines":["a","[3 bytes left out]"]},{"task":1,"stream":"stderr","since":"1970-01-01T00:00:00.006Z",)"
        R"("lines":["[not UTF-8, in base64] /w=="]}],"earlier_lines":0})");
}

TEST_CASE("mcp: problems are told as far as they fit") {
    config::Problems problems;
    for (int i = 0; i < 100; ++i)
        problems.shown.push_back({"flow.json", 1, 2, std::string(3000, '"'), "excerpt"});
    problems.omitted = 5;
    for (const std::string& result :
         {run_tools::invalid_result(problems), run_tools::valid_result(problems, std::string(50'000, 'x'))}) {
        CHECK(result.size() < mcp::result_limit);
        CHECK_FALSE(json::check(result));
        CHECK(result.find(R"("left_out":)") != std::string::npos);
    }
    CHECK(run_tools::invalid_result({{{"f", 0, 0, "m"}}}) ==
          R"({"kind":"Invalid","mistakes":[{"file":"f","message":"m"}]})");
}

TEST_CASE("mcp: what is offered is JSON, and the answer of a person is not offered unless it is allowed") {
    for (const mcp::Tool& tool : mcp_offer({"/a"}, true).tools) {
        INFO(tool.name);
        CHECK_FALSE(json::check(tool.input_schema));
        CHECK_FALSE(json::check(tool.output_schema));
    }
    CHECK(mcp_offer({"/a"}, true).tools.size() == mcp_offer({"/a"}, false).tools.size() + 1);
    CHECK(run_tools::config_reference().starts_with("# "));
    CHECK(run_tools::example_configs().size() > 10);
    CHECK(run_tools::first_paragraph("// One\n// two.\n//\n// Three\n{}") == "One two.");
    CHECK(run_tools::first_paragraph("{}").empty());
}

TEST_CASE("why a command of the program has failed") {
    CHECK(process::failure_message("run", failed_with("barnum: no\nTry `barnum run --help`.\n")) == "no");
    CHECK(process::failure_message("run",
                                   failed_with("2026-11-24T22:10:43.000Z INFO  one\nbarnum: two\nthree\n")) ==
          "two\nthree");
    CHECK(process::failure_message("run", failed_with("other\n2026-11-24T22:10:43.000Z ERROR two\n")) ==
          "two");
    CHECK(process::failure_message("run", failed_with("")) == "`barnum run` exited with code 2");
}
