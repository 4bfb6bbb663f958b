// How long a state log that somebody else holds is waited for.
#include "launch/earlier_log.hpp"

#include "io_helper.hpp"

#include <fcntl.h>
#include <fstream>
#include <future>
#include <sys/file.h>
#include <thread>

using Catch::Matchers::Contains;
using namespace std::chrono_literals;

TEST_CASE("a log that somebody holds for a while is waited for, for as long as is wanted") {
    test::TemporaryDirectory directory;
    std::string path = directory / "log";
    std::ofstream(path) << "{}\n";
    io::UniqueFd held(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    REQUIRE(::flock(held.get(), LOCK_EX | LOCK_NB) == 0);

    SECTION("it is let go of in time") {
        // Later than the first refusal.
        auto release = std::async(std::launch::async, [&] {
            std::this_thread::sleep_for(600ms);
            ::flock(held.get(), LOCK_UN);
        });
        CHECK(launch::open_earlier_log(path, 300s).has_value());
        release.get();
    }
    SECTION("it is not, and the holder is named") {
        auto log = launch::open_earlier_log(path, 0s);
        REQUIRE(log.has_error());
        CHECK_THAT(log.error().message,
                   Contains("in use by process " + std::to_string(::getpid()) +
                            ": its run, one that resumes it, or a command that uses it"));
    }
}
