// The labels of Pool actions.
#include "load_helper.hpp"

namespace {

using namespace config_test;

std::string with_labels(const std::string& labels) {
    return R"({"steps": [{"name": "A", "action": {"kind": "Pool", "labels": )" + labels + "}}]}";
}

// The parser and the schema for editors agree that it is wrong.
std::string problem_of_labels(const std::string& labels) {
    CHECK_FALSE(violation_of_schema_document(with_labels(labels)).empty());
    return problems(load(with_labels(labels)));
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
    CHECK(has(problem_of_labels(R"(["a b"])"), "unlike 'a b'"));
    CHECK(has(problem_of_labels(R"([""])"), "a label has 1 to 64 letters"));
    CHECK(has(problem_of_labels("[7]"), "a label must be a string, not a number"));
    CHECK(has(problem_of_labels(R"(["a", "a"])"), R"("a" occurs twice in "labels")"));
    CHECK(has(problem_of_labels(R"("gpu")"), R"("labels" must be an array, not a string)"));
    std::string many = "[\"0\"";
    for (int number = 1; number < 17; ++number)
        many += ", \"" + std::to_string(number) + "\"";
    CHECK(has(problem_of_labels(many + "]"), "17 labels are too many; at most 16 are allowed"));
}
