// A new log that takes over parts of an old one.
#include "io_helper.hpp"
#include "scripted_calls.hpp"
#include "statelog/log_file.hpp"

#include <fstream>
#include <sstream>

using statelog::LogFile;
using statelog::OldLog;
using test::ScriptedCalls;

namespace {

std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

}  // namespace

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
        CHECK(text_of(path) == "head 123678");
    }
}

TEST_CASE("a new log ends with what is added to the old one, which is unchanged") {
    test::TemporaryDirectory directory;
    const std::string line = R"({"kind":"x"})"
                             "\n";
    std::ofstream(directory / "old") << line << line;
    auto old = OldLog::open(directory / "old");
    REQUIRE(old.has_value());
    const statelog::TakenOver content{"", {{0, line.size()}}, "added\n"};
    auto log = LogFile::create_from(directory / "from", *old, content);
    REQUIRE(log.has_value());
    CHECK(text_of(directory / "from") == line + "added\n");
    REQUIRE(log->append("more\n").has_value());
    CHECK(text_of(directory / "from") == line + "added\nmore\n");
    auto with_checksums = LogFile::create_with_checksums(directory / "with", *old, content);
    REQUIRE(with_checksums.has_value());
    std::string text = text_of(directory / "with");
    CHECK(text.starts_with(R"({"kind":"x","checksum":")"));
    CHECK(text.ends_with("\"}\nadded\n"));
    CHECK(text_of(directory / "old") == line + line);
}

TEST_CASE("without room for what is added to it there is no new log") {
    test::TemporaryDirectory directory;
    std::ofstream(directory / "old") << "0123456789";
    auto old = OldLog::open(directory / "old");
    REQUIRE(old.has_value());
    const statelog::TakenOver content{"", {{0, 4}}, "added\n"};
    using Create = decltype(&LogFile::create_from);
    for (Create create : {&LogFile::create_from, &LogFile::create_with_checksums}) {
        ScriptedCalls counted;
        REQUIRE(create(directory / "all", *old, content, counted.calls()).has_value());
        auto made = counted.made();
        auto last = std::find(made.rbegin(), made.rend(), "write");
        REQUIRE(last != made.rend());
        ScriptedCalls script;
        script.fail_at = static_cast<std::size_t>(made.rend() - last) - 1;
        script.error = ENOSPC;
        CHECK(create(directory / "new", *old, content, script.calls()).has_error());
        CHECK_FALSE(std::filesystem::exists(directory / "new"));
        std::filesystem::remove(directory / "all");
    }
}
