#include "../declared_options.hpp"
#include "program.hpp"

#include <catch2/catch.hpp>

TEST_CASE("every option of troupe is in help, manual and completion") {
    CHECK(declared_options::check_all(*troupe::program()) > 50);
}
