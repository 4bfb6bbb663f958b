#include "statelog/journal.hpp"

#include "io/task_group.hpp"
#include "io_helper.hpp"
#include "scripted_calls.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <fstream>
#include <future>
#include <optional>
#include <signal.h>
#include <sstream>
#include <stdexcept>

using Catch::Matchers::Contains;
using namespace std::chrono_literals;
using statelog::Fsync;
using statelog::Journal;
using statelog::LogFile;
using test::ScriptedCalls;
using Clock = std::chrono::steady_clock;
using Outcome = std::optional<base::Result<void>>;
using Names = std::vector<std::string>;
namespace asio = boost::asio;

namespace {

asio::awaitable<void> commit_once(Journal* journal, std::string lines, Outcome* outcome) {
    *outcome = co_await journal->commit(std::move(lines));
}

asio::awaitable<void> close_it(Journal* journal, Outcome* outcome) {
    *outcome = co_await journal->close();
}

asio::awaitable<void> commit_many(Journal* journal, int first, int end, std::size_t* failures) {
    for (int i = first; i < end; ++i)
        if (auto done = co_await journal->commit(std::to_string(i) + "\n"); done.has_error()) ++*failures;
}

// What a coroutine that is cancelled in the middle of a commit goes through.
asio::awaitable<void> commit_then_wait(Journal* journal, std::string lines, Outcome* outcome, bool* waited) {
    *outcome = co_await journal->commit(std::move(lines));
    asio::steady_timer timer(co_await asio::this_coro::executor, 0ms);
    co_await timer.async_wait(asio::use_awaitable);
    *waited = true;
}

asio::awaitable<void> wait(std::chrono::milliseconds time, bool* ended) {
    asio::steady_timer timer(co_await asio::this_coro::executor, time);
    co_await timer.async_wait(asio::use_awaitable);
    *ended = true;
}

// Holds calls of one name up until it is opened.
class Gate {
  public:
    Gate(ScriptedCalls& script, const std::string& name) {
        script.before = [this, name](const std::string& called) {
            if (called != name) return;
            reached_.set_value();
            opened_.get_future().wait();
        };
    }
    bool is_reached() { return reached_.get_future().wait_for(test::patience) == std::future_status::ready; }
    void open() { opened_.set_value(); }

  private:
    std::promise<void> reached_;
    std::promise<void> opened_;
};

// A journal on a fresh log, its loop, and what it reported.
struct Fixture {
    explicit Fixture(Fsync policy) : Fixture(policy, [](ScriptedCalls&) {}) {}
    Fixture(Fsync policy, const std::function<void(ScriptedCalls&)>& prepare) {
        auto file = LogFile::create(directory / "log", "head\n", script.calls());
        REQUIRE(file.has_value());
        born = script.made().size();
        prepare(script);
        journal = std::make_unique<Journal>(
            loop.get_executor(), std::move(*file), policy,
            [this](const base::Error& error) { failures.push_back(error.message); });
    }

    base::Result<void> commit(const std::string& lines) {
        Outcome outcome;
        test::run(loop, commit_once(journal.get(), lines, &outcome));
        REQUIRE(outcome);
        return *outcome;
    }
    base::Result<void> close() {
        Outcome outcome;
        test::run(loop, close_it(journal.get(), &outcome));
        REQUIRE(outcome);
        return *outcome;
    }
    // The calls made since the log was born.
    Names calls() const {
        Names made = script.made();
        return {made.begin() + static_cast<std::ptrdiff_t>(born), made.end()};
    }
    std::string content() const {
        std::ifstream file(directory / "log", std::ios::binary);
        std::stringstream text;
        text << file.rdbuf();
        return text.str();
    }
    // Runs the loop until it is so, or the deadline.
    void run_until(const std::function<bool()>& condition) {
        loop.restart();
        auto end = Clock::now() + test::patience;
        auto keep_alive = asio::make_work_guard(loop);
        while (!condition() && Clock::now() < end)
            loop.run_one_for(100ms);
        CHECK(condition());
    }

