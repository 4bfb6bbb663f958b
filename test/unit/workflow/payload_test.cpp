#include "workflow/payload.hpp"

#include "run_helper.hpp"

#include <catch2/catch.hpp>

using namespace workflow_test;

namespace {

workflow::Value value(std::string text) {
    return std::make_shared<const std::string>(std::move(text));
}

}  // namespace

TEST_CASE("a Command gets its step's name and the untouched value") {
    CHECK(command_input(command_step("Say \"hi\""), value("1.0")).text() ==
          R"({"kind":"Say \"hi\"","value":1.0})");
}

TEST_CASE("an agent gets the task, the instructions and, where there is one, the timeout as written") {
    auto step = pool_step("Read");
    step.pool_instructions = "Line\nline";
    CHECK(pool_payload(step, value("[1e400]")).text() ==
          R"({"task":{"kind":"Read","value":[1e400]},"instructions":"Line\nline"})");
    step.options.timeout = std::chrono::milliseconds{1500};
    step.options.timeout_text = "1.5";
    CHECK(pool_payload(step, value("null")).text() ==
          R"({"task":{"kind":"Read","value":null},"instructions":"Line\nline","timeout_seconds":1.5})");
}

TEST_CASE("a value is not copied to become a part of what an action gets") {
    auto large = value("\"" + std::string(100, 'x') + "\"");
    for (const base::SplicedText& text :
         {pool_payload(pool_step("Read"), large), command_input(command_step("Run"), large)})
        CHECK(text.pieces()[1].data() == large->data());
}
