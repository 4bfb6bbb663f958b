#include "commands.hpp"

#include <iostream>

namespace troupe {

cli::Command version_command() {
    cli::Command command;
    command.name = "version";
    command.summary = "Print the version.";
    command.options.add_options()("json", "as {\"version\":\"…\"}");
    command.run = [](const cli::Options& options) {
        if (options.count("json") > 0)
            std::cout << "{\"version\":\"" BARNUM_VERSION "\"}\n";
        else
            std::cout << "troupe " BARNUM_VERSION "\n";
        return static_cast<int>(cli::ok);
    };
    return command;
}

}  // namespace troupe
