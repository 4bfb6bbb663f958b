// What is true of each declared option of a program, for the tests of both programs.
#pragma once

#include "cli/completion.hpp"
#include "cli/help.hpp"
#include "cli/manual.hpp"
#include "cli/roff.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace declared_options {

inline bool is_offered(const cli::Program& program, std::vector<std::string> words, const std::string& text) {
    cli::Completion found = cli::complete(program, words);
    return std::ranges::find(found.candidates, text, &cli::Candidate::text) != found.candidates.end();
}

inline void check_completion(const cli::Program& program, const std::vector<std::string>& words,
                             const cli::Option& option) {
    std::vector<std::string> line = words;
    line.push_back("--");
    CHECK(is_offered(program, line, "--" + option.name));
    line.back() = "--" + option.name;
    line.push_back("");
    for (const cli::Candidate& choice : option.value.choices)
        CHECK(is_offered(program, line, choice.text));
    using Kind = cli::Value::Kind;
    if (option.value.kind == Kind::directory)
        CHECK(cli::complete(program, line).kind == cli::Completion::Kind::directories);
}

inline void check_option(const cli::Program& program, const cli::Path& path, const cli::Option& option) {
    INFO(cli::invocation(program, path) << " --" << option.name);
    std::ostringstream help;
    cli::print_help(program, path, help);
    std::string shown = "--" + option.name;
    if (option.letter != '\0') shown = std::string("-") + option.letter + " [ " + shown + " ]";
    if (!option.value.name.empty()) shown += " " + option.value.name;
    CHECK(help.str().find("\n  " + shown) != std::string::npos);
    std::string entry = cli::roff::bold("--" + option.name);
    if (!option.value.name.empty()) entry += " " + cli::roff::italic(option.value.name);
    CHECK(cli::page(program, {"1", {}}, path).find(entry + "\n") != std::string::npos);
    std::vector<std::string> words;
    for (const cli::Command* command : path)
        words.push_back(command->name);
    check_completion(program, words, option);
    CHECK_FALSE(option.summary.empty());
    if (option.value.kind != cli::Value::Kind::none) {
        CHECK_FALSE(cli::expected(option.value).empty());
        CHECK_FALSE(option.value.name.empty());
        CHECK((option.value.preset.empty() || cli::accepts(option.value, option.value.preset)));
    }
}

// Each is in --help, in the manual page and in the completion of its command. Returns how many there are.
inline std::size_t check_all(const cli::Program& program) {
    std::size_t count = 0;
    for (const cli::Path& path : cli::pages(program)) {
        std::vector<cli::Option> options = program.global_options;
        if (!path.empty())
            options.insert(options.end(), path.back()->options.begin(), path.back()->options.end());
        for (const cli::Option& option : options)
            check_option(program, path, option);
        count += options.size();
    }
    return count;
}

}  // namespace declared_options
