#include "base/labels.hpp"

#include <catch2/catch.hpp>

using base::Labels;

namespace {

Labels labels(std::vector<std::string> texts) {
    return *Labels::of(std::move(texts));
}

}  // namespace

TEST_CASE("a label has 1 to 64 letters, digits and some other characters") {
    for (const char* text : {"a", "GPU", "9", "team/reviewer", "model:opus-4.1_x", "-", "/"})
        CHECK_FALSE(base::label_problem(text));
    CHECK_FALSE(base::label_problem(std::string(64, 'x')));
    for (const char* text : {"", " ", "a b", "a,b", "a=b", "ü", "a\n", "\"a\""})
        CHECK(base::label_problem(text));
    CHECK(base::label_problem(std::string_view("a\0b", 3)));
    CHECK(base::label_problem("a\x1b[1m")->ends_with("unlike 'a?[1m'"));
    CHECK(base::label_problem(std::string(65, 'x'))->ends_with("unlike a text of 65 bytes"));
}

TEST_CASE("labels are a set") {
    CHECK(labels({"b", "a", "b"}) == labels({"a", "b"}));
    CHECK(labels({"b", "a"}).joined(",") == "a,b");
    CHECK(labels({"b", "a"}).description() == "the labels a, b");
    CHECK(labels({"a"}).description() == "the label a");
    CHECK(labels({}).empty());
    CHECK(Labels::of({"a", ""}).has_error());
    std::vector<std::string> many;
    for (char c = 'a'; c < 'a' + 16; ++c)
        many.emplace_back(1, c);
    CHECK(Labels::of(many).has_value());
    many.push_back("a");
    CHECK(Labels::of(many).has_value());
    many.emplace_back("z");
    CHECK(Labels::of(many).error().message == "17 labels are too many; at most 16 are allowed");
}

TEST_CASE("an agent fits a task if it has all labels of the task") {
    Labels agent = labels({"gpu", "writer"});
    CHECK(agent.contain({}));
    CHECK(agent.contain(labels({"writer"})));
    CHECK(agent.contain(agent));
    CHECK_FALSE(agent.contain(labels({"gpu", "reviewer"})));
    CHECK_FALSE(Labels().contain(agent));
    CHECK(agent.without(labels({"gpu", "reviewer"})) == labels({"writer"}));
}

TEST_CASE("labels are read from their text") {
    CHECK(*Labels::parse("b,a") == labels({"a", "b"}));
    CHECK(*Labels::parse(labels({"a", "b/c"}).joined(",")) == labels({"a", "b/c"}));
    for (const char* text : {"", "a,", ",a", "a,,b", "a b"})
        CHECK(Labels::parse(text).has_error());
}

TEST_CASE("an agent with the label of shell agents fits only tasks that have it, too") {
    Labels shell = *labels({"debian"}).with_shell_label();
    CHECK(shell == labels({"debian", "kind:shell"}));
    CHECK(shell.has(base::shell_label));
    CHECK_FALSE(labels({"debian"}).has(base::shell_label));
    CHECK_FALSE(shell.fit({}));
    CHECK_FALSE(shell.fit(labels({"debian"})));
    CHECK(shell.fit(labels({"kind:shell"})));
    CHECK(shell.fit(shell));
    CHECK_FALSE(shell.fit(labels({"gpu", "kind:shell"})));
    CHECK_FALSE(labels({"debian"}).fit(shell));
    CHECK(labels({"debian", "gpu"}).fit(labels({"gpu"})));
    CHECK(Labels().fit({}));
    std::vector<std::string> many;
    for (char c = 'a'; c < 'a' + 16; ++c)
        many.emplace_back(1, c);
    CHECK(labels(many).with_shell_label().has_error());
}
