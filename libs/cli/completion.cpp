#include "cli/completion.hpp"

#include "base/text.hpp"
#include "cli/help.hpp"
#include "cli/typed_word.hpp"

#include <boost/program_options/cmdline.hpp>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/value_semantic.hpp>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <set>
#include <utility>

namespace cli {

namespace po = boost::program_options;

namespace {

bool takes_value(const po::option_description& option) {
    return option.semantic()->max_tokens() > 0;
}

// "-l", or "" for an option that has only a long name.
std::string short_name(const po::option_description& option) {
    std::string name = option.canonical_display_name(po::command_line_style::allow_dash_for_short);
    return name.starts_with('-') ? name : "";
}

// Goes along the words before the cursor, and then knows what the last one can be.
class Walk {
  public:
    explicit Walk(const Program& program) : program_(program) {}

    void pass(const std::string& word) {
        if (waiting_ != nullptr)
            set(*std::exchange(waiting_, nullptr), word);
        else if (!only_words_ && word == "--")
            only_words_ = true;
        else if (is_option(word))
            pass_option(word);
        else if (commands() != nullptr)
            pass_command(word);
        else
            pass_argument(word);
    }

    Completion last(const std::string& word) {
        if (is_lost_) return {};
        if (waiting_ != nullptr) return values_of(waiting_->long_name(), "", word);
        if (is_option(word)) {
            auto equals = word.find('=');
            bool is_long = word.starts_with("--");
            std::size_t begin = !is_long ? 2 : equals == std::string::npos ? word.size() : equals + 1;
            bool has_value = is_long ? equals != std::string::npos : word.size() > 2;
            return has_value ? value_behind(word.substr(0, begin), word.substr(begin)) : options(word);
        }
        if (commands() != nullptr) return subcommands();
        if (is_help_) return {};
        if (const std::string* option = place()) return values_of(*option, "", word);
        return word.empty() && !only_words_ ? options(word) : Completion();
    }

  private:
    bool is_option(const std::string& word) const {
        return !only_words_ && word.starts_with('-') && (word != "-" || !is_help_);
    }

    // Null if there are none.
    const std::vector<Command>* commands() const {
        const auto& here = path_.empty() ? program_.commands : path_.back()->commands;
        return here.empty() ? nullptr : &here;
    }

    // `name`: "root" or "-l".
    const po::option_description* find(const std::string& name) const {
        const po::option_description* own =
            path_.empty() ? nullptr : path_.back()->options.find_nothrow(name, false);
        return own != nullptr ? own : program_.global_options.find_nothrow(name, false);
    }

    const po::option_description* find_typed(const std::string& word) const {
        return find(word.starts_with("--") ? word.substr(2) : word.substr(0, 2));
    }

    void set(const po::option_description& option, const std::string& value) {
        given_.insert(option.long_name());
        line_.values[option.long_name()] = value;
    }

    void pass_option(const std::string& word) {
        bool is_long = word.starts_with("--");
        auto equals = is_long ? word.find('=') : std::string::npos;
        const auto* option = find_typed(word.substr(0, equals));
        if (option == nullptr) return;
        given_.insert(option->long_name());
        if (equals != std::string::npos)
            set(*option, word.substr(equals + 1));
        else if (!is_long && word.size() > 2)
            set(*option, word.substr(2));
        else if (takes_value(*option))
            waiting_ = option;
    }

    void pass_command(const std::string& word) {
        auto found = std::ranges::find(*commands(), word, &Command::name);
        if (found != commands()->end())
            path_.push_back(&*found);
        else if (word == "help")
            is_help_ = true;
        else
            is_lost_ = true;
    }

    // The option that the next argument without one belongs to; null if there is none.
    const std::string* place() const {
        const auto& places = path_.back()->positional;
        if (arguments_ < places.size())
            return given_.contains(places[arguments_]) ? nullptr : &places[arguments_];
        bool is_list = !places.empty() && find(places.back())->semantic()->max_tokens() > 1;
        return is_list ? &places.back() : nullptr;
    }

