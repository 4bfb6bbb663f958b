#include "base/text.hpp"
#include "config/description.hpp"
#include "config/graph.hpp"
#include "config/load.hpp"
#include "config/reach.hpp"
#include "load_helper.hpp"

namespace {

using namespace config_test;

// Steps Split, Note and Sum, of which Split has these further members.
std::string flow(const std::string& members) {
    return base::concat(R"({"entrypoint": "Split", "steps": [)",
                        R"({"name": "Split", "action": {"kind": "Command", "script": "a"}, "next": ["Note"])",
                        members,
                        R"(}, {"name": "Note", "action": {"kind": "Pool", "instructions": "Note."}})",
                        R"(, {"name": "Sum", "action": {"kind": "Command", "script": "c"}}]})");
}

constexpr const char* gather = R"(, "gather": {"into": "Sum", "of": ["Note"]})";

// The first problem without its place.
std::string problem_of_gather(const std::string& members) {
    std::string text = problems(load(flow(members)));
    auto at = text.find("error: ");
    return at == text.npos ? text : text.substr(at + 7, text.find('\n') - at - 7);
}

}  // namespace

TEST_CASE("a gather is read") {
    auto config = good(flow(gather));
    const config::Step& split = config.steps[0];
    REQUIRE(split.gather);
    CHECK(split.gather->into == config::StepId{2});
    CHECK(split.gather->of == std::vector<config::StepId>{{1}});
    CHECK(split.has_finally());
    CHECK_FALSE(config.steps[1].has_finally());
}

TEST_CASE("mistakes in a gather are named") {
    CHECK(problem_of_gather(R"(, "gather": {"into": "Sum"})") == "\"of\" is missing in \"gather\"");
    CHECK(problem_of_gather(R"(, "gather": {"into": "Sum", "of": []})") ==
          "\"of\" must name at least one step");
    CHECK(problem_of_gather(R"(, "gather": {"into": "Sun", "of": ["Note"]})") ==
          "\"into\" names an unknown step \"Sun\"; did you mean \"Sum\"?");
    CHECK(problem_of_gather(R"(, "gather": {"into": "Sum", "of": ["Nota"]})") ==
          "\"of\" names an unknown step \"Nota\"; did you mean \"Note\"?");
    CHECK(problem_of_gather(R"(, "gather": {"into": "Sum", "of": ["Note", "Note"]})") ==
          "\"Note\" occurs twice in \"of\"");
    CHECK(problem_of_gather(R"(, "gather": {"into": "Sum", "of": "Note"})") ==
          "\"of\" must be an array, not a string");
    CHECK(has(problem_of_gather(R"(, "gather": {"into": "Sum", "form": ["Note"]})"), "\"of\" is missing"));
    CHECK(has(problem_of_gather(std::string(gather) + R"(, "finally": {"kind": "Command", "script": "x"})"),
              "a step has \"gather\" or \"finally\", not both"));
}

TEST_CASE("the step that a gather leads to can be reached") {
    auto reached = config::reachable_from(good(flow(gather)), {{0}});
    REQUIRE(reached);
    CHECK(*reached == std::vector<bool>{true, true, true});
    CHECK(*config::reachable_from(good(flow("")), {{0}}) == std::vector<bool>{true, true, false});
}

TEST_CASE("graphs show a gather as a join") {
    auto config = good(flow(gather));
    std::string dot = config::dot_graph(config);
    CHECK(has(dot, "  gather0 [label=\"gather of\\nSplit\", shape=invtriangle"));
    CHECK(has(dot, "  \"Note\" -> gather0 [style=dashed];\n  gather0 -> \"Sum\" [style=dashed];\n"));
    std::string mermaid = config::mermaid_graph(config);
    CHECK(has(mermaid, "    g0[\\\"gather of<br/>Split\"/]:::gather\n    s1 -.-> g0\n    g0 -.-> s2\n"));
    CHECK(has(mermaid, "    classDef gather "));
    CHECK_FALSE(has(config::mermaid_graph(good(flow(""))), "gather"));
}

TEST_CASE("the list of transitions names what is gathered") {
    CHECK(has(config::transitions(good(flow(gather))), "Split -> Note; gathered into Sum\n"));
}

TEST_CASE("a document says what is gathered") {
    CHECK(has(config::describe(good(flow(gather)), "Title"),
              "- When all its descendants have finished: Sum, with the results of Note\n"));
}
