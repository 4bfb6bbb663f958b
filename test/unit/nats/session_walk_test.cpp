// Random servers, networks and owners: each request ends once, nothing is published twice or out of order,
// nothing is said before TLS where that is demanded, and each connection gets all subscriptions.
#include "random.hpp"
#include "session_world.hpp"

TEST_CASE("random servers and networks break no rule of a session") {
    auto count =
        workflow_test::from_environment("BARNUM_RANDOM_SEQUENCES").value_or(workflow_test::scaled(2000, 300));
    for (std::uint32_t seed = workflow_test::first_seed(); seed < workflow_test::first_seed() + count;
         ++seed) {
        INFO("seed " << seed);
        test::World world(seed);
        for (int i = 0; i < 200; ++i)
            world.step();
        world.end();
    }
}
