#include "statelog/log_file.hpp"

#include "io_helper.hpp"
#include "scripted_calls.hpp"
#include "statelog/line_checksum.hpp"

#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <thread>

using Catch::Matchers::Contains;
using statelog::LogFile;
using statelog::OldLog;
using test::ScriptedCalls;
namespace errc = boost::system::errc;

namespace {

std::vector<std::string> names(const test::TemporaryDirectory& directory) {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(directory.path()))
        found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
}

using Names = std::vector<std::string>;

// Bytes that are nowhere the same, more than one buffer of them.
std::string much_text() {
    std::string text;
    for (int i = 0; text.size() < 3'000'000; ++i)
        text += std::to_string(i) + "\n";
    return text;
}

struct Umask {
    explicit Umask(mode_t mask) : old(::umask(mask)) {}
    ~Umask() { ::umask(old); }
    mode_t old;
};

// Fails every call of a creation in turn, and checks each time that nothing is left.
template<class Creation>
std::size_t fail_each_call(const test::TemporaryDirectory& directory, const Names& before, Creation create) {
    for (std::size_t at = 0;; ++at) {
        for (int error : {ENOSPC, EIO}) {
            ScriptedCalls script;
            script.fail_at = at;
            script.error = error;
            auto born = create(script.calls());
            if (born.has_value()) return script.made().size();
            INFO("call " << script.made().back() << ": " << born.error().message);
            CHECK(script.made().size() == at + 1);  // none after the one that failed
            CHECK(names(directory) == before);
            CHECK(born.error().code.value() == error);
            CHECK_THAT(born.error().message, Contains(directory / "log"));
            CHECK_THAT(born.error().message, Contains("--state-log"));
        }
    }
}

}  // namespace

TEST_CASE("a log is born whole, 0600 whatever the umask, with nothing beside it") {
    test::TemporaryDirectory directory;
    for (mode_t mask : {mode_t{0}, mode_t{0777}}) {
        Umask umask(mask);
        std::string name = "log" + std::to_string(mask);
        auto log = LogFile::create(directory / name, "head\n");
        REQUIRE(log.has_value());
        struct stat status {};
        REQUIRE(::stat((directory / name).c_str(), &status) == 0);
        CHECK((status.st_mode & 07777) == 0600);
        CHECK(test::content(directory / name) == "head\n");
        CHECK((::fcntl(log->fd(), F_GETFD) & FD_CLOEXEC) != 0);
    }
    CHECK(names(directory) == Names{"log0", "log511"});
}

TEST_CASE("a name as long as the file system allows is a log's name, and one without a directory too") {
    test::TemporaryDirectory directory;
    CHECK(LogFile::create(directory / std::string(255, 'x'), "head\n").has_value());
    CHECK(LogFile::create(directory / std::string(256, 'x'), "head\n").error().code ==
          errc::filename_too_long);
    auto here = std::filesystem::current_path();
    std::filesystem::current_path(directory.path());
    auto log = LogFile::create("log", "head\n");
    std::filesystem::current_path(here);
    CHECK(log.has_value());
    CHECK(test::content(directory / "log") == "head\n");
}

TEST_CASE("a log is born with a head in pieces") {
    test::TemporaryDirectory directory;
    auto value = std::make_shared<const std::string>("large");
    std::vector<base::SplicedText> head{{"one ", value, "\ntwo "}, {"", value, "\n"}, "three\n"};
    REQUIRE(LogFile::create(directory / "log", head).has_value());
    CHECK(test::content(directory / "log") == "one large\ntwo large\nthree\n");
}

TEST_CASE("a place where no file can be is refused, with path and reason") {
    test::TemporaryDirectory directory;
    auto message = [&](const std::string& path) { return LogFile::create(path, "head\n").error().message; };
    CHECK_THAT(message(directory / "none/log"),
               Contains("none/log") && Contains("No such file or directory"));
    CHECK_THAT(message(directory.path() + "/"), Contains("Is a directory"));
    CHECK_THAT(message(""), Contains("No such file or directory"));
    CHECK_THAT(message("/proc/log"), Contains("/proc/log"));
    CHECK(names(directory).empty());
}