    void pass_argument(const std::string& word) {
        if (const std::string* option = place()) {
            given_.insert(*option);
            std::string& value = line_.values[*option];
            value += value.empty() ? word : " " + word;
        }
        ++arguments_;
    }

    // `typed`: "--root=" or "-l", which the candidates repeat.
    Completion value_behind(const std::string& typed, const std::string& word) {
        const auto* option = find_typed(typed.substr(0, typed.find('=')));
        if (option == nullptr || !takes_value(*option)) return {};
        return values_of(option->long_name(), typed, word);
    }

    Completion values_of(const std::string& option, const std::string& typed, const std::string& word) {
        const Values* values = path_.empty() ? nullptr : find_values(path_.back()->values, option);
        if (values == nullptr) values = find_values(program_.values, option);
        if (values == nullptr) return {};
        line_.word = word;
        Completion found = values->complete(line_);
        for (Candidate& candidate : found.candidates)
            candidate.text.insert(0, typed);
        return found;
    }

    static const Values* find_values(const ValuesByOption& values, const std::string& option) {
        auto found = values.find(option);
        return found == values.end() ? nullptr : &found->second;
    }

    Completion subcommands() const {
        Completion found;
        for (const Command& command : *commands())
            found.candidates.push_back({command.name, command.summary});
        if (!is_help_) found.candidates.push_back({"help", "Explains a command."});
        return found;
    }

    // All that are not there yet; short names only for who hasn't begun a long one.
    Completion options(const std::string& word) const {
        Completion found;
        auto add = [&](const po::options_description& table) {
            for (const auto& option : table.options()) {
                if (given_.contains(option->long_name())) continue;
                found.candidates.push_back({"--" + option->long_name(), option->description()});
                if (word == "-" && !short_name(*option).empty())
                    found.candidates.push_back({short_name(*option), option->description()});
            }
        };
        if (!path_.empty()) add(path_.back()->options);
        add(program_.global_options);
        return found;
    }

    const Program& program_;
    Path path_;
    Line line_;
    std::set<std::string> given_;
    const po::option_description* waiting_ = nullptr;  // the next word is its value
    std::size_t arguments_ = 0;                        // given by their place
    bool only_words_ = false;                          // behind --
    bool is_help_ = false;                             // behind `help`
    bool is_lost_ = false;                             // behind a command that there isn't
};

std::string environment_variable(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? "" : value;
}

std::string on_one_line(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return c == '\n' || c == '\t'; }, ' ');
    return text;
}

std::string_view name_of(Completion::Kind kind) {
    switch (kind) {
        case Completion::Kind::parts:
            return "parts";
        case Completion::Kind::files:
            return "files";
        case Completion::Kind::directories:
            return "directories";
        case Completion::Kind::words:
            break;
    }
    return "words";
}

}  // namespace

Completion complete(const Program& program, const std::vector<std::string>& words) {
    if (words.empty()) return {};
    Walk walk(program);
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
        walk.pass(words[i]);
    return walk.last(words.back());
}

namespace {

// A prompt is no place to tell of what went wrong.
Completion complete_or_nothing(const Program& program, const std::vector<std::string>& words) {
    try {
        return complete(program, words);
    } catch (const std::exception&) {
        return {};
    }
}

}  // namespace

int print_completion(const Program& program, const std::vector<std::string>& arguments) {
    if (arguments.size() < 3 || arguments[1] != "--") return ExitCode::usage;
    std::vector<std::string> words;
    for (std::size_t i = 2; i < arguments.size(); ++i) {
        // fish has taken the quotes off the words before the last one.
        bool has_quotes = arguments[0] != "fish" || i + 1 == arguments.size();
        words.push_back(has_quotes ? typed_word(arguments[i], environment_variable)
                                   : expanded_word(arguments[i], environment_variable));
    }
    Completion found = complete_or_nothing(program, words);
    std::string text = base::concat(name_of(found.kind), "\n");
    for (const Candidate& candidate : found.candidates)
        text += base::concat(candidate.text, "\t", on_one_line(candidate.description), "\n");
    std::cout << text << std::flush;
    return ExitCode::ok;
}

}  // namespace cli
