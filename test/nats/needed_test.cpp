// Without nats-server no case of this program is run: it ends as skipped, or with BARNUM_REQUIRE_ALL=1 as
// failed, before a case has begun.
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "nats_server.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <iostream>
#include <string_view>

namespace {

constexpr int skipped = 77;

struct NeedsServer : Catch::TestEventListenerBase {
    using TestEventListenerBase::TestEventListenerBase;

    void testCaseStarting(const Catch::TestCaseInfo&) override {
        if (!test::nats_server_program().empty()) return;
        const char* value = std::getenv("BARNUM_REQUIRE_ALL");
        bool is_demanded = value != nullptr && std::string_view(value) == "1";
        std::cout << (is_demanded ? "BARNUM_REQUIRE_ALL is set, and " : "skipped: ")
                  << "nats-server is missing; install it with scripts/install-deps --tests" << std::endl;
        std::_Exit(is_demanded ? 1 : skipped);
    }
};

CATCH_REGISTER_LISTENER(NeedsServer)

}  // namespace
