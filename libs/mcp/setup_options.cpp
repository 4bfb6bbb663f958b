#include "mcp/setup_options.hpp"

#include "mcp/client_file.hpp"

#include <boost/program_options/errors.hpp>

#include <filesystem>
#include <iostream>
#include <system_error>
#include <utility>

namespace mcp {

cli::Option setup_option() {
    auto client = cli::choice(
        "CLIENT", {{"claude"}, {"codex"}, {"gemini"}, {"cursor"}, {"vscode"}, {"json", "any other client"}});
    return {"setup", std::move(client), "print how to configure this client so that it starts the server"};
}

cli::Option write_option() {
    return {"write", cli::none(),
            "with --setup: put it into the client's file, and print the difference; never twice"};
}

void check(const SetupOptions& options) {
    namespace po = boost::program_options;
    if (!options.writes) return;
    if (!options.client) throw po::error("--write needs --setup CLIENT");
    if (!settings_file(*options.client))
        throw po::error("--write knows no file of --setup json; copy what it prints");
}

std::string own_program(const std::string& name) {
    std::error_code failed;
    auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
    return failed ? name : program.string();
}

base::Result<void> set_up(const SetupOptions& options, const ServerCommand& server) {
    auto text = set_up_client(*options.client, server, options.writes);
    if (!text) return text.error();
    std::cout << *text;
    return {};
}

}  // namespace mcp