TEST_CASE("a resumed run's log begins with the old one's bytes, as many as are wanted") {
    test::TemporaryDirectory directory;
    const std::string text = much_text();
    test::write(directory / "old", text);
    auto old = OldLog::open(directory / "old");
    REQUIRE(old.has_value());
    int number = 0;
    for (std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{2'500'000}, text.size()}) {
        std::string path = directory / std::to_string(number++);
        auto log = LogFile::create_from(path, *old, {"new\n", {{0, size}}});
        REQUIRE(log.has_value());
        REQUIRE(log->append("appended\n").has_value());
        CHECK((test::content(path) == "new\n" + text.substr(0, size) + "appended\n"));
    }
    CHECK((test::content(directory / "old") == text));
}

TEST_CASE("bytes are copied by hand where the kernel can't, and from where it stopped") {
    test::TemporaryDirectory directory;
    const std::string text = much_text();
    test::write(directory / "old", text);
    auto old = OldLog::open(directory / "old");
    REQUIRE(old.has_value());
    int number = 0;
    for (int error : {EXDEV, EINVAL, ENOSYS, EOPNOTSUPP, EINTR})
        for (std::size_t at : {1U, 3U}) {
            ScriptedCalls script;
            script.fail_at = at;
            script.error = error;
            script.most_bytes = 1'000'001;
            std::string path = directory / std::to_string(number++);
            REQUIRE(
                LogFile::create_from(path, *old, {"new\n", {{0, text.size()}}}, script.calls()).has_value());
            CHECK((test::content(path) == "new\n" + text));
            CHECK((script.count("write") > 1) == (error != EINTR));
        }
}

TEST_CASE("an old log that is shorter than what is to be copied gives no new one") {
    test::TemporaryDirectory directory;
    test::write(directory / "old", "12345");
    auto old = OldLog::open(directory / "old");
    REQUIRE(old.has_value());
    auto log = LogFile::create_from(directory / "log", *old, {"new\n", {{0, 6}}});
    REQUIRE(log.has_error());
    CHECK_THAT(log.error().message, Contains(directory / "old") && Contains(directory / "log"));
    CHECK(names(directory) == Names{"old"});
}

TEST_CASE("whichever call of a creation fails, nothing is left of it") {
    test::TemporaryDirectory directory;
    CHECK(fail_each_call(directory, {}, [&](io::FileCalls calls) {
              return LogFile::create(directory / "log", "head\n", calls);
          }) == 4);  // write, fsync, rename, fsync
}

TEST_CASE("whichever call of a resumed creation fails, nothing is left of it and the old log is as it was") {
    test::TemporaryDirectory directory;
    test::write(directory / "old", "entries\n");
    auto old = OldLog::open(directory / "old");
    REQUIRE(old.has_value());
    CHECK(fail_each_call(directory, {"old"}, [&](io::FileCalls calls) {
              return LogFile::create_from(directory / "log", *old, {"new\n", {{0, 8}}}, calls);
          }) == 5);  // write, copy, fsync, rename, fsync
    CHECK(test::content(directory / "old") == "entries\n");
}

TEST_CASE("interrupted calls are made again, and what a short one left is written") {
    test::TemporaryDirectory directory;
    test::write(directory / "old", "entries\n");
    auto old = OldLog::open(directory / "old");
    REQUIRE(old.has_value());
    for (std::size_t at = 0; at < 20; ++at) {
        ScriptedCalls script;
        script.fail_at = at;
        script.error = EINTR;
        script.most_bytes = 2;
        auto log = LogFile::create_from(directory / "log", *old, {"head\n", {{0, 8}}}, script.calls());
        if (at < script.made().size() && script.made()[at] == "rename") {  // never is, by its manual
            CHECK(log.has_error());
            continue;
        }
        REQUIRE(log.has_value());
        REQUIRE(log->append("appended\n").has_value());
        REQUIRE(log->sync().has_value());
        CHECK(test::content(directory / "log") == "head\nentries\nappended\n");
        CHECK(script.made().size() > 14);
        std::filesystem::remove(directory / "log");
    }
}

