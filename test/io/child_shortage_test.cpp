// Not under UBSan, whose check of virtual calls needs descriptors itself, nor under TSan, which needs memory
// itself.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BARNUM_IS_SANITIZED
#endif
#endif
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(BARNUM_IS_SANITIZED)

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

// As long as it lives, this process may have no more than `most` of the resource.
class Limit {
  public:
    Limit(__rlimit_resource_t resource, rlim_t most) : resource_(resource) {
        ::getrlimit(resource_, &before_);
        rlimit limited = before_;
        limited.rlim_cur = most;
        ::setrlimit(resource_, &limited);
    }
    ~Limit() { ::setrlimit(resource_, &before_); }
    Limit(const Limit&) = delete;
    Limit& operator=(const Limit&) = delete;

  private:
    __rlimit_resource_t resource_;
    rlimit before_{};
};

// No file can be opened and no process be watched.
struct NoDescriptors : Limit {
    NoDescriptors() : Limit(RLIMIT_NOFILE, 0) {}
};

// What the process has is left to it, and so is room for small objects.
struct NoMemory : Limit {
    NoMemory() : Limit(RLIMIT_AS, after_making_room(1 << 20)) {}

  private:
    static rlim_t after_making_room(rlim_t most) {
        const std::vector<char> room(100'000);
        return most;
    }
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
        std::ofstream created(go);
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