    test::TemporaryDirectory directory;
    asio::io_context loop{1};
    ScriptedCalls script;
    std::size_t born = 0;
    Names failures;
    std::unique_ptr<Journal> journal;
};

}  // namespace

TEST_CASE("with always, every commit is written and synced before it returns") {
    Fixture log(Fsync::always);
    CHECK(log.commit("one\n").has_value());
    CHECK(log.calls() == Names{"write", "fdatasync"});
    CHECK(log.commit("two\nthree\n").has_value());
    CHECK(log.calls() == Names{"write", "fdatasync", "write", "fdatasync"});
    CHECK(log.content() == "head\none\ntwo\nthree\n");
    CHECK(log.close().has_value());
    CHECK(log.calls().size() == 4);  // there is nothing left to sync
}

TEST_CASE("with never, a commit is written before it returns and nothing is ever synced") {
    Fixture log(Fsync::never);
    CHECK(log.commit("one\n").has_value());
    CHECK(log.content() == "head\none\n");
    CHECK(log.close().has_value());
    CHECK(log.calls() == Names{"write"});
}

TEST_CASE("with interval, a commit is written before it returns and synced a second later by itself") {
    Fixture log(Fsync::interval);
    auto start = Clock::now();
    CHECK(log.commit("one\n").has_value());
    CHECK(log.commit("two\n").has_value());
    CHECK(log.content() == "head\none\ntwo\n");
    CHECK(log.calls() == Names{"write", "write"});
    REQUIRE(log.script.wait_for("fdatasync", 1));  // though no loop runs, and nothing is committed
    CHECK(Clock::now() - start > 900ms);
    CHECK(log.commit("three\n").has_value());
    REQUIRE(log.script.wait_for("fdatasync", 2));
    CHECK(log.close().has_value());
    CHECK(log.calls() == Names{"write", "write", "fdatasync", "write", "fdatasync"});
}

TEST_CASE("with interval, commits that never pause are synced too") {
    Fixture log(Fsync::interval);
    std::size_t failures = 0;
    auto end = Clock::now() + test::patience;
    for (int i = 0; log.script.count("fdatasync") < 2 && Clock::now() < end; i += 100)
        test::run(log.loop, commit_many(log.journal.get(), i, i + 100, &failures));
    CHECK(log.script.count("fdatasync") >= 2);
    CHECK(failures == 0);
}

TEST_CASE("close syncs at once what the interval would have") {
    auto quickest = Clock::duration::max();  // on a busy machine; who waits for the interval always does
    for (int i = 0; i < 60 && quickest >= 500ms; ++i) {
        Fixture log(Fsync::interval);
        CHECK(log.commit("one\n").has_value());
        auto start = Clock::now();
        CHECK(log.close().has_value());
        quickest = std::min(quickest, Clock::now() - start);
        CHECK(log.calls() == Names{"write", "fdatasync"});
        CHECK(log.close().has_value());  // a second one does nothing
        CHECK(log.calls().size() == 2);
    }
    CHECK(quickest < 500ms);
}

TEST_CASE("ten thousand commits are in the log in their order") {
    for (Fsync policy : {Fsync::always, Fsync::interval, Fsync::never}) {
        const int count = policy == Fsync::always ? 1'000 : 10'000;  // syncs may be slow
        Fixture log(policy);
        std::size_t failures = 0;
        test::run(log.loop, commit_many(log.journal.get(), 0, count, &failures));
        CHECK(failures == 0);
        CHECK(log.close().has_value());
        std::string expected = "head\n";
        for (int i = 0; i < count; ++i)
            expected += std::to_string(i) + "\n";
        CHECK((log.content() == expected));
        CHECK(log.script.count("write") == static_cast<std::size_t>(count) + 1);
        if (policy == Fsync::always) CHECK(log.script.count("fdatasync") == static_cast<std::size_t>(count));
    }
}

