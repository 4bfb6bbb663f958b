#include "runner/result_index.hpp"

#include "config/load.hpp"
#include "random.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace runner;
using workflow::TaskId;

namespace {

// A has a `finally`, B has none. Every line of the log has one byte.
const config::WorkflowConfig& two_steps() {
    static const auto loaded = config::load_text(
        R"({"entrypoint":"A","steps":[{"name":"A","action":{"kind":"Command","script":"a"},"next":["A","B"],)"
        R"("finally":{"kind":"Command","script":"f"},"options":{"max_retries":2}},)"
        R"({"name":"B","action":{"kind":"Command","script":"b"},"next":[]}]})",
        "test", "/");
    return *loaded.config;
}

struct Log {
    ResultIndex index{two_steps()};
    std::uint64_t lines = 0;
    std::vector<ResultIndex::Ended> ended;

    void add(const workflow::Entry& entry) {
        if (auto one = index.add(entry, {lines, lines + 1})) ended.push_back(std::move(*one));
        ++lines;
    }
    void submitted(std::uint64_t task, std::uint32_t step, workflow::Origin origin = workflow::Spawned{}) {
        add(workflow::TaskSubmitted{{task}, {step}, std::make_shared<const std::string>("1"), {}, origin});
    }
    void succeeded(std::uint64_t task, std::vector<TaskId> next = {}) {
        add(workflow::TaskCompleted{{task}, workflow::Succeeded{std::move(next)}});
    }
    void failed(std::uint64_t task, std::optional<TaskId> retry = {},
                workflow::Failure::Kind kind = workflow::Failure::Kind::timeout) {
        workflow::Failure failure;
        failure.kind = kind;
        add(workflow::TaskCompleted{{task}, workflow::Failed{failure, retry}});
    }
    // The bytes that the `finally` of the task reads, which then ends. `keeps`: its file takes their place.
    std::uint64_t finish(std::uint64_t task, std::uint64_t finally, bool keeps) {
        std::uint64_t read = 0;
        for (io::ByteRange range : index.lines_of({task}))
            read += range.end - range.begin;
        succeeded(finally);
        REQUIRE(ended.size() == 1);
        CHECK(ended[0].task == TaskId{task});
        if (ended[0].awaited_by && !keeps) index.give(*ended[0].awaited_by, std::move(ended[0].lines));
        ended.clear();
        return read;
    }
};

// A chain of tasks with a `finally` each: how much all of them read.
std::uint64_t read_in_chain(std::uint64_t depth) {
    Log log;
    log.submitted(0, 0, workflow::Initial{});
    for (std::uint64_t task = 0; task < depth; ++task) {
        log.succeeded(task, task + 1 < depth ? std::vector<TaskId>{{task + 1}} : std::vector<TaskId>{});
        if (task + 1 < depth) log.submitted(task + 1, 0);
    }
    std::uint64_t read = 0;
    for (std::uint64_t left = depth; left-- > 0;) {
        std::uint64_t finally = 2 * depth - left;
        log.submitted(finally, 0, workflow::Finally{{left}});
        read += log.finish(left, finally, true);
    }
    return read;
}

// Tasks with a `finally` and one child each, whose entries are mixed as they are if all run at the same time.
std::uint64_t read_in_fan_out(std::uint64_t width) {
    Log log;
    for (std::uint64_t task = 0; task < width; ++task)
        log.submitted(task, 0, workflow::Initial{});
    for (std::uint64_t task = 0; task < width; ++task) {
        log.succeeded(task, {{width + task}});
        log.submitted(width + task, 1);
    }
    for (std::uint64_t task = 0; task < width; ++task) {
        log.succeeded(width + task);
        log.submitted(2 * width + task, 0, workflow::Finally{{task}});
    }
    std::uint64_t read = 0;
    for (std::uint64_t task = 0; task < width; ++task)
        read += log.finish(task, 2 * width + task, false);
    return read;
}

}  // namespace

TEST_CASE("what finallys of a chain, and those of a fan-out, read of the log grows as the log does") {
    for (std::uint64_t tasks : {100U, 1'000U, 10'000U}) {
        CHECK(read_in_chain(tasks) <= 5 * tasks);
        CHECK(read_in_fan_out(tasks) <= 5 * tasks);
    }
}

TEST_CASE("the lines of a task are its end and all about its descendants, with their finallys") {
    Log log;
    log.submitted(0, 0, workflow::Initial{});  // line 0
    log.succeeded(0, {{1}, {2}});
    log.submitted(1, 0);
    log.submitted(2, 1);
    CHECK(log.index.lines_of({0}) == LogRanges{{1, 4}});
    log.submitted(7, 0, workflow::Initial{});  // line 4: another's
    log.failed(1, TaskId{3});
    log.submitted(3, 0, workflow::Retry{{1}});
    log.failed(3);
    log.submitted(4, 0, workflow::Finally{{3}});
    CHECK(log.index.knows({3}));
    CHECK(log.index.lines_of({3}) == LogRanges{{7, 8}});
    CHECK(log.index.lines_of({0}) == LogRanges{{1, 4}, {5, 9}});
    CHECK(log.finish(3, 4, false) == 1);
    CHECK_FALSE(log.index.knows({3}));
    CHECK(log.index.lines_of({0}).back() == io::ByteRange{5, 10});
}

TEST_CASE("what a finally has emitted belongs to the task above, and a task that was never tried has none") {
    Log log;
    log.submitted(0, 0, workflow::Initial{});
    log.succeeded(0, {{1}, {2}});
    log.submitted(1, 0);
    log.submitted(2, 0);
    log.failed(2, {}, workflow::Failure::Kind::past_bound);
    CHECK_FALSE(log.index.knows({2}));
    log.succeeded(1);
    log.submitted(3, 0, workflow::Finally{{1}});
    log.succeeded(3, {{4}});
    REQUIRE(log.ended.size() == 1);
    CHECK(log.ended[0].awaited_by == TaskId{0});
    log.submitted(4, 1);
    log.succeeded(4);
    CHECK(merged(log.index.lines_of({0})) == LogRanges{{1, 10}});
}
