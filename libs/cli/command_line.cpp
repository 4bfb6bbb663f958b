#include "cli/command_line.hpp"

#include "base/text.hpp"
#include "cli/completion.hpp"
#include "cli/help.hpp"
#include "cli/output.hpp"
#include "json/suggest.hpp"

#include <boost/program_options/parsers.hpp>

#include <algorithm>
#include <iostream>
#include <optional>
#include <utility>

namespace cli {

namespace po = boost::program_options;

namespace {

constexpr unsigned line_length = 100;
constexpr const char* stray = " ";  // the name that arguments which belong to no option get

bool takes_value(const po::options_description& options, const std::string& argument) {
    if (argument.find('=') != std::string::npos) return false;
    const po::option_description* found = nullptr;
    if (argument.starts_with("--"))
        found = options.find_nothrow(argument.substr(2), false);
    else if (argument.size() == 2)
        found = options.find_nothrow(argument, false);
    return found != nullptr && found->semantic()->max_tokens() > 0;
}

// The index of the command's name: the first argument that is neither an option nor a global option's value.
std::optional<std::size_t> find_command(const Program& program, const std::vector<std::string>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!arguments[i].starts_with('-')) return i;
        if (takes_value(program.global_options, arguments[i])) ++i;
    }
    return std::nullopt;
}

bool wants_help(const std::vector<std::string>& arguments) {
    return std::any_of(arguments.begin(), arguments.end(),
                       [](const std::string& argument) { return argument == "--help" || argument == "-h"; });
}

int usage_error(const Program& program, const Path& path, const std::string& message) {
    std::cerr << program.name << ": " << message << "\nTry `" << invocation(program, path) << " --help`.\n";
    return ExitCode::usage;
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

std::string unknown_option(const po::options_description& options, const std::string& name) {
    std::vector<std::string> names;
    for (const auto& option : options.options())
        if (option->long_name() != stray) names.push_back(base::concat("--", option->long_name()));
    std::vector<std::string_view> candidates(names.begin(), names.end());
    return base::concat("unknown option '", name, "'", json::did_you_mean(name, candidates));
}

po::positional_options_description places_of(const Command& command) {
    po::positional_options_description places;
    for (const std::string& name : command.positional) {
        bool is_list = command.options.find(name, false).semantic()->max_tokens() > 1;
        places.add(name.c_str(), is_list ? -1 : 1);
        if (is_list) return places;
    }
    places.add(stray, -1);
    return places;
}

std::string not_expected(const Command& command, const std::string& argument) {
    if (!command.positional.empty())
        return base::concat("'", argument, "' is one argument too many: ", command.name, " takes",
                            positional_names(command), " and options; what has spaces needs quotes round it");
    return base::concat("'", argument,
                        "' is not an option; everything is given by options, with quotes round "
                        "what has spaces");
}

// "--color", or "SHELL" for what may be given by its place.
std::string shown_name(const Command& command, const std::string& option) {
    if (std::ranges::find(command.positional, option) == command.positional.end())
        return base::concat("--", option);
    return command.options.find(option, false).semantic()->name();
}

// Most often a variable of a script that is not set: not what the default is for. `--option=` is refused,
// too.
void check_not_empty(const Command& command, const po::parsed_options& parsed) {
    for (const auto& option : parsed.options)
        if (option.string_key != stray && std::ranges::find(option.value, "") != option.value.end()) {
            bool by_place = option.position_key >= 0;
            std::string name =
                by_place ? shown_name(command, option.string_key) : base::concat("--", option.string_key);
            throw po::error(base::concat(name, " is empty: give it a value, or leave it out"));
        }
}

void check_choices(const Command& command, const ValuesByOption& values, const Options& options) {
    for (const auto& [option, allowed] : values) {
        if (allowed.choices.empty() || options.count(option) == 0) continue;
        const auto& value = options[option].as<std::string>();
        if (std::ranges::find(allowed.choices, value) != allowed.choices.end()) continue;
        std::vector<std::string_view> names(allowed.choices.begin(), allowed.choices.end());
        throw po::error(base::concat(shown_name(command, option), " must be ", json::alternatives(names),
                                     ", not '", value, "'"));
    }
}

int run_command(const Program& program, const Path& path, const std::vector<std::string>& arguments) {
    const Command& command = *path.back();
    po::options_description all(line_length);
    all.add(command.options).add(program.global_options);
    all.add_options()(stray, po::value<std::vector<std::string>>());
    Options options;
    try {
        using namespace po::command_line_style;
        po::parsed_options parsed = po::command_line_parser(arguments)
                                        .options(all)
                                        .positional(places_of(command))
                                        .style(unix_style & ~allow_guessing)
                                        .run();
        check_not_empty(command, parsed);
        po::store(parsed, options);
        if (options.count(stray) > 0)
            throw po::error(not_expected(command, options[stray].as<std::vector<std::string>>().front()));
        check_choices(command, command.values, options);
        check_choices(command, program.values, options);
        po::notify(options);
        return command.run(options);
    } catch (const po::unknown_option& error) {
        return usage_error(program, path, unknown_option(all, error.get_option_name()));
    } catch (const po::error& error) {
        return usage_error(program, path, error.what());
    } catch (const std::exception& error) {
        std::cerr << program.name << ": " << error.what() << "\n";
        return ExitCode::failure;
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
    std::string name = name_of_option(argument);
    if (!name.starts_with("--"))
        return program.global_options.find_nothrow(name.substr(0, 2), false) != nullptr;
    return program.global_options.find_nothrow(name.substr(2), false) != nullptr;
}

// `argument` is a long one.
bool is_option_of_any(const std::vector<Command>& commands, const std::string& argument) {
    std::string name = name_of_option(argument).substr(2);
    return std::ranges::any_of(commands, [&](const Command& command) {
        return command.options.find_nothrow(name, false) != nullptr ||
               is_option_of_any(command.commands, argument);
    });
}

// What is wrong with a command line that names no command, or none that there is.
std::string no_command(const Program& program, const Call& call) {
    if (call.unknown && call.before)
        return base::concat("there is no command '", *call.unknown, "'; if it is the value of ", *call.before,
                            ", put both behind the command's name");
    if (call.unknown) return unknown_command(program, call.path, *call.unknown);
    const std::string& first = call.arguments.front();
    if (first.starts_with("--") && first.size() > 2 && !is_global(program, first) &&
        !is_option_of_any(commands_at(program, call.path), first))
        return unknown_option(program.global_options, name_of_option(first));
    return base::concat("no command given, only '", first, "'");
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

int called(const Program& program, int argc, const char* const* argv) {
    std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    if (!arguments.empty() && arguments.front() == complete_name)
        return print_completion(program, {arguments.begin() + 1, arguments.end()});
    Call call = resolve(program, std::move(arguments));
    if (call.unknown) return usage_error(program, call.path, no_command(program, call));
    if (call.help) {
        print_help(program, call.path, std::cout);
        return ExitCode::ok;
    }
    if (commands_at(program, call.path).empty()) return run_command(program, call.path, call.arguments);
    if (!call.arguments.empty()) return usage_error(program, call.path, no_command(program, call));
    print_help(program, call.path, std::cerr);
    return ExitCode::usage;
}

}  // namespace

int run(const Program& program, int argc, const char* const* argv) {
    return flushed(program.name, called(program, argc, argv));
}

}  // namespace cli
