#include "statelog/accept_edits.hpp"

#include "io_helper.hpp"
#include "scripted_calls.hpp"
#include "statelog/log_file.hpp"
#include "statelog/record.hpp"
#include "statelog/replay.hpp"

#include <sys/stat.h>
#include <unistd.h>

using Catch::Matchers::Contains;
using statelog::accept_edits;
using test::ScriptedCalls;

namespace {

const std::string config_text =
    R"({"entrypoint":"A","steps":[{"name":"A","action":{"kind":"Command","script":"a"}}]})";

std::string log_text() {
    std::string text;
    statelog::append_header(text, {config_text, "/", "r", {}}, statelog::Time());
    return text + R"({"kind":"TaskSubmitted","task_id":0,"step":"A","value":1,"origin":"Initial"})" + "\n";
}

std::size_t count(const test::TemporaryDirectory& directory) {
    std::filesystem::directory_iterator all(directory.path());
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

}  // namespace

TEST_CASE("accepting edits keeps a log's mode, its torn tail, and a link to it") {
    test::TemporaryDirectory directory;
    test::write(directory / "log", log_text() + "{\"torn");
    REQUIRE(::chmod((directory / "log").c_str(), 0640) == 0);
    REQUIRE(::symlink("log", (directory / "link").c_str()) == 0);
    auto accepted = accept_edits(directory / "link");
    REQUIRE(accepted.has_value());
    CHECK(accepted->wrong == 0);
    CHECK(accepted->missing == 1);
    struct stat status {};
    REQUIRE(::lstat((directory / "log").c_str(), &status) == 0);
    CHECK(status.st_mode == (S_IFREG | 0640));
    CHECK(std::filesystem::is_symlink(directory / "link"));
    CHECK_THAT(test::content(directory / "log"), Catch::EndsWith("\"}\n{\"torn"));
    statelog::Replay replay("LOG");
    CHECK(replay.feed(test::content(directory / "log")).has_value());
    CHECK(count(directory) == 2);
}

TEST_CASE("at every call of accepting edits the log is as it was or as it is to be") {
    test::TemporaryDirectory directory;
    const std::string before = log_text();
    test::write(directory / "log", before);
    REQUIRE(accept_edits(directory / "log").has_value());
    const std::string after = test::content(directory / "log");
    test::write(directory / "log", before);
    ScriptedCalls script;
    script.most_bytes = 100;
    std::size_t anew = 0;
    script.before = [&](const std::string&) {
        std::string now = test::content(directory / "log");
        CHECK((now == before || now == after));
        if (now == after) ++anew;
    };
    REQUIRE(accept_edits(directory / "log", script.calls()).has_value());
    CHECK(anew == 1);  // at the sync of the directory
    CHECK(script.made().size() > 5);
}

TEST_CASE("whichever call of accepting edits fails, the log is whole and nothing else is left") {
    test::TemporaryDirectory directory;
    for (std::size_t at = 0; at < 4; ++at) {
        test::write(directory / "log", log_text());
        ScriptedCalls script;
        script.fail_at = at;
        auto accepted = accept_edits(directory / "log", script.calls());
        REQUIRE(accepted.has_error());
        CHECK_THAT(accepted.error().message, Contains(directory / "log"));
        CHECK(script.made().size() == at + 1);
        CHECK((script.made().back() == "replace") == (at == 2));
        if (at < 3) CHECK(test::content(directory / "log") == log_text());
        CHECK(count(directory) == 1);
    }
}

TEST_CASE("edits are not accepted of what is no log, is damaged in another way, or is in use") {
    test::TemporaryDirectory directory;
    test::write(directory / "text", "Hello\n");
    CHECK_THAT(accept_edits(directory / "text").error().message, Contains("is not a state log"));
    test::write(directory / "bad", log_text() + "nonsense\n");
    CHECK_THAT(accept_edits(directory / "bad").error().message,
               Contains("line 3") && Contains("is not JSON"));
    CHECK(test::content(directory / "bad") == log_text() + "nonsense\n");
    auto held = statelog::LogFile::create(directory / "held", log_text());
    REQUIRE(held.has_value());
    CHECK(accept_edits(directory / "held").error().code ==
          boost::system::errc::resource_unavailable_try_again);
    CHECK(count(directory) == 3);
}
