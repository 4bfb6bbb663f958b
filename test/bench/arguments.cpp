#include "arguments.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace bench {

std::size_t positive(const std::string& text, const char* usage) {
    char* end = nullptr;
    unsigned long long value = std::strtoull(text.c_str(), &end, 10);
    if (end == text.c_str() || *end != '\0' || value == 0) fail_with(usage);
    return value;
}

std::size_t rounds(int argc, char** argv, const char* usage) {
    if (argc == 1) return 3;
    if (argc != 3 || std::string_view(argv[1]) != "--rounds") fail_with(usage);
    return positive(argv[2], usage);
}

void fail_with(const char* usage) {
    std::fputs(usage, stderr);
    std::exit(2);
}

}  // namespace bench
