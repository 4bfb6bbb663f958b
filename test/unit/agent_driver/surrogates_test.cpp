#include "agent_driver/surrogates.hpp"

#include "replay.hpp"

#include <catch2/catch.hpp>

using agent_driver::without_half_surrogates;

TEST_CASE("half a surrogate pair becomes the replacement character") {
    CHECK(without_half_surrogates(R"("a\ud83d b")") == R"("a\ufffd b")");
    CHECK(without_half_surrogates(R"("\ude00\ude00")") == R"("\ufffd\ufffd")");
    CHECK(without_half_surrogates(R"("\ud83d\ud83d\ude00")") == R"("\ufffd\ud83d\ude00")");
    CHECK(without_half_surrogates(R"("\ud83d\n")") == R"("\ufffd\n")");
}

TEST_CASE("what is no half of a pair stays as it is") {
    for (const char* text : {R"("\ud83d\ude00")", R"("\\ud83d")", R"("\\\\ud83d")", R"("\u00e4")",
                             R"("\ud83")", R"(\)", "", R"(\u)"})
        CHECK(without_half_surrogates(text) == text);
    CHECK(without_half_surrogates(R"("\\\ud83d")") == R"("\\\ufffd")");
}

TEST_CASE("a line with half a surrogate pair is not lost") {
    auto told =
        replay::played_lines(agent_driver::AgentKind::claude,
                             {R"({"type":"result","subtype":"success","result":"[{\"a\":\"\ud83d\"}]"})"});
    CHECK(told.back() == "answer [{\"a\":\"\xef\xbf\xbd\"}]");
}
