#include "json/in_place.hpp"

#include "json/json.hpp"

#include <catch2/catch.hpp>

#include <random>

namespace {

// Valid JSONC, with something to leave out in every place where there may be.
std::string random_text(std::minstd_rand& random, int depth) {
    auto one_of = [&](std::initializer_list<const char*> choices) {
        return std::string(choices.begin()[random() % choices.size()]);
    };
    auto gap = [&] { return one_of({"", "", " ", "\n\t", "/* , \" */", "// ]\n"}); };
    if (depth == 0) return one_of({"1.0", "null", "\"a b\"", R"("\\\" , // /* \\")", "\"\"", "-1e400"});
    bool is_array = random() % 2 == 0;
    std::string text = is_array ? "[" : "{";
    for (auto left = random() % 4; left > 0; --left) {
        text += gap() + (is_array ? "" : "\"k\\\"\"" + gap() + ":") + gap();
        text += random_text(random, depth - 1) + gap() + (left > 1 ? "," : one_of({"", ","}));
    }
    return text + gap() + (is_array ? "]" : "}");
}

}  // namespace

TEST_CASE("what is compacted in place is what compact makes of it") {
    std::minstd_rand random(1);
    for (int i = 0; i < 2000; ++i) {
        std::string text = " " + random_text(random, i % 4) + "\n// end";
        INFO(text);
        REQUIRE_FALSE(json::check(text, json::Dialect::jsonc));
        CHECK(json::compact_in_place(text) == json::compact(json::View::of(text)));
    }
}

TEST_CASE("a large value is compacted where it is") {
    std::string large = "{ \"a\" : \"" + std::string(1'000'000, 'x') + "\" }";
    const char* place = large.data();
    std::string compact = json::compact_in_place(std::move(large));
    CHECK(compact.data() == place);
    CHECK(compact == "{\"a\":\"" + std::string(1'000'000, 'x') + "\"}");
}
