// Random servers, networks and owners: each request ends once, nothing is published twice or out of order,
// nothing is said before TLS where that is demanded, and each connection gets all subscriptions.
#include "seeds.hpp"
#include "session_world.hpp"

TEST_CASE("random servers and networks break no rule of a session") {
    workflow_test::for_each_seed(workflow_test::scaled(2000, 300), {}, [](std::uint32_t seed) {
        test::World world(seed);
        for (int i = 0; i < 200; ++i)
            world.step();
        world.end();
    });
}
