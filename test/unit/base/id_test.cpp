#include "base/id.hpp"

#include <catch2/catch.hpp>

#include <type_traits>
#include <unordered_set>

namespace {

using Task = base::TextId<struct TaskTag>;
using Agent = base::TextId<struct AgentTag>;
using Step = base::StrongId<struct StepTag>;
using Run = base::StrongId<struct RunTag>;

}  // namespace

TEST_CASE("ids of different kinds do not convert into each other") {
    STATIC_REQUIRE_FALSE(std::is_convertible_v<Task, Agent>);
    STATIC_REQUIRE_FALSE(std::is_assignable_v<Task&, Agent>);
    STATIC_REQUIRE_FALSE(std::is_convertible_v<Step, Run>);
}

TEST_CASE("an id that is text converts from and to text") {
    Task id = std::string("t1");
    const std::string& text = id;
    std::string_view view = id;
    CHECK(text == "t1");
    CHECK(view == "t1");
    CHECK(id.text() == "t1");
}

TEST_CASE("ids that are text compare and hash as their text") {
    CHECK(Task("a") == "a");
    CHECK(Task("a") != "b");
    CHECK(Task("a") < Task("b"));
    CHECK(std::unordered_set<Task>{"a", "b", "a"}.size() == 2);
}
