#include "cli/parse.hpp"

#include "base/text.hpp"
#include "cli/help.hpp"
#include "json/suggest.hpp"

#include <boost/program_options/parsers.hpp>
#include <boost/program_options/value_semantic.hpp>

#include <algorithm>
#include <utility>

namespace cli {

namespace po = boost::program_options;
using Strings = std::vector<std::string>;

namespace {

constexpr unsigned line_length = 100;
constexpr const char* stray = " ";  // the name that arguments which belong to no option get

po::positional_options_description positions(const std::vector<Option>& options) {
    po::positional_options_description found;
    for (const Option& option : options) {
        if (!option.is_positional) continue;
        found.add(option.name.c_str(), option.value.is_list ? -1 : 1);
        if (option.value.is_list) return found;
    }
    found.add(stray, -1);
    return found;
}

std::string not_expected(const Command& command, const std::string& argument) {
    if (!positional_names(command).empty())
        return base::concat("'", argument, "' is one argument too many: ", command.name, " takes",
                            positional_names(command), " and options; put quotes around a value with spaces");
    return base::concat("'", argument, "' is not an option, and `", command.name,
                        "` takes only options; put quotes around a value with spaces");
}

// "--color", or "SHELL" for what may be given by its position.
std::string shown_name(const Option& option) {
    return option.is_positional ? option.value.name : base::concat("--", option.name);
}

po::error empty(const std::string& name) {
    return po::error(base::concat(name, " is empty: give it a value, or leave it out"));
}

po::error missing_value(const Option& option) {
    return po::error(base::concat("--", option.name, " needs a value: ", expected(option.value)));
}

const Option& declared(const std::vector<Option>& options, const std::string& boost_name) {
    return *find_option(options, boost_name.substr(boost_name.find_first_not_of('-')));
}

bool is_empty(const Option& option, const std::string& value) {
    const bool is_script = option.value.kind == Value::Kind::script;
    return value.empty() || (is_script && value.find_first_not_of(" \t\r\n") == std::string::npos);
}

// Empty values come most often from a variable of a script that is not set. `--option=` is refused, too.
void check_values(const std::vector<Option>& options, const po::parsed_options& parsed) {
    for (const auto& given : parsed.options) {
        const Option* option = find_option(options, given.string_key);
        if (option == nullptr) continue;
        for (const std::string& value : given.value) {
            if (is_empty(*option, value))
                throw empty(given.position_key >= 0 ? shown_name(*option) : base::concat("--", option->name));
            if (!accepts(option->value, value))
                throw po::error(base::concat(shown_name(*option), " must be ", expected(option->value),
                                             ", not '", value, "'"));
        }
    }
}

void check_required(const Command& command, const Options& given) {
    for (const Option& option : command.options)
        if (option.is_required && given.count(option.name) == 0)
            throw po::error(base::concat(shown_name(option), " is missing: ", expected(option.value)));
}

[[noreturn]] void throw_syntax_error(const std::vector<Option>& options,
                                     const po::invalid_command_line_syntax& error) {
    using Error = po::invalid_command_line_syntax;
    const Option& option = declared(options, error.get_option_name());
    switch (error.kind()) {
        case Error::missing_parameter:
            throw missing_value(option);
        case Error::empty_adjacent_parameter:
            throw empty(base::concat("--", option.name));
        case Error::extra_parameter:
            throw po::error(base::concat("--", option.name, " takes no value"));
        default:
            throw po::error(error.what());
    }
}

po::parsed_options parsed(const Command& command, const std::vector<Option>& options,
                          const po::options_description& all, const Strings& arguments) {
    using namespace po::command_line_style;
    try {
        return po::command_line_parser(arguments)
            .options(all)
            .positional(positions(command.options))
            .style(unix_style & ~allow_guessing)
            .run();
    } catch (const po::unknown_option& error) {
        throw po::error(unknown_option(options, error.get_option_name()));
    } catch (const po::invalid_command_line_syntax& error) {
        throw_syntax_error(options, error);
    }
}

}  // namespace

po::options_description boost_options(const std::vector<Option>& options, const std::string& title) {
    po::options_description result(title, line_length);
    for (const Option& option : options) {
        std::string name = option.name;
        if (option.letter != '\0') name += base::concat(',', option.letter);
        const Value& value = option.value;
        if (value.kind == Value::Kind::none) {
            result.add_options()(name.c_str(), description(option).c_str());
        } else if (value.is_list) {
            auto* list = po::value<Strings>()->value_name(value.name);
            if (option.is_positional) list->multitoken();
            result.add_options()(name.c_str(), list, description(option).c_str());
        } else {
            auto* single = po::value<std::string>()->value_name(value.name);
            if (!value.preset.empty()) single->default_value(value.preset);
            result.add_options()(name.c_str(), single, description(option).c_str());
        }
    }
    return result;
}

Options parse(const Command& command, const std::vector<Option>& global_options, const Strings& arguments) {
    std::vector<Option> options = command.options;
    options.insert(options.end(), global_options.begin(), global_options.end());
    po::options_description all = boost_options(options, "");
    all.add_options()(stray, po::value<Strings>());
    po::parsed_options found = parsed(command, options, all, arguments);
    Options given;
    try {
        po::store(found, given);
    } catch (const po::multiple_occurrences& error) {
        throw po::error(
            base::concat("--", declared(options, error.get_option_name()).name, " is given more than once"));
    }
    if (given.count(stray) > 0) throw po::error(not_expected(command, given[stray].as<Strings>().front()));
    check_values(options, found);
    check_required(command, given);
    return given;
}

std::string unknown_option(const std::vector<Option>& options, const std::string& name) {
    Strings names;
    for (const Option& option : options)
        names.push_back(base::concat("--", option.name));
    std::vector<std::string_view> candidates(names.begin(), names.end());
    return base::concat("unknown option '", name, "'", json::did_you_mean(name, candidates));
}

}  // namespace cli
