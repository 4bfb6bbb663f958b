#include "runs/record_from_log.hpp"

#include <catch2/catch.hpp>

using namespace runs;

TEST_CASE("the first line of a state log tells who has written it") {
    auto record = record_from_log(
        R"({"kind":"Config","run_id":"7d1c","directory":"/w","time":5000,"config":{},"checksum":"x"})");
    REQUIRE(record);
    CHECK(record->id == "7d1c");
    CHECK(record->directory == "/w");
    CHECK(record->started == Time(std::chrono::seconds(5)));
    CHECK_FALSE(record->end);
    CHECK(record_from_log(R"({"kind":"Config"})"));  // of another program
    for (const char* other : {"", "{", "[]", "{}", R"({"kind":"TaskSubmitted"})", R"({"kind":7})"})
        CHECK_FALSE(record_from_log(other));
}

TEST_CASE("the name of a run's directory is an id") {
    CHECK(is_run_id("7d1c9a52-61f0-4f0e-9b39-0c4f6f4bb1a5"));
    for (const char* other :
         {"", "7d1c", "7d1c9a52-61f0-4f0e-9b39-0c4f6f4bb1a", "7D1C9A52-61f0-4f0e-9b39-0c4f6f4bb1a5",
          "7d1c9a52x61f0-4f0e-9b39-0c4f6f4bb1a5", "7d1c9a52-61f0-4f0e-9b39-0c4f6f4bb1a5x"})
        CHECK_FALSE(is_run_id(other));
}
