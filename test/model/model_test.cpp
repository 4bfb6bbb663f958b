// The pool daemon, whole and real, under random interleavings of everything that agents and submitters do and
// that happens to it.
//
// BARNUM_TEST_SEED: only the chapter with that seed, which a failure has printed; BARNUM_RANDOM_SEQUENCES: so
// many operations; BARNUM_RANDOM_FIRST: from which seed on.
#include "model.hpp"

#include "io/log.hpp"
#include "random.hpp"

#include <catch2/catch.hpp>

namespace {

constexpr std::uint64_t operations_of_a_chapter = 2000;

std::uint64_t play(std::uint64_t seed) {
    model::Chapter chapter(seed);
    try {
        chapter.run(operations_of_a_chapter);
    } catch (const std::exception& error) {
        FAIL("BARNUM_TEST_SEED=" << seed << ", operation " << chapter.story().operations() << ": "
                                 << error.what() << "\nbefore it:" << chapter.story().told(error.what()));
    }
    return chapter.story().operations();
}

}  // namespace

TEST_CASE("whatever happens, each submission is answered once and is with one agent at a time") {
    using workflow_test::from_environment;
    io::log::set_level(io::log::Level::off);
    if (auto seed = from_environment("BARNUM_TEST_SEED")) {
        play(*seed);
        return;
    }
    std::uint32_t wanted =
        from_environment("BARNUM_RANDOM_SEQUENCES").value_or(workflow_test::is_sanitized ? 40'000 : 100'000);
    std::uint64_t operations = 0;
    for (std::uint64_t seed = workflow_test::first_seed(); operations < wanted; ++seed)
        operations += play(seed);
    SUCCEED(operations << " operations");
}
