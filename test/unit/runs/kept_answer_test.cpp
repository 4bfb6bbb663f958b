#include "runs/kept_answer.hpp"

#include <catch2/catch.hpp>

using namespace runs;

TEST_CASE("A kept answer reads back as it was written") {
    const Time time(std::chrono::milliseconds(1'795'390'000'123));
    for (const KeptAnswer& kept :
         {KeptAnswer{{7, "ann \"b\"", R"([{"kind":"A","value":{"time":1}}])", ""}, time},
          KeptAnswer{{0, "x", {}, "} too long"}, time}, KeptAnswer{{1, "bob", {}, "no"}, Time()}}) {
        std::string text = to_json(kept);
        CHECK(text.ends_with("}\n"));
        auto read = parse_kept_answer(text);
        REQUIRE(read.has_value());
        CHECK(*read == kept);
    }
}

TEST_CASE("What is no kept answer is refused") {
    const KeptAnswer kept{{7, "ann", "[]", ""}, Time(std::chrono::milliseconds(12))};
    std::string text = to_json(kept);
    for (std::size_t cut = 0; cut + 1 < text.size(); ++cut)
        CHECK(parse_kept_answer(text.substr(0, cut)).has_error());
    for (const char* other :
         {"[]", R"({"kind":"Pause","time":12})", R"({"kind":"Answer","task":7,"user":"ann","response":"[]"})",
          R"({"kind":"Answer","user":"ann","time":12})"})
        CHECK(parse_kept_answer(other).has_error());
}