TEST_CASE("the loop goes on while the disk takes its time, and does not end before the commit") {
    std::unique_ptr<Gate> gate;
    Fixture log(Fsync::always,
                [&](ScriptedCalls& script) { gate = std::make_unique<Gate>(script, "fdatasync"); });
    Outcome outcome;
    asio::co_spawn(log.loop, commit_once(log.journal.get(), "one\n", &outcome), [](std::exception_ptr) {});
    log.loop.poll();
    REQUIRE(gate->is_reached());
    bool timed = false;
    test::run(log.loop, wait(10ms, &timed));
    CHECK(timed);
    log.loop.restart();
    log.loop.poll();
    CHECK_FALSE(log.loop.stopped());  // a commit is under way
    CHECK_FALSE(outcome);
    gate->open();
    log.loop.run();
    REQUIRE(outcome);
    CHECK(outcome->has_value());
}

TEST_CASE("a journal that has nothing to do keeps no loop alive") {
    Fixture log(Fsync::interval);
    CHECK(log.commit("one\n").has_value());  // and its sync is due in a second
    log.loop.restart();
    log.loop.poll();
    CHECK(log.loop.stopped());
}

TEST_CASE("a commit that is cancelled is made all the same, and its result not lost") {
    std::unique_ptr<Gate> gate;
    Fixture log(Fsync::always,
                [&](ScriptedCalls& script) { gate = std::make_unique<Gate>(script, "write"); });
    io::TaskGroup group(log.loop.get_executor(), io::log_exception);
    Outcome outcome;
    bool waited = false;
    group.spawn("commit", commit_then_wait(log.journal.get(), "one\n", &outcome, &waited));
    log.loop.poll();
    REQUIRE(gate->is_reached());
    group.cancel();
    log.loop.poll();
    CHECK_FALSE(outcome);
    CHECK(group.size() == 1);
    gate->open();
    log.run_until([&] { return group.size() == 0; });
    REQUIRE(outcome);
    CHECK(outcome->has_value());
    CHECK_FALSE(waited);  // the next co_await has thrown
    CHECK(log.content() == "head\none\n");
    log.script.before = [](auto&) {};
    CHECK(log.commit("two\n").has_value());
    CHECK(log.content() == "head\none\ntwo\n");
}

TEST_CASE("after an error every commit returns it, and nothing is written or synced") {
    for (Fsync policy : {Fsync::always, Fsync::interval, Fsync::never})
        for (const char* call : {"write", "fdatasync"}) {
            if (call == std::string("fdatasync") && policy != Fsync::always) continue;
            Fixture log(policy);
            CHECK(log.commit("one\n").has_value());
            log.script.fail_at = log.script.made().size() + (call == std::string("write") ? 0 : 1);
            log.script.error = ENOSPC;
            auto failed = log.commit("two\n");
            REQUIRE(failed.has_error());
            CHECK(failed.error().code.value() == ENOSPC);
            CHECK_THAT(failed.error().message, Contains(log.directory / "log"));
            const Names calls = log.calls();
            CHECK(calls.back() == call);
            for (int i = 0; i < 3; ++i)
                CHECK(log.commit("more\n").error().message == failed.error().message);
            CHECK(log.close().error().message == failed.error().message);
            log.journal.reset();
            CHECK(log.calls() == calls);
            CHECK(log.failures.empty());  // a commit has told it
        }
}

TEST_CASE("a failed sync in the background is told once, and is every later commit's error") {
    Fixture log(Fsync::interval);
    log.script.fail_at = log.script.made().size() + 1;
    CHECK(log.commit("one\n").has_value());
    log.run_until([&] { return !log.failures.empty(); });
    CHECK_THAT(log.failures.front(), Contains(log.directory / "log"));
    CHECK(log.commit("two\n").error().message == log.failures.front());
    CHECK(log.close().error().message == log.failures.front());
    CHECK(log.calls() == Names{"write", "fdatasync"});
    CHECK(log.failures.size() == 1);
    CHECK(log.content() == "head\none\n");
}

