#include "edge_program.hpp"

#include "base/text.hpp"
#include "io/as_user.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

namespace troupe {

namespace {

constexpr const char* edge_name = "troupe-edge";

// The arguments of this process.
std::vector<std::string> own_arguments() {
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::string> arguments;
    for (std::size_t begin = 0; begin < text.size(); begin += arguments.back().size() + 1)
        arguments.emplace_back(text.c_str() + begin);
    return arguments;
}

}  // namespace

base::Error become_edge_program() {
    std::error_code error;
    std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    std::vector<std::string> arguments = own_arguments();
    std::vector<char*> pointers;
    for (std::string& argument : arguments)
        pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    std::filesystem::path folder = self.parent_path();
    io::AsUser as_user;
    for (const auto& path : {folder / edge_name, folder.parent_path() / "libexec" / "barnum" / edge_name})
        ::execv(path.c_str(), pointers.data());
    return base::system_error(base::concat(
        "pools over many hosts are served by the program ", edge_name, ", which is missing beside ",
        self.string(), " and in ../libexec/barnum from there: install it with this program"));
}

}  // namespace troupe
