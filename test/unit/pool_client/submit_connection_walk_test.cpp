// Every short order of events, and long random ones: each submission ends exactly once, nothing is sent twice
// over one connection, all that is outstanding is sent again after a loss, and an outage is reported once.
#include "connection_world.hpp"
#include "seeds.hpp"

#include <array>
#include <random>

using namespace connection_test;

namespace {

const std::array<SubmissionId, 4> all_ids{"a", "b", "c", "d"};

// All orders of `left` steps with two submissions.
void walk(const World& world, int left) {
    if (left == 0) return World(world).end();
    for (int number = 0; number < static_cast<int>(Step::end); ++number) {
        auto step = static_cast<Step>(number);
        for (std::size_t id = 0; id < (World::concerns_submission(step) ? 2U : 1U); ++id) {
            World next = world;
            if (next.take(step, all_ids.at(id))) walk(next, left - 1);
        }
    }
}

void run_sequence(std::uint32_t seed) {
    std::mt19937 random(seed);
    auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    World world(static_cast<Transport>(below(3)), below(3) > 0);
    for (int taken = 0; taken < 300;)
        taken += world.take(static_cast<Step>(below(static_cast<std::size_t>(Step::end))),
                            all_ids.at(below(all_ids.size())))
                     ? 1
                     : 0;
    world.end();
}

}  // namespace

TEST_CASE("every order of a few events ends each submission once") {
    auto transport = GENERATE(Transport::automatic, Transport::socket, Transport::file);
    auto outlives_pool = GENERATE(true, false);
    walk(World(transport, outlives_pool), 7);
}

TEST_CASE("random events end each submission once") {
    workflow_test::for_each_seed(1000, {}, run_sequence);
}
