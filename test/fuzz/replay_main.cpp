// Gives a target the inputs that are kept, one after the other, with any compiler: replay_NAME FOLDER|FILE...
// The last name on stderr is the input that failed.
#include "fuzz.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& place) {
    if (!fs::is_directory(place)) return {place};
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(place))
        found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

// Held in memory of just its size, so that a sanitizer sees a look past its end.
std::vector<char> content_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    fuzz::must(in.good(), "the input can be read: " + file.string());
    std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    bytes.shrink_to_fit();
    return bytes;
}

std::size_t replay(const fs::path& place) {
    std::size_t count = 0;
    for (const fs::path& file : files_of(place)) {
        std::fprintf(stderr, "%s\n", file.c_str());
        auto bytes = content_of(file);
        fuzz::target({bytes.data(), bytes.size()});
        ++count;
    }
    return count;
}

}  // namespace

int main(int argc, char** argv) try {
    std::size_t count = 0;
    for (int i = 1; i < argc; ++i)
        count += replay(argv[i]);
    fuzz::must(count > 0, "there is something to replay: give a folder or files");
    std::printf("%zu inputs replayed\n", count);
} catch (const std::exception& error) {
    std::fprintf(stderr, "exception: %s\n", error.what());
    return 1;
}
