#include "pool_protocol/unmatched.hpp"

#include "pool_protocol/answer.hpp"

#include <catch2/catch.hpp>

using namespace pool_protocol;

namespace {

const base::Labels gpu = *base::Labels::of({"gpu"});
const base::Labels big_gpu = *base::Labels::of({"big", "gpu"});

}  // namespace

TEST_CASE("that nobody has a task's labels is read as it was written") {
    for (const base::Labels& missing : {base::Labels(), gpu, big_gpu}) {
        auto read = parse_unmatched(to_json(Unmatched{"s-1", missing}));
        REQUIRE(read);
        CHECK(read->id == "s-1");
        CHECK(read->missing == missing);
    }
    CHECK(to_json(Unmatched{"s-1", gpu}) == R"({"kind":"Unmatched","id":"s-1","missing":["gpu"]})");
}

TEST_CASE("the agents that are away are read as they were written, on one line") {
    Unmatched unmatched{"s-1", gpu, "2 agents are away until \"noon\""};
    CHECK(to_json(unmatched) ==
          R"({"kind":"Unmatched","id":"s-1","missing":["gpu"],"away":"2 agents are away until \"noon\""})");
    CHECK(parse_unmatched(to_json(unmatched))->away == unmatched.away);
    CHECK(parse_unmatched(R"({"kind":"Unmatched","id":"s","missing":[],"away":"a\nb"})")->away == "a b");
}

TEST_CASE("other frames do not say that nobody has a task's labels") {
    CHECK_FALSE(parse_unmatched(to_json(Processed{"{\"kind\":\"Unmatched\",", {}}, "s-1")));
    for (const char* frame : {"", R"({"kind":"Unmatched",)", R"({"kind":"Unmatched","missing":[]})",
                              R"({"kind":"Unmatched","id":"s","missing":["a b"]})"})
        CHECK_FALSE(parse_unmatched(frame));
}

TEST_CASE("labels that nobody has are named for people") {
    CHECK(missing_text(big_gpu, gpu) == "the label gpu");
    CHECK(missing_text(big_gpu, big_gpu) == "the labels big, gpu");
    CHECK(missing_text(big_gpu, {}) == "all of the labels big, gpu");
}
