// A new log that takes over parts of an old one.
#include "io_helper.hpp"
#include "scripted_calls.hpp"
#include "statelog/log_file.hpp"

#include <fstream>

using statelog::LogFile;
using statelog::OldLog;
using test::ScriptedCalls;

TEST_CASE("parts of an old log are taken over in their order, also where the kernel can't copy") {
    test::TemporaryDirectory directory;
    std::ofstream(directory / "old") << "0123456789";
    auto old = OldLog::open(directory / "old");
    REQUIRE(old.has_value());
    int number = 0;
    for (int error : {EINTR, EXDEV}) {
        ScriptedCalls script;
        script.fail_at = 3;  // the first copy, after three writes
        script.error = error;
        script.most_bytes = 2;
        std::string path = directory / std::to_string(number++);
        auto log = LogFile::create_from(path, *old, {"head ", {{1, 4}, {6, 9}}}, script.calls());
        REQUIRE(log.has_value());
        std::string text;
        std::getline(std::ifstream(path), text);
        CHECK(text == "head 123678");
    }
}
