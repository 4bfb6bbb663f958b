// Who may have a state log when.
#include "io/lock_holders.hpp"
#include "io_helper.hpp"
#include "statelog/log_file.hpp"

#include <fcntl.h>
#include <fstream>
#include <future>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

using Catch::Matchers::Contains;
using namespace std::chrono_literals;
using statelog::LockWait;
using statelog::LogFile;
using statelog::OldLog;
namespace errc = boost::system::errc;

namespace {

struct Pipe {
    Pipe() {
        int fds[2];
        REQUIRE(::pipe2(fds, O_CLOEXEC) == 0);
        reader = io::UniqueFd(fds[0]);
        writer = io::UniqueFd(fds[1]);
    }
    // Whether the other side has written; else it is closed.
    bool wait() {
        char byte = 0;
        ssize_t got = 0;
        while ((got = ::read(reader.get(), &byte, 1)) < 0 && errno == EINTR) {
        }
        return got == 1;
    }
    // By a forked process, which has no business with the test's assertions.
    void tell() {
        if (::write(writer.get(), "x", 1) != 1) ::_exit(1);
    }

    io::UniqueFd reader;
    io::UniqueFd writer;
};

// A process that locks `path`, has a child that inherits the lock, and then does `end`. The child lives until
// release().
class Inheritance {
  public:
    Inheritance(const std::string& path, const std::function<void(int fd)>& end) {
        taker_ = ::fork();
        if (taker_ == 0) {
            int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
            if (::flock(fd, LOCK_EX | LOCK_NB) != 0) ::_exit(1);
            if (::fork() == 0) {
                end_.writer.reset();
                ready_.tell();
                end_.wait();
                ::_exit(0);
            }
            end(fd);
            ready_.tell();
            end_.writer.reset();
            end_.wait();
            ::_exit(0);
        }
        end_.reader.reset();
        ready_.writer.reset();
        REQUIRE(ready_.wait());
    }
    ~Inheritance() {
        release();
        if (taker_ > 0) ::waitpid(taker_, nullptr, 0);
    }
    // The other of the two that say so.
    void wait_for_taker() { REQUIRE(ready_.wait()); }
    void reap_taker() {
        ::waitpid(taker_, nullptr, 0);
        taker_ = -1;
    }
    void release() { end_.writer.reset(); }
    int taker() const { return taker_; }

  private:
    Pipe ready_;
    Pipe end_;
    int taker_ = -1;
};

void die(int) {
    ::raise(SIGKILL);
}

std::string some_log(const test::TemporaryDirectory& directory, const std::string& name = "log") {
    std::ofstream(directory / name) << "entries\n";
    return directory / name;
}

}  // namespace

TEST_CASE("a log that somebody resumes from is refused to others, with path and PID") {
    test::TemporaryDirectory directory;
    std::string path = some_log(directory);
    auto first = OldLog::open(path);
    REQUIRE(first.has_value());
    CHECK(first->path() == path);
    bool has_waited = false;
    auto second = OldLog::open(path, {test::patience, [&] { has_waited = true; }});
    CHECK_FALSE(has_waited);
    REQUIRE(second.has_error());
    CHECK(second.error().code == errc::resource_unavailable_try_again);
    CHECK_THAT(second.error().message,
               Contains(path) && Contains("by process " + std::to_string(::getpid()) + ":"));
    { auto gone = std::move(*first); }
    CHECK(OldLog::open(path).has_value());
}

TEST_CASE("the log of a run that lives is refused to those who would resume it, or write over it") {
    test::TemporaryDirectory directory;
    auto log = LogFile::create(directory / "log", "head\n");
    REQUIRE(log.has_value());
    std::string process = "process " + std::to_string(::getpid());
    auto old = OldLog::open(directory / "log");
    REQUIRE(old.has_error());
    CHECK(old.error().code == errc::resource_unavailable_try_again);
    CHECK_THAT(old.error().message, Contains(process));
    auto other = LogFile::create(directory / "log", "head\n");
    REQUIRE(other.has_error());
    CHECK(other.error().code == errc::file_exists);
    CHECK_THAT(other.error().message, Contains(process));
}

TEST_CASE("the log of a killed run is waited for until the last of its processes is gone") {
    test::TemporaryDirectory directory;
    std::string path = some_log(directory);
    for (bool reaped : {true, false}) {  // else it is a zombie still
        Inheritance killed(path, die);
        if (reaped) killed.reap_taker();
        std::promise<void> waiting;
        int told = 0;
        auto opened = std::async(std::launch::async, [&] {
            return OldLog::open(path, {test::patience, [&] {
                                           if (++told == 1) waiting.set_value();
                                       }});
        });
        CHECK(waiting.get_future().wait_for(test::patience) == std::future_status::ready);
        CHECK(opened.wait_for(0s) == std::future_status::timeout);
        killed.release();
        CHECK(opened.get().has_value());
        CHECK(told == 1);
    }
}

TEST_CASE("the wait for a killed run's processes has an end") {
    test::TemporaryDirectory directory;
    std::string path = some_log(directory);
    Inheritance killed(path, die);
    killed.reap_taker();
    auto opened = OldLog::open(path, {300ms, {}});
    REQUIRE(opened.has_error());
    CHECK(opened.error().code == errc::resource_unavailable_try_again);
    CHECK_THAT(opened.error().message, Contains(path) && Contains("is not visible"));
}

TEST_CASE("whoever took a lock and has the file no longer open does not hold it") {
    test::TemporaryDirectory directory;
    std::string held = some_log(directory, "held");
    Inheritance living(held, [](int) {});
    living.wait_for_taker();
    io::UniqueFd fd(::open(held.c_str(), O_PATH));
    CHECK(io::lock_holders(fd.get()) == std::vector<int>{living.taker()});

    std::string left = some_log(directory, "left");
    Inheritance closed(left, [](int lock) { ::close(lock); });
    closed.wait_for_taker();
    fd = io::UniqueFd(::open(left.c_str(), O_RDONLY));
    CHECK(io::lock_holders(fd.get()).empty());
    CHECK(::flock(fd.get(), LOCK_EX | LOCK_NB) != 0);
}

TEST_CASE("a process that has a lock several times is one holder") {
    test::TemporaryDirectory directory;
    std::string path = some_log(directory);
    io::UniqueFd observer(::open(path.c_str(), O_PATH));
    CHECK(io::lock_holders(observer.get()).empty());
    io::UniqueFd one(::open(path.c_str(), O_RDONLY));
    io::UniqueFd two(::open(path.c_str(), O_RDONLY));
    REQUIRE(::flock(one.get(), LOCK_SH) == 0);
    REQUIRE(::flock(two.get(), LOCK_SH) == 0);
    CHECK(io::lock_holders(one.get()) == std::vector<int>{::getpid()});
}

TEST_CASE("only a regular file is opened as a log") {
    test::TemporaryDirectory directory;
    REQUIRE(::mkfifo((directory / "fifo").c_str(), 0600) == 0);
    for (const std::string& path : {directory / "fifo", directory.path(), std::string("/dev/null")}) {
        auto opened = OldLog::open(path);
        REQUIRE(opened.has_error());
        CHECK_THAT(opened.error().message, Contains(path) && Contains("not a regular file"));
    }
    auto missing = OldLog::open(directory / "missing");
    REQUIRE(missing.has_error());
    CHECK(missing.error().code == errc::no_such_file_or_directory);
    CHECK_THAT(missing.error().message, Contains(directory / "missing"));
}
