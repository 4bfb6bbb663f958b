#include "workflow/payload.hpp"

#include "run_helper.hpp"

#include <catch2/catch.hpp>

using namespace workflow_test;

TEST_CASE("a Command gets its step's name and the untouched value") {
    CHECK(command_input(command_step("Say \"hi\""), "1.0") == R"({"kind":"Say \"hi\"","value":1.0})");
}

TEST_CASE("an agent gets the task, the instructions and, where there is one, the timeout as written") {
    auto step = pool_step("Read");
    step.pool_instructions = "Line\nline";
    CHECK(pool_payload(step, "[1e400]") ==
          R"({"task":{"kind":"Read","value":[1e400]},"instructions":"Line\nline"})");
    step.options.timeout = std::chrono::milliseconds{1500};
    step.options.timeout_text = "1.5";
    CHECK(pool_payload(step, "null") ==
          R"({"task":{"kind":"Read","value":null},"instructions":"Line\nline","timeout_seconds":1.5})");
}
