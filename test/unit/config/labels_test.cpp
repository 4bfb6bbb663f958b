// The labels of Pool actions.
#include "load_helper.hpp"

namespace {

using namespace config_test;

std::string with_labels(const std::string& labels) {
    return R"({"steps": [{"name": "A", "action": {"kind": "Pool", "labels": )" + labels + "}}]}";
}

// The parser and the schema for editors agree that it is wrong.
std::string problem(const std::string& labels) {
    CHECK_FALSE(violation_of_schema_document(with_labels(labels)).empty());
    return problems(load(with_labels(labels)));
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a Pool action may have labels") {
    auto config = good(with_labels(R"(["gpu", "team/linux"])"));
    CHECK(std::get<config::PoolAction>(config.steps[0].action).labels ==
          *base::Labels::of({"team/linux", "gpu"}));
    config = good(with_labels("[]"));
    CHECK(std::get<config::PoolAction>(config.steps[0].action).labels.empty());
    auto again = config::load_text(good(with_labels(R"(["x"])")).resolved, "w", "/nowhere");
    CHECK(std::get<config::PoolAction>(again.config->steps[0].action).labels == *base::Labels::of({"x"}));
}

TEST_CASE("labels that can't be used are problems of the config") {
    CHECK(has(problem(R"(["a b"])"), "unlike 'a b'"));
    CHECK(has(problem(R"([""])"), "a label has 1 to 64 letters"));
    CHECK(has(problem("[7]"), "a label must be a string, not a number"));
    CHECK(has(problem(R"(["a", "a"])"), R"("a" occurs twice in "labels")"));
    CHECK(has(problem(R"("gpu")"), R"("labels" must be an array, not a string)"));
    std::string many = "[\"0\"";
    for (int number = 1; number < 17; ++number)
        many += ", \"" + std::to_string(number) + "\"";
    CHECK(has(problem(many + "]"), "17 labels are too many; at most 16 are allowed"));
}
