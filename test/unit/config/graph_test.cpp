#include "config/graph.hpp"

#include "config/description.hpp"
#include "config/finally_steps.hpp"
#include "json/json.hpp"
#include "load_helper.hpp"

namespace {

using namespace config_test;

constexpr const char* graph_config = R"({
  "entrypoint": "Start",
  "steps": [
    {"name": "Start", "action": {"kind": "Command", "script": "ls"}, "next": ["Look", "End"],
     "pre": {"kind": "Command", "script": "cat"}, "post": {"kind": "Command", "script": "cat"},
     "finally": {"kind": "Command", "script": "jq -c '[{ kind: \"Report\", value: . }]'"}},
    {"name": "Look", "action": {"kind": "Pool", "instructions": "Look at ```it```."}, "next": ["End"]},
    {"name": "End", "value_schema": {"type": "object"}, "action": {"kind": "Pool", "instructions": "End."}},
    {"name": "Report", "action": {"kind": "Command", "script": "true"}}
  ]})";

// What a finally with that script is known to emit, of the steps Start, End and "A b".
std::string emitted(const std::string& script) {
    auto config = good(R"({"steps": [{"name": "Start", "action": {"kind": "Command", "script": "true"},
        "finally": {"kind": "Command", "script": )" +
                       json::quote(script) + R"(}},
        {"name": "End", "action": {"kind": "Pool", "instructions": "x"}},
        {"name": "A b", "action": {"kind": "Pool", "instructions": "x"}}]})");
    auto found = config::finally_steps(config, config.steps[0]);
    std::string out = found.is_open ? "open" : "";
    for (config::StepId id : found.named)
        out += (out.empty() ? "" : ",") + config.step(id).name;
    return out;
}

}  // namespace

TEST_CASE("a graph for Graphviz shows kinds, ends, hooks, next steps and known finally steps") {
    std::string dot = config::dot_graph(good(graph_config));
    CHECK(dot.starts_with("digraph workflow {\n"));
    CHECK(has(dot,
              "  \"Start\" [label=\"Start\\n[pre, post, finally]\", shape=diamond, style=filled, "
              "fillcolor=\"#fff3e0\"];\n"));
    CHECK(has(dot, "  \"Look\" [label=\"Look\", shape=box, style=filled, fillcolor=\"#e3f2fd\"];\n"));
    CHECK(has(dot,
              "  \"End\" [label=\"End\", shape=box, style=filled, fillcolor=\"#e3f2fd\", peripheries=2];\n"));
    CHECK(has(dot, "  \"Start\" -> \"Look\";\n  \"Start\" -> \"End\";\n"));
    CHECK(has(dot, "  \"Start\" -> \"Report\" [style=dashed, label=\"finally\"];\n"));
    CHECK(dot.ends_with("}\n"));
}

TEST_CASE("names in graphs are quoted") {
    auto config = good(R"({"steps": [{"name": "a\"b\\", "action": {"kind": "Pool"}, "next": ["<&#é>"]},
                                     {"name": "<&#é>", "action": {"kind": "Pool"}}]})");
    std::string dot = config::dot_graph(config);
    CHECK(has(dot, R"("a\"b\\" -> "<&#é>";)"));
    CHECK(has(dot, R"([label="<&amp;#é>")"));
    std::string mermaid = config::mermaid_graph(config);
    CHECK(has(mermaid, "s0[\"a#34;b#92;\"]"));
    CHECK(has(mermaid, "s1[\"#60;#38;#35;é#62;\"]"));
}

TEST_CASE("a graph for Mermaid shows the same") {
    std::string mermaid = config::mermaid_graph(good(graph_config));
    CHECK(mermaid.starts_with("flowchart TD\n"));
    CHECK(has(mermaid, "    s0{\"Start<br/>#91;pre#44; post#44; finally#93;\"}:::command\n"));
    CHECK(has(mermaid, "    s1[\"Look\"]:::pool\n"));
    CHECK(has(mermaid, "    s2[\"End\"]:::pool_end\n"));
    CHECK(has(mermaid, "    s3{\"Report\"}:::command_end\n"));
    CHECK(has(mermaid, "    s0 --> s1\n    s0 --> s2\n    s0 -. finally .-> s3\n"));
}

TEST_CASE("a finally's script that names a kind is known to emit it") {
    CHECK(emitted("jq -c '[{ kind: \"End\", value: . }]'") == "End");
    CHECK(emitted("echo '[{\"kind\":\"End\",\"value\":1}]'") == "End");
    CHECK(emitted("echo \"[{\\\"kind\\\": \\\"End\\\"}, {\\\"kind\\\": \\\"A b\\\"}]\"") == "End,A b");
    CHECK(emitted("python3 -c \"print([{'kind': 'A b'}])\"") == "A b");
    CHECK(emitted("make kind=\"Start\"") == "Start");
    CHECK(emitted("echo []") == "");
    CHECK(emitted("rm -rf tmp; echo '[]'\n") == "");
}

TEST_CASE("a finally's script that names no kind may emit any") {
    CHECK(emitted("./finish.sh") == "open");
    CHECK(emitted("jq '.kind == \"x\"'") == "open");
    CHECK(emitted("echo mankind: \"End\"") == "open");
    CHECK(emitted("echo '{\"kinds\": \"End\"}'") == "open");
    CHECK(emitted("echo 'kind: End'") == "open");
    CHECK(emitted("kind") == "open");
    CHECK(emitted("test -f x && cat x || pecho []") == "open");
}

TEST_CASE("a document has the graph, and each step with instructions and transitions") {
    auto config = good(graph_config);
    std::string text = config::describe(config, "Flow *1*");
    CHECK(text.starts_with("# Flow \\*1\\*\n\nA run starts with Start.\n"));
    CHECK(has(text, "```mermaid\n" + config::mermaid_graph(config) + "```\n"));
    CHECK(has(text,
              "### Start\n\n- Done by: a command\n- Leads to: Look, End\n"
              "- When all its descendants have finished: Report\n"));
    CHECK(has(text, "The instructions:\n\n````markdown\nLook at ```it```.\n````\n"));
    CHECK(has(text, "### End\n\n- Done by: an agent of the pool\n- Leads to: nothing (terminal step)\n"));
    CHECK(has(text, "```json\n{ \"type\": \"object\" }\n```\n"));
}

TEST_CASE("transitions are a line for each step") {
    CHECK(config::transitions(good(graph_config)) ==
          "Start -> Look, End\nLook -> End\nEnd -> (terminal)\nReport -> (terminal)\n");
}
