// What several measurements read from their command lines. Each mistake prints the usage and ends the program
// with exit code 2.
#pragma once

#include <cstddef>
#include <string>

namespace bench {

// A whole number greater than 0.
std::size_t positive(const std::string& text, const char* usage);

// Of a program whose only option is `--rounds N`: N, or 3 if it is not given.
std::size_t rounds(int argc, char** argv, const char* usage);

[[noreturn]] void fail_with(const char* usage);

}  // namespace bench
