#include "cli/command_line.hpp"

#include "base/suggest.hpp"
#include "base/text.hpp"

#include <boost/program_options/parsers.hpp>

#include <algorithm>
#include <iostream>
#include <optional>
#include <sstream>

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

void print_program_help(const Program& program, std::ostream& out) {
    std::size_t width = 0;
    for (const Command& command : program.commands)
        width = std::max(width, command.name.size());
    out << program.summary << "\n\nUsage: " << program.name << " COMMAND [OPTIONS]\n\nCommands:\n";
    for (const Command& command : program.commands)
        out << "  " << command.name << std::string(width + 2 - command.name.size(), ' ') << command.summary
            << "\n";
    out << "\n" << program.global_options << "\n" << program.details;
    out << "\n`" << program.name << " COMMAND --help` explains a command.\n";
}

// " LOG" for an option whose value has that name.
std::string positional_names(const Command& command) {
    std::string names;
    for (const std::string& option : command.positional) {
        std::string name = command.options.find(option, false).semantic()->name();  // "LOG", "LOG (=default)"
        names += " " + name.substr(0, name.find(' '));
    }
    return names;
}

void print_command_help(const Program& program, const Command& command) {
    std::cout << command.summary << "\n\nUsage: " << program.name << " " << command.name << " [OPTIONS]"
              << positional_names(command) << "\n\n";
    if (!command.options.options().empty()) std::cout << command.options << "\n";
    std::cout << program.global_options << "\n" << command.details;
}

int usage_error(const Program& program, const std::string& command, const std::string& message) {
    std::cerr << program.name << ": " << message << "\nTry `" << program.name << (command.empty() ? "" : " ")
              << command << " --help`.\n";
    return ExitCode::usage;
}

const Command* find(const Program& program, const std::string& name) {
    for (const Command& command : program.commands)
        if (command.name == name) return &command;
    return nullptr;
}

std::string unknown_command(const Program& program, const std::string& name) {
    std::vector<std::string_view> names;
    for (const Command& command : program.commands)
        names.push_back(command.name);
    return base::concat("there is no command '", name, "'", base::did_you_mean(name, names));
}

std::string unknown_option(const po::options_description& options, const std::string& name) {
    std::vector<std::string> names;
    for (const auto& option : options.options())
        if (option->long_name() != stray) names.push_back(base::concat("--", option->long_name()));
    std::vector<std::string_view> candidates(names.begin(), names.end());
    return base::concat("unknown option '", name, "'", base::did_you_mean(name, candidates));
}

po::positional_options_description places_of(const Command& command) {
    po::positional_options_description places;
    for (const std::string& name : command.positional)
        places.add(name.c_str(), 1);
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

int run_command(const Program& program, const Command& command, const std::vector<std::string>& arguments) {
    po::options_description all(line_length);
    all.add(command.options).add(program.global_options);
    all.add_options()(stray, po::value<std::vector<std::string>>());
    Options options;
    try {
        using namespace po::command_line_style;
        po::store(po::command_line_parser(arguments)
                      .options(all)
                      .positional(places_of(command))
                      .style(unix_style & ~allow_guessing)
                      .run(),
                  options);
        if (options.count(stray) > 0)
            throw po::error(not_expected(command, options[stray].as<std::vector<std::string>>().front()));
        po::notify(options);
        return command.run(options);
    } catch (const po::unknown_option& error) {
        return usage_error(program, command.name, unknown_option(all, error.get_option_name()));
    } catch (const po::error& error) {
        return usage_error(program, command.name, error.what());
    } catch (const std::exception& error) {
        std::cerr << program.name << ": " << error.what() << "\n";
        return ExitCode::failure;
    }
}

}  // namespace

int run(const Program& program, int argc, const char* const* argv) {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments == std::vector<std::string>{"--version"}) arguments = {"version"};
    bool help = wants_help(arguments);
    auto at = find_command(program, arguments);
    if (at && arguments[*at] == "help") {
        help = true;
        arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(*at));
        at = find_command(program, arguments);
    }
    if (!at) {
        if (!help && !arguments.empty())
            return usage_error(program, "", base::concat("no command given, only '", arguments.front(), "'"));
        print_program_help(program, help ? std::cout : std::cerr);
        return help ? ExitCode::ok : ExitCode::usage;
    }
    std::string name = arguments[*at];
    const Command* command = find(program, name);
    if (command == nullptr) return usage_error(program, "", unknown_command(program, name));
    if (help) {
        print_command_help(program, *command);
        return ExitCode::ok;
    }
    arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(*at));
    return run_command(program, *command, arguments);
}

}  // namespace cli
