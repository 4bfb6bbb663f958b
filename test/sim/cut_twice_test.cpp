// Logs that are cut, gone on with, and cut again.
#include "random.hpp"
#include "resume.hpp"
#include "seeds.hpp"

#include <catch2/catch.hpp>

using namespace sim;

namespace {

constexpr std::uint32_t runs = workflow_test::is_sanitized ? 2 : 5;
constexpr std::uint32_t first_cuts = workflow_test::scaled(100, 100);  // of each run
constexpr std::uint32_t second_cuts = 50;                              // after each of them
constexpr std::uint32_t lived_on_every = 20;

struct CutTwice {
    explicit CutTwice(std::uint32_t seed)
        : draw(seed),
          workload(seed, {150, seed % 4 == 0}),
          begun{workload.begun(), workload.header().size()} {}

    void run() {
        Life uninterrupted(workload, draw.bits());
        uninterrupted.play();
        whole = uninterrupted.log();
        done = whole.done();
        for (std::uint32_t i = 0; i < first_cuts; ++i) {
            first = whole.initial_bytes() + draw.below(whole.text.size() - whole.initial_bytes() + 1);
            Resumed resumed = resume(workload, whole, first, begun);
            Life life = live_on(workload, resumed, draw.bits());
            least = life.first_bytes();
            life.play();
            check_end(resumed, life.log(), done);
            cut_again(resumed, life.log());
        }
    }

    void cut_again(const Resumed& resumed, const Log& log) {
        for (std::uint32_t i = 0; i < second_cuts; ++i) {
            second = least + draw.below(log.text.size() - least + 1);
            bool from_scratch = draw.one_in(lived_on_every);
            Resumed again = resume(workload, log, second, from_scratch ? begun : resumed.fed);
            if (!from_scratch) continue;
            Life last = live_on(workload, again, draw.bits());
            last.play();
            check_end(again, last.log(), done);
        }
    }

    Draw draw;
    Workload workload;
    Fed begun;
    Log whole;
    std::vector<std::uint64_t> done;
    std::size_t least = 0;  // that a second cut leaves
    std::size_t first = 0;
    std::size_t second = 0;
};

}  // namespace

TEST_CASE("cut_twice: a resumed log that is cut again resumes again") {
    workflow_test::for_each_seed(runs, {}, [](std::uint32_t seed) {
        CutTwice test(seed);
        try {
            test.run();
        } catch (const std::exception& error) {
            FAIL("cut at " << test.first << " and " << test.second << ": " << error.what());
        }
    });
}
