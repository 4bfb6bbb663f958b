// What becomes of a log while it is written: others remove it, write to it or cut it off.
#include "io_helper.hpp"
#include "statelog/log_file.hpp"

#include <filesystem>
#include <fstream>

using Catch::Matchers::Contains;
using statelog::LogFile;

TEST_CASE("a log that was removed takes no more entries") {
    test::TemporaryDirectory directory;
    auto log = LogFile::create(directory / "log", "head\n");
    REQUIRE(log.has_value());
    REQUIRE(log->append("one\n").has_value());
    std::filesystem::rename(directory / "log", directory / "moved");
    REQUIRE(log->append("two\n").has_value());
    std::filesystem::remove(directory / "moved");
    auto failed = log->append("three\n");
    REQUIRE(failed.has_error());
    CHECK_THAT(failed.error().message, Contains(directory / "log") && Contains("was removed"));
    CHECK(log->sync().has_error());
}

TEST_CASE("a log to which another program writes, or that it cuts off, takes no more entries") {
    test::TemporaryDirectory directory;
    auto log = LogFile::create(directory / "log", "head\n");
    REQUIRE(log.has_value());
    REQUIRE(log->append("one\n").has_value());
    std::string left = "head\none\nother\ntwo\n";
    SECTION("it writes") {
        std::ofstream(directory / "log", std::ios::app) << "other\n";
    }
    SECTION("it cuts off") {
        std::filesystem::resize_file(directory / "log", 0);
        left = "two\n";
    }
    auto failed = log->append("two\n");
    REQUIRE(failed.has_error());
    CHECK_THAT(failed.error().message,
               Contains(directory / "log") && Contains("was changed by another program"));
    CHECK(test::content(directory / "log") == left);
    CHECK(log->append("three\n").has_error());
}
