#include "runner/measurement.hpp"

#include <catch2/catch.hpp>

using namespace std::chrono_literals;
using process::ChildUse;
using runner::Measurement;
using workflow::Phase;

TEST_CASE("CPU times of an attempt's processes are added, and the largest memory counts") {
    Measurement measurement;
    measurement.add_script(Phase::pre, 3400us, ChildUse{600us, 1000});
    measurement.add_script(Phase::command, 12ms, ChildUse{600us, 5000});
    measurement.add_script(Phase::post, 1600us, ChildUse{600us, 3000});
    auto measured = measurement.result();
    REQUIRE(measured);
    CHECK(measured->pre == 3ms);
    CHECK(measured->action == 12ms);
    CHECK(measured->post == 2ms);
    CHECK(measured->cpu == 2ms);
    CHECK(measured->peak_memory == 5000);
}

TEST_CASE(
    "an attempt without a local process is not measured, and one with a hook is with its time at the pool") {
    Measurement pool;
    pool.add_pool(5s);
    CHECK_FALSE(pool.result());
    pool.add_script(Phase::post, 1ms, ChildUse{1ms, 1000});
    auto measured = pool.result();
    REQUIRE(measured);
    CHECK(measured->action == 5s);
    CHECK_FALSE(measured->pre);
}

TEST_CASE("memory that is not known does not hide what is known") {
    Measurement measurement;
    measurement.add_script(Phase::pre, 1ms, ChildUse{});
    CHECK_FALSE(measurement.result()->peak_memory);
    measurement.add_script(Phase::command, 1ms, ChildUse{0us, 5000});
    measurement.add_script(Phase::post, 1ms, ChildUse{});
    CHECK(measurement.result()->peak_memory == 5000);
}

TEST_CASE("a finally is the action of its attempt") {
    Measurement measurement;
    measurement.add_script(Phase::finally, 7ms, ChildUse{});
    CHECK(measurement.result()->action == 7ms);
}
