// Not under UBSan, whose check of virtual calls needs descriptors itself.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BARNUM_IS_SANITIZED
#endif
#endif
#if !defined(__SANITIZE_ADDRESS__) && !defined(BARNUM_IS_SANITIZED)

#include "io_helper.hpp"
#include "process/child_process.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <fstream>
#include <sys/resource.h>

using namespace std::chrono_literals;
using process::ChildResult;
using process::ChildSpec;

namespace {

// As long as it lives, no file can be opened and no process be watched.
class NoDescriptors {
  public:
    NoDescriptors() {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        rlimit none = before_;
        none.rlim_cur = 0;
        ::setrlimit(RLIMIT_NOFILE, &none);
    }
    ~NoDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
    NoDescriptors(const NoDescriptors&) = delete;
    NoDescriptors& operator=(const NoDescriptors&) = delete;

  private:
    rlimit before_{};
};

// As long as it lives, this process may have no more memory than it has.
class NoMemory {
  public:
    NoMemory() {
        { const std::vector<char> room_for_small_objects(100'000); }
        ::getrlimit(RLIMIT_AS, &before_);
        rlimit little = before_;
        little.rlim_cur = 1 << 20;
        ::setrlimit(RLIMIT_AS, &little);
    }
    ~NoMemory() { ::setrlimit(RLIMIT_AS, &before_); }
    NoMemory(const NoMemory&) = delete;
    NoMemory& operator=(const NoMemory&) = delete;

  private:
    rlimit before_{};
};

ChildSpec script(std::string text) {
    ChildSpec spec;
    spec.script = std::move(text);
    spec.directory = "/";
    return spec;
}

test::asio::awaitable<void> run_into(ChildSpec spec, std::vector<ChildResult>* results) {
    ChildResult result = co_await process::run_child(std::move(spec));
    results->push_back(std::move(result));
}

}  // namespace

TEST_CASE("children that there are no descriptors for wait until there are") {
    test::asio::io_context loop(1);
    test::asio::steady_timer reactor(loop);  // which needs descriptors itself
    std::vector<ChildResult> results;
    {
        NoDescriptors shortage;
        for (int i = 0; i < 5; ++i)
            test::asio::co_spawn(loop, run_into(script("printf " + std::to_string(i)), &results),
                                 test::asio::detached);
        loop.poll();
        CHECK(results.empty());
    }
    loop.run_for(test::patience);
    std::string outputs;
    for (const ChildResult& result : results)
        outputs += result.output;
    std::sort(outputs.begin(), outputs.end());
    CHECK(outputs == "01234");
}

TEST_CASE("what this process may not have is not waited for, unless a child runs that may give it back") {
    test::asio::io_context loop(1);
    std::vector<ChildResult> results;
    auto run = [&](const char* text) {
        test::asio::co_spawn(loop, run_into(script(text), &results), [](std::exception_ptr thrown) {
            if (thrown) std::rethrow_exception(thrown);
        });
    };
    SECTION("no child runs") {
        NoMemory none;
        run("true");
        CHECK_THROWS_AS(loop.run(), std::bad_alloc);
    }
    SECTION("one runs") {
        const test::TemporaryDirectory directory;
        const std::string go = directory.path() + "/go";
        run(("until [ -e " + go + " ]; do sleep 0.01; done").c_str());
        loop.poll();
        {
            NoMemory none;
            run("true");
            loop.poll();
            CHECK(results.empty());
        }
        std::ofstream{go};
        loop.run();
        CHECK(results.size() == 2);
    }
}

TEST_CASE("a child that waits to be started can be cancelled, and the next one is started") {
    test::asio::io_context loop(1);
    test::asio::steady_timer reactor(loop);
    test::asio::cancellation_signal signal;
    std::vector<ChildResult> results;
    {
        NoDescriptors shortage;
        test::asio::co_spawn(loop, run_into(script("true"), &results),
                             test::asio::bind_cancellation_slot(signal.slot(), test::asio::detached));
        test::asio::co_spawn(loop, run_into(script("true"), &results), test::asio::detached);
        loop.poll();
        signal.emit(test::asio::cancellation_type::terminal);
    }
    loop.run_for(test::patience);
    REQUIRE(results.size() == 2);
    CHECK(results[0].end == ChildResult::End::cancelled);
    CHECK(results[1].succeeded());
}

#endif