TEST_CASE("a journal that is gone tells nobody of its failed sync") {
    Fixture log(Fsync::interval);
    log.script.fail_at = log.script.made().size() + 1;
    CHECK(log.commit("one\n").has_value());
    REQUIRE(log.script.wait_for("fdatasync", 1));
    log.journal.reset();
    log.loop.restart();
    log.loop.poll();
    CHECK(log.failures.empty());
}

TEST_CASE("a failed sync in the background is told by the commit that waits for it") {
    std::unique_ptr<Gate> gate;
    Fixture log(Fsync::interval,
                [&](ScriptedCalls& script) { gate = std::make_unique<Gate>(script, "fdatasync"); });
    log.script.fail_at = log.script.made().size() + 1;
    CHECK(log.commit("one\n").has_value());
    REQUIRE(gate->is_reached());
    Outcome outcome;
    asio::co_spawn(log.loop, commit_once(log.journal.get(), "two\n", &outcome), [](std::exception_ptr) {});
    log.loop.restart();
    log.loop.poll();
    gate->open();
    log.run_until([&] { return outcome.has_value(); });
    CHECK(outcome->has_error());
    CHECK(log.close().has_error());
    CHECK(log.failures.empty());
    CHECK(log.calls() == Names{"write", "fdatasync"});
}

TEST_CASE("a sync that fails at the end is close's result") {
    Fixture log(Fsync::interval);
    log.script.fail_at = log.script.made().size() + 1;
    CHECK(log.commit("one\n").has_value());
    auto closed = log.close();
    REQUIRE(closed.has_error());
    CHECK(log.close().error().message == closed.error().message);
    CHECK(log.failures.empty());
}

TEST_CASE("an interrupted or short write of a commit is carried on") {
    Fixture log(Fsync::always);
    log.script.most_bytes = 2;
    log.script.error = EINTR;
    log.script.fail_at = log.script.made().size() + 1;
    CHECK(log.commit("12345\n").has_value());
    CHECK(log.content() == "head\n12345\n");
    CHECK(log.calls() == Names{"write", "write", "write", "write", "fdatasync"});
}

TEST_CASE("signals are left to the loop's thread") {
    sigset_t mask;
    sigset_t own;
    ::sigemptyset(&mask);
    Fixture log(Fsync::never, [&](ScriptedCalls& script) {
        script.before = [&](const std::string&) { ::pthread_sigmask(SIG_BLOCK, nullptr, &mask); };
    });
    CHECK(log.commit("one\n").has_value());
    CHECK(log.close().has_value());
    ::pthread_sigmask(SIG_BLOCK, nullptr, &own);
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGUSR1}) {
        CHECK(::sigismember(&mask, signal) == 1);
        CHECK(::sigismember(&own, signal) == 0);
    }
}

TEST_CASE("a journal that goes without having been closed leaves its thread and lock behind nowhere") {
    Fixture log(Fsync::interval);
    CHECK(log.commit("one\n").has_value());
    CHECK(statelog::OldLog::open(log.directory / "log").has_error());
    log.journal.reset();
    CHECK(log.calls().front() == "write");  // synced as well if a second has passed
    CHECK(statelog::OldLog::open(log.directory / "log").has_value());
}

TEST_CASE("a commit after close, and one beside another, are bugs") {
    std::unique_ptr<Gate> gate;
    Fixture log(Fsync::always,
                [&](ScriptedCalls& script) { gate = std::make_unique<Gate>(script, "write"); });
    Outcome outcome;
    asio::co_spawn(log.loop, commit_once(log.journal.get(), "one\n", &outcome), [](std::exception_ptr) {});
    log.loop.poll();
    REQUIRE(gate->is_reached());
    CHECK_THROWS_AS(log.commit("two\n"), std::logic_error);
    gate->open();
    log.run_until([&] { return outcome.has_value(); });
    CHECK(log.close().has_value());
    CHECK_THROWS_AS(log.commit("three\n"), std::logic_error);
    CHECK(log.content() == "head\none\n");
}
