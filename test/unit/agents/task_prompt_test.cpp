#include "agents/task_prompt.hpp"

#include <catch2/catch.hpp>

using agents::task_prompt;

TEST_CASE("instructions come first, and the value is the task's, as it was written") {
    auto prompt = task_prompt(
        R"({"task":{"kind":"Review","value":{"b": 1.0,"a":"/help"}},"instructions":"Do\nit.","timeout_seconds":3})",
        R"({"type":"array"})");
    CHECK(prompt.common == "Do\nit.");
    CHECK(prompt.value == R"({"b": 1.0,"a":"/help"})");
    CHECK(prompt.response_schema == R"({"type":"array"})");
}

TEST_CASE("previous attempts are told by the instructions, and the value stays the task's") {
    auto prompt = task_prompt(
        R"({"task":{"kind":"A","value":1},"instructions":"Do it.\n\n## Previous Attempts","previous_attempts":[]})",
        "");
    CHECK(prompt.common == "Do it.\n\n## Previous Attempts");
    CHECK(prompt.value == "1");
}

TEST_CASE("content of another form is passed on whole") {
    for (const char* content :
         {R"({"task":{"kind":"A","value":1},"instructions":"Do it.","more":2})",
          R"({"task":{"kind":"A","value":1,"more":2},"instructions":"Do it."})",
          R"({"task":"words","instructions":"Do it."})", R"({"instructions":"Do it."})"}) {
        auto prompt = task_prompt(content, "");
        CHECK(prompt.common == "Do it.");
        CHECK(prompt.value == content);
        CHECK_FALSE(prompt.response_schema);
    }
    for (const char* content : {"17", "[1]", R"({"task":{"kind":"A","value":1}})", R"({"instructions":5})"}) {
        auto prompt = task_prompt(content, "");
        CHECK(prompt.common == "Do the task that the value describes.");
        CHECK(prompt.value == content);
    }
}

TEST_CASE("images are named beside the task, and the value stays the task's") {
    const std::string content =
        R"({"task":{"kind":"A","value":1},"instructions":"Do it.","images":["a.png","\u0062"]})";
    CHECK(*agents::image_paths(content) == std::vector<std::string>{"a.png", "b"});
    CHECK(task_prompt(content, "").value == "1");
    for (const char* other : {R"({"task":{"kind":"A"},"instructions":"Do it."})", "1", R"({"images":["a"]})",
                              R"({"task":1,"instructions":"Do it.","images":7})"})
        CHECK(agents::image_paths(other)->empty());
    for (const char* wrong : {"7", R"("a")", "[1]", R"(["a",null])"})
        CHECK(agents::image_paths(R"({"task":{},"instructions":"","images":)" + std::string(wrong) + "}")
                  .error()
                  .message == R"("images" of the task must be an array of strings)");
}

TEST_CASE("the kind of a task is told, and any content has one") {
    CHECK(agents::task_kind(R"({"task":{"kind":"Review","value":1},"instructions":"Do it."})") == "Review");
    for (const char* content : {"1", "{}", R"({"task":1})", R"({"task":{}})", R"({"task":{"kind":7}})"})
        CHECK(agents::task_kind(content) == "task");
}
