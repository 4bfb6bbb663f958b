// Journals whose process is killed: at a moment of chance, and at each of its system calls.
#include "edge_journal_helper.hpp"

#include <atomic>
#include <filesystem>
#include <random>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

using edge_shell::Journal;
using test::carry_out;
using test::change;
using test::Contents;
using test::contents_of;
using test::JournalWorld;

namespace {

// What the killed process has told.
struct Progress {
    std::atomic<std::uint64_t> begun{0};    // changes that it may have written
    std::atomic<std::uint64_t> flushed{0};  // changes that it has written
};

class SharedProgress {
  public:
    SharedProgress() {
        void* memory =
            ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        REQUIRE(memory != MAP_FAILED);
        progress_ = new (memory) Progress;
    }
    ~SharedProgress() { ::munmap(progress_, sizeof(Progress)); }
    SharedProgress(const SharedProgress&) = delete;
    SharedProgress& operator=(const SharedProgress&) = delete;
    Progress* operator->() const { return progress_; }
    Progress& operator*() const { return *progress_; }

  private:
    Progress* progress_;
};

constexpr std::uint64_t seed = 7;
constexpr std::uint64_t keys = 30;
constexpr std::size_t longest = 20'000;  // bytes of a text: the file is written anew every 150 changes

// Makes the changes from `first` on, until it is killed.
[[noreturn]] void write_until_killed(const JournalWorld& world, std::uint64_t first, Progress& progress) {
    auto journal = Journal::open(world.directory, world.name);
    if (journal.has_error()) ::_exit(1);
    std::mt19937_64 random(first);
    for (std::uint64_t next = first;;) {
        const std::uint64_t end = next + 1 + random() % 4;
        progress.begun = end;
        for (; next < end; ++next)
            carry_out(*journal, change(seed, next, keys, longest));
        if (journal->flush().has_error()) ::_exit(2);
        progress.flushed = end;
    }
}

// The number of changes, from `least` to `most`, that lead to these contents, if there is one.
std::optional<std::uint64_t> changes_of(const Contents& found, Contents& oracle, std::uint64_t done,
                                        std::uint64_t least, std::uint64_t most) {
    for (; done <= most; ++done) {
        if (done >= least && oracle == found) return done;
        carry_out(oracle, change(seed, done, keys, longest));
    }
    return std::nullopt;
}

void reap_killed(pid_t pid) {
    int status = 0;
    REQUIRE(::waitpid(pid, &status, 0) == pid);
    REQUIRE(WIFSIGNALED(status));
}

// A process that is killed at a call of its journal: before it, or after it was carried out by half.
class KillingCalls {
  public:
    KillingCalls(int number, bool by_half) : left_(number), by_half_(by_half) {}

    io::FileCalls calls() {
        io::FileCalls calls = io::FileCalls::real();
        calls.write = [this](int fd, const void* data, std::size_t size) {
            if (left_-- > 0) return ::write(fd, data, size);
            if (by_half_) (void)!::write(fd, data, size / 2);
            die();
        };
        calls.replace = [this, real = calls.replace](int directory, const char* from, const char* to) {
            if (left_-- > 0) return real(directory, from, to);
            if (by_half_) real(directory, from, to);
            die();
        };
        return calls;
    }

  private:
    [[noreturn]] static void die() {
        ::raise(SIGKILL);
        ::abort();
    }

    int left_;
    bool by_half_;
};

// Ends with 0 if it was not killed.
[[noreturn]] void write_large_entries(const JournalWorld& world, KillingCalls calls, Progress& progress) {
    auto journal = Journal::open(world.directory, world.name, calls.calls());
    if (journal.has_error()) ::_exit(1);
    for (std::uint64_t i = 0; i < 30; ++i) {
        progress.begun = i + 1;
        journal->put("k" + std::to_string(i % 4), std::to_string(i) + std::string(100'000, 'x'));
        if (journal->flush().has_error()) ::_exit(2);
        progress.flushed = i + 1;
    }
    ::_exit(0);
}

Contents large_entries(std::uint64_t count) {
    Contents contents;
    for (std::uint64_t i = 0; i < count; ++i)
        contents["k" + std::to_string(i % 4)] = std::to_string(i) + std::string(100'000, 'x');
    return contents;
}

}  // namespace

TEST_CASE("a journal survives that its process is killed, again and again") {
    JournalWorld world;
    SharedProgress progress;
    Contents oracle;
    std::uint64_t done = 0;
    std::mt19937_64 random(seed);
    for (int round = 0; round < 60; ++round) {
        const std::uint64_t killed_after = done + random() % 300;
        progress->begun = progress->flushed = done;
        const pid_t pid = ::fork();
        REQUIRE(pid >= 0);
        if (pid == 0) write_until_killed(world, done, *progress);
        while (progress->flushed < killed_after && ::waitpid(pid, nullptr, WNOHANG) == 0)
            ::sched_yield();
        ::kill(pid, SIGKILL);
        reap_killed(pid);
        const Contents found = contents_of(world.open());
        auto changes = changes_of(found, oracle, done, progress->flushed, progress->begun);
        REQUIRE(changes);
        done = *changes;
        REQUIRE(std::filesystem::file_size(world.path()) < 2'200'000);
    }
}

TEST_CASE("a journal survives that its process is killed at any call") {
    for (bool by_half : {false, true}) {
        bool is_killed = true;
        int rewritten = 0;
        for (int call = 0; is_killed; ++call) {
            INFO("call " << call << (by_half ? ", by half" : ""));
            JournalWorld world;
            SharedProgress progress;
            const pid_t pid = ::fork();
            REQUIRE(pid >= 0);
            if (pid == 0) write_large_entries(world, KillingCalls(call, by_half), *progress);
            int status = 0;
            REQUIRE(::waitpid(pid, &status, 0) == pid);
            is_killed = WIFSIGNALED(status);
            REQUIRE((is_killed || WEXITSTATUS(status) == 0));
            if (std::filesystem::exists(world.path() + ".new")) ++rewritten;
            const Contents found = contents_of(world.open());
            const bool is_one_of_both =
                found == large_entries(progress->flushed) || found == large_entries(progress->begun);
            REQUIRE(is_one_of_both);
            REQUIRE_FALSE(std::filesystem::exists(world.path() + ".new"));
            REQUIRE(std::filesystem::file_size(world.path()) < 1'300'000);
        }
        CHECK(rewritten > 0);
    }
}
