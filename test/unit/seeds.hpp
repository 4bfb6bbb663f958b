// Random tests: which seeds they run, and how a failure is repeated. BARNUM_RANDOM_SEED names the only seed
// to be run, BARNUM_RANDOM_FIRST the first one, BARNUM_RANDOM_SEQUENCES how many sequences there are to be.
#pragma once

#include "random.hpp"

#include <catch2/catch.hpp>

#include <concepts>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <initializer_list>
#include <string>

namespace workflow_test {

// The command that runs the present test with this seed alone. In Catch's names a comma is escaped.
inline std::string command_to_repeat(std::uint32_t seed) {
    static const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    std::string name;
    for (char c : Catch::getResultCapture().getCurrentTestName()) {
        if (c == ',' || c == '[' || c == '*') name += '\\';
        name += c;
    }
    return "BARNUM_RANDOM_SEED=" + std::to_string(seed) + " " + program + " \"" + name + "\"";
}

// Runs check(seed), whose result is the number of sequences that it has made (one if it has none), for the
// seeds that once failed and then until there are as many as `wanted`. An exception is a failure. Returns the
// number of sequences.
template<class Check>
std::uint64_t for_each_seed(std::uint32_t wanted, std::initializer_list<std::uint32_t> once_failed,
                            Check check) {
    auto run = [&](std::uint32_t seed) -> std::uint64_t {
        INFO("repeat it with: " << command_to_repeat(seed));
        try {
            if constexpr (std::same_as<decltype(check(seed)), void>) {
                check(seed);
                return 1;
            } else {
                return check(seed);
            }
        } catch (const std::exception& error) {
            FAIL(error.what());
        }
        return 0;
    };
    if (auto only = from_environment("BARNUM_RANDOM_SEED")) return run(*only);
    std::uint64_t made = 0;
    for (std::uint32_t seed : once_failed)
        made += run(seed);
    wanted = from_environment("BARNUM_RANDOM_SEQUENCES").value_or(wanted);
    for (std::uint32_t seed = first_seed(); made < wanted; ++seed)
        made += run(seed);
    SUCCEED(made << " sequences");
    return made;
}

}  // namespace workflow_test
