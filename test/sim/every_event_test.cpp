// Random runs, broken off after every line and in the middle of one; how many crashes, and of which run, as
// random.hpp says (a million for a thorough look).
#include "resume.hpp"
#include "seeds.hpp"

#include <catch2/catch.hpp>

using namespace sim;

namespace {

constexpr std::size_t most_crashes = 200;  // of one run

class BrokenOff {
  public:
    explicit BrokenOff(std::uint32_t seed)
        : draw_(seed), workload_(seed, shape()), whole_(workload_, draw_.bits()) {}

    std::uint32_t crashes() const { return crashes_; }

    void after_every_event() {
        whole_.play();
        done_ = whole_.log().done();
        const Log& log = whole_.log();
        Fed born{workload_.begun(), workload_.header().size()};
        check_end(resume(workload_, log, log.text.size(), born), log, done_);
        std::size_t stride = 1 + 2 * log.entries.size() / most_crashes;
        Fed before = resume(workload_, log, log.initial_bytes(), born).fed;
        for (std::size_t line = log.born; line <= log.entries.size(); line += stride) {
            before = crash(log.ends[line - 1], before);
            if (line < log.entries.size()) crash(in_line(line), before);
        }
    }

  private:
    Shape shape() {
        if (draw_.one_in(100)) return {200, draw_.one_in(4)};
        return {30, draw_.one_in(10)};
    }

    std::size_t in_line(std::size_t line) {
        std::size_t begin = whole_.log().ends[line - 1];
        return begin + 1 + draw_.below(whole_.log().ends[line] - begin - 1);
    }

    // And once more, some of them again and again. Returns the part of the log that outlives the crash.
    Fed crash(std::size_t cut, const Fed& before) {
        ++crashes_;
        Resumed resumed = resume(workload_, whole_.log(), cut, before);
        Fed survived = resumed.fed;
        while (draw_.one_in(4) && !resumed.fed.replay.state().over()) {
            Life next = live_on(workload_, resumed, draw_.bits());
            for (std::uint32_t steps = draw_.below(8); steps > 0 && !next.over(); --steps)
                next.step();
            std::size_t least = next.first_bytes();
            cut = least + draw_.below(next.log().text.size() - least + 1);
            resumed = resume(workload_, next.log(), cut, resumed.fed);
        }
        Life last = live_on(workload_, resumed, draw_.bits());
        last.play();
        check_end(resumed, last.log(), done_);
        return survived;
    }

    Draw draw_;
    Workload workload_;
    Life whole_;
    std::vector<std::uint64_t> done_;
    std::uint32_t crashes_ = 0;
};

std::uint32_t check_seed(std::uint32_t seed) {
    BrokenOff run(seed);
    try {
        run.after_every_event();
    } catch (const std::exception& error) {
        FAIL("crash " << run.crashes() << ": " << error.what());
    }
    return run.crashes();
}

}  // namespace

TEST_CASE("every_event: a crash after any event changes nothing in what is done") {
    workflow_test::for_each_seed(workflow_test::scaled(50'000, 10'000), {}, check_seed);
}
