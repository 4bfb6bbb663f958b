#include "cli/man_command.hpp"

#include "base/suggest.hpp"
#include "base/text.hpp"

#include <boost/program_options/errors.hpp>
#include <boost/program_options/value_semantic.hpp>

#include <iostream>
#include <utility>

namespace cli {

namespace po = boost::program_options;

namespace {

using Words = std::vector<std::string>;

std::string example(const std::string& program) {
    return base::concat("Examples:\n  ", program, " man | man -l -\n      The page of the program.\n  ",
                        program, " man man | man -l -\n      That of its command `man`.\n\n",
                        "Prints a page as roff(7), for systems on which the pages are not installed.\n");
}

Path find(const Program& program, const Words& words) {
    std::string wanted = program.name;
    for (const std::string& word : words)
        wanted += " " + word;
    std::vector<std::string> calls;
    for (const Path& path : pages(program)) {
        calls.push_back(invocation(program, path));
        if (calls.back() == wanted) return path;
    }
    std::vector<std::string_view> candidates(calls.begin(), calls.end());
    throw po::error(
        base::concat("there is no command '", wanted, "'", base::did_you_mean(wanted, candidates)));
}

int print(const Program& program, const Manual& manual, const Options& options) {
    Words words;
    if (options.count("command") > 0) words = options["command"].as<Words>();
    if (!options["list"].as<bool>())
        std::cout << page(program, manual, find(program, words));
    else if (!words.empty())
        throw po::error("--list is of all pages, and goes with no command");
    else
        for (const Path& path : pages(program))
            std::cout << page_name(program, path) << "\n";
    return ExitCode::ok;
}

// The commands that may follow those in `words`, which have spaces in between.
Completion commands_behind(const Program& program, const std::string& words) {
    Completion found;
    std::string before = words.empty() ? program.name : base::concat(program.name, " ", words);
    for (const Path& path : pages(program))
        if (!path.empty() && invocation(program, {path.begin(), path.end() - 1}) == before)
            found.candidates.push_back({path.back()->name, path.back()->summary});
    return found;
}

}  // namespace

Command man_command(const Program& program, Manual manual) {
    Command made{"man", "The pages of the manual, for man(1).", example(program.name)};
    made.options.add_options()("command", po::value<Words>()->multitoken()->value_name("[COMMAND...]"),
                               "whose page; the program's own if there is none")(
        "list", po::bool_switch(), "print the names of all pages, one a line");
    made.positional = {"command"};
    made.values = {{"command", found_by([&program](const Line& line) {
                        return commands_behind(program, line.value("command"));
                    })}};
    made.run = [&program, manual = std::move(manual)](const Options& options) {
        return print(program, manual, options);
    };
    return made;
}

}  // namespace cli
