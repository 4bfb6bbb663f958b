#include "cli/completion.hpp"

#include "base/exit_code.hpp"
#include "base/own_environment.hpp"
#include "base/text.hpp"
#include "cli/help.hpp"
#include "cli/typed_word.hpp"

#include <algorithm>
#include <exception>
#include <iostream>
#include <set>
#include <utility>

namespace cli {

namespace {

bool takes_value(const Option& option) {
    return option.value.kind != Value::Kind::none;
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
        if (waiting_ != nullptr) return values_of(*waiting_, "", word);
        if (is_option(word)) {
            auto equals = word.find('=');
            bool is_long = word.starts_with("--");
            std::size_t begin = !is_long ? 2 : equals == std::string::npos ? word.size() : equals + 1;
            bool has_value = is_long ? equals != std::string::npos : word.size() > 2;
            return has_value ? value_behind(word.substr(0, begin), word.substr(begin)) : options(word);
        }
        if (commands() != nullptr) return subcommands();
        if (is_help_) return {};
        if (const Option* option = place()) return values_of(*option, "", word);
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

    // `word`: "--root=x" or "-lx"
    const Option* find_typed(const std::string& word) const {
        const Option* own = path_.empty() ? nullptr : cli::find_typed(path_.back()->options, word);
        return own != nullptr ? own : cli::find_typed(program_.global_options, word);
    }

    void set(const Option& option, const std::string& value) {
        given_.insert(option.name);
        line_.values[option.name] = value;
    }

    void pass_option(const std::string& word) {
        bool is_long = word.starts_with("--");
        auto equals = is_long ? word.find('=') : std::string::npos;
        const Option* option = find_typed(word);
        if (option == nullptr) return;
        given_.insert(option->name);
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
    const Option* place() const {
        std::size_t number = 0;
        for (const Option& option : path_.back()->options) {
            if (!option.is_positional) continue;
            if (option.value.is_list) return &option;
            if (number++ == arguments_) return given_.contains(option.name) ? nullptr : &option;
        }
        return nullptr;
    }

    void pass_argument(const std::string& word) {
        if (const Option* option = place()) {
            given_.insert(option->name);
            std::string& value = line_.values[option->name];
            value += value.empty() ? word : " " + word;
        }
        ++arguments_;
    }

    // `typed`: "--root=" or "-l", which the candidates repeat.
    Completion value_behind(const std::string& typed, const std::string& word) {
        const Option* option = find_typed(typed);
        if (option == nullptr || !takes_value(*option)) return {};
        return values_of(*option, typed, word);
    }

    Completion values_of(const Option& option, const std::string& typed, const std::string& word) {
        if (!option.value.complete) return {};
        line_.word = word;
        Completion found = option.value.complete(line_);
        for (Candidate& candidate : found.candidates)
            candidate.text.insert(0, typed);
        return found;
    }

    Completion subcommands() const {
        Completion found;
        for (const Command& command : *commands())
            found.candidates.push_back({command.name, command.summary});
        if (!is_help_) found.candidates.push_back({"help", "Explain a command."});
        return found;
    }

    // All options that are not there yet; short names only for who hasn't begun a long one.
    Completion options(const std::string& word) const {
        Completion found;
        auto add = [&](const std::vector<Option>& table) {
            for (const Option& option : table) {
                if (given_.contains(option.name) && !option.value.is_list) continue;
                found.candidates.push_back({"--" + option.name, description(option)});
                if (word == "-" && option.letter != '\0')
                    found.candidates.push_back({std::string("-") + option.letter, description(option)});
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
    const Option* waiting_ = nullptr;  // the next word is its value
    std::size_t arguments_ = 0;        // given by their place
    bool only_words_ = false;          // behind --
    bool is_help_ = false;             // behind `help`
    bool is_lost_ = false;             // behind a command that there isn't
};

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
    if (arguments.size() < 3 || arguments[1] != "--") return base::ExitCode::usage;
    std::vector<std::string> words;
    for (std::size_t i = 2; i < arguments.size(); ++i) {
        // fish has taken the quotes off the words before the last one.
        bool has_quotes = arguments[0] != "fish" || i + 1 == arguments.size();
        words.push_back(has_quotes ? typed_word(arguments[i], base::own_variable)
                                   : expanded_word(arguments[i], base::own_variable));
    }
    Completion found = complete_or_nothing(program, words);
    std::string text = base::concat(name_of(found.kind), "\n");
    for (const Candidate& candidate : found.candidates)
        text += base::concat(candidate.text, "\t", on_one_line(candidate.description), "\n");
    std::cout << text << std::flush;
    return base::ExitCode::ok;
}

}  // namespace cli
