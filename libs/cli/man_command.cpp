#include "cli/man_command.hpp"

#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "json/suggest.hpp"

#include <boost/program_options/errors.hpp>

#include <iostream>
#include <utility>

namespace cli {

namespace po = boost::program_options;

namespace {

using Words = std::vector<std::string>;

std::string where_it_is(const PageReference& page) {
    return base::concat("`man ", page.section, " ", page.name, "` where it is installed, ", page.document,
                        " otherwise");
}

std::string document_pages(const Manual& manual) {
    std::string out;
    for (const PageReference& page : manual.related)
        if (!page.document.empty())
            out +=
                base::concat(page.name, "(", page.section, ") is not among them: ", where_it_is(page), ".\n");
    return out;
}

std::string command_details(const std::string& program, const Manual& manual) {
    return base::concat(
        "Examples:\n  ", program, " man | man -l -\n      Shows the page of the program.\n  ", program,
        " man man | man -l -\n      Shows the page of its command `man`.\n\n",
        "Prints a page as roff(7), for systems on which the manual pages are not installed.\n",
        document_pages(manual));
}

// "5 config", "barnum-config" and "5 barnum-config" are all barnum-config(5); "config" is a command.
bool is_document(const Program& program, const PageReference& page, Words words) {
    if (page.document.empty() || words.empty()) return false;
    bool has_section = words.front() == std::to_string(page.section);
    if (has_section) words.erase(words.begin());
    if (words.size() != 1) return false;
    return words.front() == page.name ||
           (has_section && base::concat(program.name, "-", words.front()) == page.name);
}

void refuse_documents(const Program& program, const Manual& manual, const Words& words) {
    for (const PageReference& page : manual.related)
        if (is_document(program, page, words))
            throw po::error(
                base::concat(page.name, "(", page.section, ") is made of a document: ", where_it_is(page)));
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
        base::concat("there is no command '", wanted, "'", json::did_you_mean(wanted, candidates)));
}

struct Arguments {
    Words command;
    bool list = false;
};

int print(const Program& program, const Manual& manual, const Arguments& arguments) {
    refuse_documents(program, manual, arguments.command);
    if (!arguments.list)
        std::cout << page(program, manual, find(program, arguments.command));
    else if (!arguments.command.empty())
        throw po::error("--list prints the names of all pages, and takes no command");
    else
        for (const Path& path : pages(program))
            std::cout << page_name(program, path) << "\n";
    return base::ExitCode::ok;
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

OptionTable<Arguments> option_table(const Program& program) {
    Value command =
        text("[COMMAND...]", "the name of a command").as_list().completed_by([&program](const Line& line) {
            return commands_behind(program, line.value("command"));
        });
    return {{{.name = "command",
              .value = command,
              .summary = "the command of the page; without it, the page of the program",
              .is_positional = true},
             into(&Arguments::command)},
            {{"list", none(), "print the names of all pages, one per line"}, into(&Arguments::list)}};
}

}  // namespace

Command man_command(const Program& program, Manual manual) {
    Command made{"man", "Print a manual page, for man(1).", command_details(program.name, manual)};
    const OptionTable<Arguments> table = option_table(program);
    made.options = options_of(table);
    made.run = [&program, manual = std::move(manual), table](const Options& given) {
        return print(program, manual, read(table, given));
    };
    return made;
}

}  // namespace cli