TEST_CASE("at every call of a creation, there is nothing at its path or the whole file") {
    test::TemporaryDirectory directory;
    test::write(directory / "old", "entries\n");
    auto old = OldLog::open(directory / "old");
    REQUIRE(old.has_value());
    ScriptedCalls script;
    script.most_bytes = 3;
    std::size_t seen = 0;
    script.before = [&](const std::string&) {
        if (!std::filesystem::exists(directory / "log")) return;
        ++seen;
        CHECK(test::content(directory / "log") == "head\nentries\n");
        CHECK(OldLog::open(directory / "log").has_error());  // locked already
    };
    REQUIRE(LogFile::create_from(directory / "log", *old, {"head\n", {{0, 8}}}, script.calls()).has_value());
    CHECK(seen == 1);  // at the sync of the directory
    Names made = script.made();
    CHECK(Names(made.end() - 3, made.end()) == Names{"fsync", "rename", "fsync"});
}

TEST_CASE("a file system without such a rename, or without syncs of directories, will do") {
    test::TemporaryDirectory directory;
    for (int error : {EINVAL, ENOSYS}) {
        ScriptedCalls script;
        script.fail_at = 2;
        script.error = error;
        REQUIRE(LogFile::create(directory / "log", "head\n", script.calls()).has_value());
        CHECK(script.made()[2] == "rename");
        CHECK(test::content(directory / "log") == "head\n");
        CHECK(names(directory) == Names{"log"});
        std::filesystem::remove(directory / "log");
    }
    ScriptedCalls script;
    script.fail_at = 3;
    script.error = EINVAL;
    REQUIRE(LogFile::create(directory / "log", "head\n", script.calls()).has_value());
    CHECK(names(directory) == Names{"log"});
}

TEST_CASE("what is at a log's path already stays as it is") {
    test::TemporaryDirectory directory;
    test::write(directory / "file", "mine");
    const auto modified = std::filesystem::last_write_time(directory / "file");
    REQUIRE(::symlink("nowhere", (directory / "dangling").c_str()) == 0);
    REQUIRE(::mkdir((directory / "directory").c_str(), 0700) == 0);
    REQUIRE(::mkfifo((directory / "fifo").c_str(), 0600) == 0);
    const Names before = names(directory);
    for (const std::string& path : {directory / "file", directory / "dangling", directory / "directory",
                                    directory / "fifo", std::string("/dev/null")}) {
        ScriptedCalls script;
        auto log = LogFile::create(path, "head\n", script.calls());
        REQUIRE(log.has_error());
        CHECK(log.error().code == errc::file_exists);
        CHECK_THAT(log.error().message, Contains(path) && Contains("--state-log"));
        CHECK(script.made().empty());
    }
    CHECK(names(directory) == before);
    CHECK(test::content(directory / "file") == "mine");
    CHECK(std::filesystem::last_write_time(directory / "file") == modified);
}

TEST_CASE("what comes to a log's path at the last moment stays as it is") {
    test::TemporaryDirectory directory;
    for (bool can_rename : {true, false}) {
        ScriptedCalls script;
        script.before = [&](const std::string& name) {
            if (name == "rename") test::write(directory / "log", "mine");
        };
        if (!can_rename) {
            script.fail_at = 2;
            script.error = EINVAL;
        }
        auto log = LogFile::create(directory / "log", "head\n", script.calls());
        REQUIRE(log.has_error());
        CHECK(log.error().code == errc::file_exists);
        CHECK(test::content(directory / "log") == "mine");
        CHECK(names(directory) == Names{"log"});
        std::filesystem::remove(directory / "log");
    }
}

TEST_CASE("of many creations at one path exactly one succeeds") {
    test::TemporaryDirectory directory;
    for (int round = 0; round < 20; ++round) {
        std::string path = directory / std::to_string(round);
        std::vector<std::optional<base::Result<LogFile>>> logs(8);
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < logs.size(); ++i)
            threads.emplace_back([&, i] { logs[i] = LogFile::create(path, "head " + std::to_string(i)); });
        for (auto& thread : threads)
            thread.join();
        int winners = 0;
        for (std::size_t i = 0; i < logs.size(); ++i) {
            if (logs[i]->has_value()) {
                ++winners;
                CHECK(test::content(path) == "head " + std::to_string(i));
            } else {
                CHECK(logs[i]->error().code == errc::file_exists);
            }
        }
        CHECK(winners == 1);
        CHECK(names(directory).size() == static_cast<std::size_t>(round) + 1);
    }
}

