#include "cli/version_command.hpp"

#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "json/json.hpp"

#include <iostream>

namespace cli {

Command version_command(const std::string& program, const std::string& version) {
    const Option as_json{"json", none(), "print {\"version\":\"VERSION\"}"};
    Command command{"version", "Print the version.", "", {as_json}};
    command.run = [=](const Options& given) {
        if (is_given(as_json, given))
            std::cout << "{\"version\":" << json::quote(version) << "}\n";
        else
            std::cout << program << " " << version << "\n";
        return base::ExitCode::ok;
    };
    return command;
}

}  // namespace cli
