// The pool daemon, whole and real, under random interleavings of everything that agents and submitters do and
// that happens to it.
#include "model.hpp"

#include "io/log.hpp"
#include "seeds.hpp"

#include <catch2/catch.hpp>

namespace {

constexpr std::uint64_t operations_of_a_chapter = 2000;

std::uint64_t play(std::uint32_t seed) {
    model::Chapter chapter(seed);
    try {
        chapter.run(operations_of_a_chapter);
    } catch (const std::exception& error) {
        FAIL("operation " << chapter.story().operations() << ": " << error.what()
                          << "\nbefore it:" << chapter.story().told(error.what()));
    }
    return chapter.story().operations();
}

}  // namespace

TEST_CASE("whatever happens, each submission is answered once and is with one agent at a time") {
    io::log::set_level(io::log::Level::off);
    workflow_test::for_each_seed(workflow_test::scaled(25'000, 25'000), {56, 500'161}, play);
}
