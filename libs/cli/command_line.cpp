#include "cli/command_line.hpp"

#include "base/exception_text.hpp"
#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/completion.hpp"
#include "cli/help.hpp"
#include "cli/output.hpp"
#include "cli/parse.hpp"
#include "json/suggest.hpp"

#include <boost/program_options/errors.hpp>

#include <algorithm>
#include <iostream>
#include <optional>
#include <utility>

namespace cli {

namespace po = boost::program_options;

namespace {

// Whether the value of the option is the next argument.
bool takes_next(const std::vector<Option>& options, const std::string& argument) {
    bool is_alone =
        argument.starts_with("--") ? argument.find('=') == std::string::npos : argument.size() == 2;
    const Option* option = is_alone ? find_typed(options, argument) : nullptr;
    return option != nullptr && option->value.kind != Value::Kind::none;
}

// The index of the command's name: the first argument that is neither an option nor a global option's value,
// and is not behind `--`.
std::optional<std::size_t> find_command(const Program& program, const std::vector<std::string>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!arguments[i].starts_with('-')) return i;
        if (arguments[i] == "--") return std::nullopt;
        if (takes_next(program.global_options, arguments[i])) ++i;
    }
    return std::nullopt;
}

bool wants_help(const std::vector<std::string>& arguments) {
    return std::any_of(arguments.begin(), arguments.end(),
                       [](const std::string& argument) { return argument == "--help" || argument == "-h"; });
}

int usage_error(const Program& program, const Path& path, const std::string& message) {
    return fail(program.name, base::concat(message, "\nTry `", invocation(program, path), " --help`."),
                base::ExitCode::usage);
}

const std::vector<Command>& commands_at(const Program& program, const Path& path) {
    return path.empty() ? program.commands : path.back()->commands;
}

const Command* find(const std::vector<Command>& commands, const std::string& name) {
    for (const Command& command : commands)
        if (command.name == name) return &command;
    return nullptr;
}

std::string unknown_command(const Program& program, const Path& path, const std::string& name) {
    std::vector<std::string_view> names;
    for (const Command& command : commands_at(program, path))
        names.push_back(command.name);
    std::string whose = path.empty() ? "" : base::concat(" of `", invocation(program, path), "`");
    return base::concat("there is no command '", name, "'", whose, json::did_you_mean(name, names));
}

// An option that is given twice is a mistake of whoever has typed it.
bool wants_json(const Command& command, const std::vector<std::string>& arguments) {
    const Option* option = find_typed(command.options, "--json");
    const auto end = std::ranges::find(arguments, "--");
    return option != nullptr && option->name == "json" && std::count(arguments.begin(), end, "--json") == 1;
}

int run_command(const Program& program, const Path& path, const std::vector<std::string>& arguments) {
    const Command& command = *path.back();
    print_errors_as_json(wants_json(command, arguments));
    try {
        Options given = parse(command, program.global_options, arguments);
        if (program.prepare) program.prepare(given);
        return command.run(given);
    } catch (const po::error& error) {
        return usage_error(program, path, error.what());
    } catch (...) {
        return fail(program.name, base::concat("internal error: ", base::text_of(std::current_exception())),
                    base::ExitCode::internal_error);
    }
}

// What a command line asks for.
struct Call {
    Path path;
    std::vector<std::string> arguments;  // without the commands' names
    bool help = false;
    std::optional<std::string> unknown;  // the name of a command that there isn't, behind `path`
    std::optional<std::string> before;   // the option before that, if it is not one of every command
};

std::string name_of_option(const std::string& argument) {
    return argument.substr(0, argument.find('='));
}

bool is_global(const Program& program, const std::string& argument) {
    return find_typed(program.global_options, argument) != nullptr;
}

// `argument` is a long one.
bool is_option_of_any(const std::vector<Command>& commands, const std::string& argument) {
    return std::ranges::any_of(commands, [&](const Command& command) {
        return find_typed(command.options, argument) != nullptr ||
               is_option_of_any(command.commands, argument);
    });
}

// What is wrong with a command line that names no command, or none that there is.
std::string no_command(const Program& program, const Call& call) {
    if (call.unknown && call.before)
        return base::concat("there is no command '", *call.unknown, "'; if it is the value of ", *call.before,
                            ", put both after the command's name");
    if (call.unknown) return unknown_command(program, call.path, *call.unknown);
    const std::string& first = call.arguments.front();
    if (first.starts_with("--") && first.size() > 2 && !is_global(program, first) &&
        !is_option_of_any(commands_at(program, call.path), first))
        return unknown_option(program.global_options, name_of_option(first));
    return base::concat("no command is given, only '", first, "'");
}

Call resolve(const Program& program, std::vector<std::string> arguments) {
    if (!arguments.empty() && arguments.front() == "--version") arguments.front() = "version";
    Call call;
    call.help = wants_help(arguments);
    while (!commands_at(program, call.path).empty()) {
        auto at = find_command(program, arguments);
        if (!at) break;
        std::string name = arguments[*at];
        arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(*at));
        const Command* command = find(commands_at(program, call.path), name);
        if (command != nullptr) {
            call.path.push_back(command);
        } else if (name == "help") {
            call.help = true;
        } else {
            call.unknown = name;
            if (*at > 0 && arguments[*at - 1].find('=') == std::string::npos &&
                !is_global(program, arguments[*at - 1]))
                call.before = arguments[*at - 1];
            break;
        }
    }
    call.arguments = std::move(arguments);
    return call;
}

int run_program(const Program& program, int argc, const char* const* argv) {
    std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    if (!arguments.empty() && arguments.front() == complete_name)
        return print_completion(program, {arguments.begin() + 1, arguments.end()});
    Call call = resolve(program, std::move(arguments));
    if (call.unknown) return usage_error(program, call.path, no_command(program, call));
    if (call.help) {
        print_help(program, call.path, std::cout);
        return base::ExitCode::ok;
    }
    if (commands_at(program, call.path).empty()) return run_command(program, call.path, call.arguments);
    if (!call.arguments.empty()) return usage_error(program, call.path, no_command(program, call));
    print_help(program, call.path, std::cerr);
    return base::ExitCode::usage;
}

}  // namespace

int run(const Program& program, int argc, const char* const* argv) {
    return flushed(program.name, run_program(program, argc, argv));
}

}  // namespace cli