TEST_CASE("a log without checksums is continued by one that has them") {
    test::TemporaryDirectory directory;
    test::write(directory / "old", "{\"a\":1}\n{\"b\":2} \n{\"torn");
    auto old = OldLog::open(directory / "old");
    REQUIRE(old.has_value());
    REQUIRE(LogFile::create_with_checksums(directory / "log", *old, {"", {{0, 18}}}).has_value());
    std::string line;
    std::ifstream lines(directory / "log");
    for (std::string_view begin : {R"({"a":1,"checksum":")", R"({"b":2,"checksum":")"}) {
        REQUIRE(std::getline(lines, line));
        CHECK_THAT(line, Catch::StartsWith(std::string(begin)));
        CHECK(statelog::checksum_of(line) == statelog::Checksum::right);
    }
    CHECK_FALSE(std::getline(lines, line));
}

TEST_CASE("whichever call of a creation with checksums fails, nothing is left of it") {
    test::TemporaryDirectory directory;
    test::write(directory / "old", "{\"a\":1}\n");
    auto old = OldLog::open(directory / "old");
    REQUIRE(old.has_value());
    CHECK(fail_each_call(directory, {"old"}, [&](io::FileCalls calls) {
              return LogFile::create_with_checksums(directory / "log", *old, {"", {{0, 8}}}, calls);
          }) == 4);  // write, fsync, rename, fsync
}

TEST_CASE("a log is not resumed into itself, by whatever name") {
    test::TemporaryDirectory directory;
    test::write(directory / "log", "entries\n");
    REQUIRE(::symlink("log", (directory / "link").c_str()) == 0);
    REQUIRE(::link((directory / "log").c_str(), (directory / "hard").c_str()) == 0);
    test::write(directory / "other", "entries\n");
    auto old = OldLog::open(directory / "log");
    REQUIRE(old.has_value());
    for (const char* name : {"log", "link", "hard", "./log"}) {
        CHECK(old->is_same_file(directory / name));
        auto log = LogFile::create_from(directory / name, *old, {"head\n", {{0, 8}}});
        REQUIRE(log.has_error());
        CHECK_THAT(log.error().message, Contains("to resume from"));
    }
    CHECK_FALSE(old->is_same_file(directory / "other"));
    CHECK_FALSE(old->is_same_file(directory / "missing"));
    CHECK(test::content(directory / "log") == "entries\n");
}

TEST_CASE("an append is one write, and a sync one fdatasync") {
    test::TemporaryDirectory directory;
    ScriptedCalls script;
    auto log = LogFile::create(directory / "log", "head\n", script.calls());
    REQUIRE(log.has_value());
    const std::size_t before = script.made().size();
    const std::string lines = much_text();
    REQUIRE(log->append(lines).has_value());
    REQUIRE(log->sync().has_value());
    Names made = script.made();
    CHECK(Names(made.begin() + static_cast<std::ptrdiff_t>(before), made.end()) ==
          Names{"write", "fdatasync"});
    CHECK((test::content(directory / "log") == "head\n" + lines));
}

TEST_CASE("the first error of an append or a sync is the last thing that happens to a log") {
    test::TemporaryDirectory directory;
    int number = 0;
    for (int error : {ENOSPC, EIO, EDQUOT})
        for (std::size_t at : {4U, 5U}) {  // after the four of the creation: the append, the sync
            ScriptedCalls script;
            std::string path = directory / std::to_string(number++);
            script.fail_at = at;
            script.error = error;
            auto log = LogFile::create(path, "head\n", script.calls());
            REQUIRE(log.has_value());
            CHECK(log->append("lines\n").has_error() == (at == 4));
            auto failed = log->sync();
            REQUIRE(failed.has_error());
            CHECK(failed.error().code.value() == error);
            CHECK_THAT(failed.error().message, Contains(path) && Contains("resume"));
            CHECK(log->append("more\n").error().message == failed.error().message);
            CHECK(log->sync().error().message == failed.error().message);
            CHECK(script.made().size() == at + 1);
        }
}
