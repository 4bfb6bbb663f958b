#include "cli/completion.hpp"

#include "cli/typed_word.hpp"

#include <catch2/catch.hpp>

#include <iostream>
#include <sstream>

using Words = std::vector<std::string>;
using Kind = cli::Completion::Kind;

namespace {

// Candidates that tell what they were made from.
cli::Completion seen(const cli::Line& line) {
    return {Kind::words, {{"root=" + line.value("root")}, {"word=" + line.word}}};
}

cli::Command show_command() {
    cli::Command show{"show", "Show it.", ""};
    show.options = {
        {.name = "file", .value = cli::file("FILE", "a path"), .summary = "file", .is_positional = true},
        {"pool", cli::text("POOL", "a name").completed_by(seen), "a\npool"},
        {"how", cli::choice("HOW", {{"a", "the first"}, {"b"}}), "how"},
        {"count", cli::whole_number("N", 0), "count"},
        {"all", cli::none(), "all"}};
    show.run = [](const cli::Options&) { return 8; };
    return show;
}

cli::Program program() {
    cli::Program made{"prog", "A program.", ""};
    made.global_options = {{"root", cli::directory("DIR", "a path"), "root"},
                           {.name = "level",
                            .value = cli::choice("LEVEL", {{"low"}, {"high"}}),
                            .summary = "level",
                            .letter = 'l'},
                           {.name = "help", .value = cli::none(), .summary = "help", .letter = 'h'}};
    cli::Command group{"file", "All about files.", ""};
    group.commands.push_back({"check", "Check it.", ""});
    group.commands.push_back({"draw", "Draw it.", ""});
    for (const cli::Command& command :
         {show_command(), group, cli::completion_command("prog", "pools (--pool)")})
        made.commands.push_back(command);
    return made;
}

Words offered(const Words& words) {
    Words texts;
    for (const cli::Candidate& candidate : cli::complete(program(), words).candidates)
        texts.push_back(candidate.text);
    return texts;
}

Kind kind(const Words& words) {
    return cli::complete(program(), words).kind;
}

const Words all_of_show{"--file", "--pool", "--how", "--count", "--all", "--root", "--level", "--help"};

std::string variable(const std::string& name) {
    return name == "HOME" ? "/home/me" : name == "DIR" ? "d" : "";
}

}  // namespace

TEST_CASE("commands and those within commands are offered, and help") {
    CHECK(offered({""}) == Words{"show", "file", "completion", "help"});
    CHECK(offered({"--root", "show", ""}) == Words{"show", "file", "completion", "help"});
    CHECK(offered({"file", "c"}) == Words{"check", "draw", "help"});
    CHECK(offered({"help", ""}) == Words{"show", "file", "completion"});
    CHECK(offered({"help", "file", ""}) == Words{"check", "draw"});
    CHECK(offered({"help", "show", ""}).empty());
    CHECK(offered({"nothing", ""}).empty());
    CHECK(offered({}).empty());
}

TEST_CASE("every option is offered, the global ones everywhere, none a second time") {
    CHECK(offered({"show", "--"}) == all_of_show);
    CHECK(offered({"--"}) == Words{"--root", "--level", "--help"});
    CHECK(offered({"file", "--"}) == Words{"--root", "--level", "--help"});
    CHECK(offered({"show", "--how", "a", "--all", "-llow", "--root=x", "--"}) ==
          Words{"--file", "--pool", "--count", "--help"});
    CHECK(offered({"show", "-"}).size() == all_of_show.size() + 2);
}

TEST_CASE("an argument without an option is completed as the option that it stands for") {
    CHECK(kind({"show", ""}) == Kind::files);
    CHECK(kind({"show", "--all", "x"}) == Kind::files);
    CHECK(offered({"show", "f", ""}).front() == "--pool");
    CHECK(offered({"show", "--file", "f", ""}).front() == "--pool");
    CHECK(offered({"show", "f", "x"}).empty());
    CHECK(kind({"show", "--", "-x"}) == Kind::files);
    CHECK(offered({"completion", ""}) == Words{"bash", "zsh", "fish"});
}

TEST_CASE("values are offered behind a space, behind = and behind a letter") {
    CHECK(offered({"show", "--how", ""}) == Words{"a", "b"});
    CHECK(offered({"show", "--how=b"}) == Words{"--how=a", "--how=b"});
    CHECK(offered({"-l", ""}) == Words{"low", "high"});
    CHECK(offered({"show", "-lh"}) == Words{"-llow", "-lhigh"});
    CHECK(kind({"--root", ""}) == Kind::directories);
    CHECK(kind({"show", "--root="}) == Kind::directories);
    CHECK(kind({"show", "--file", ""}) == Kind::files);
    CHECK(offered({"show", "--count", ""}).empty());
    CHECK(offered({"show", "--all=x"}).empty());
    CHECK(offered({"show", "--nothing="}).empty());
}

TEST_CASE("what finds values is told the options before it and the word so far") {
    CHECK(offered({"show", "--root", "x", "--pool", "y"}) == Words{"root=x", "word=y"});
    CHECK(offered({"--root=x", "show", "--pool=y"}) == Words{"--pool=root=x", "--pool=word=y"});
    CHECK(offered({"show", "--pool", ""}) == Words{"root=", "word="});
}

TEST_CASE("a shell gets the kind and then a candidate a line with its description") {
    cli::Program made = program();
    std::ostringstream out;
    auto* old = std::cout.rdbuf(out.rdbuf());
    const char* arguments[] = {"prog", "__complete", "bash", "--", "show", "--root", "'a b", "--po"};
    CHECK(cli::run(made, 8, arguments) == 0);
    CHECK(cli::run(made, 2, arguments) == 2);
    std::cout.rdbuf(old);
    CHECK(out.str().starts_with("words\n--file\tfile\n--pool\ta pool\n"));
    CHECK(out.str().find("--root") == std::string::npos);
}

TEST_CASE("a value that is none of the choices is wrong usage, and told them") {
    std::ostringstream err;
    auto* old = std::cerr.rdbuf(err.rdbuf());
    const char* how[] = {"prog", "show", "--how", "c"};
    CHECK(cli::run(program(), 4, how) == 2);
    const char* good[] = {"prog", "show", "--how", "b", "-l", "low"};
    CHECK(cli::run(program(), 6, good) == 8);
    const char* shell[] = {"prog", "completion", "tcsh"};
    CHECK(cli::run(program(), 3, shell) == 2);
    CHECK(cli::run(program(), 2, shell) == 2);
    std::cerr.rdbuf(old);
    CHECK(err.str() ==
          "prog: --how must be \"a\" or \"b\", not 'c'\nTry `prog show --help`.\n"
          "prog: SHELL must be \"bash\", \"zsh\" or \"fish\", not 'tcsh'\nTry `prog completion --help`.\n"
          "prog: SHELL is missing: \"bash\", \"zsh\" or \"fish\"\nTry `prog completion --help`.\n");
}

TEST_CASE("quotes and backslashes go as in a shell, and a quote may be open") {
    CHECK(cli::typed_word("a\\ b'c d'\"e \\\" \\f\"", variable) == "a bc de \" \\f");
    CHECK(cli::typed_word("'[{\"kind\":\"A", variable) == "[{\"kind\":\"A");
    CHECK(cli::typed_word("a\\", variable) == "a\\");
    CHECK(cli::expanded_word("'a\\ ", variable) == "'a\\ ");
}

TEST_CASE("the home directory and variables are put in, and nothing is executed") {
    CHECK(cli::typed_word("~/x", variable) == "/home/me/x");
    CHECK(cli::typed_word("'~/x'", variable) == "~/x");
    CHECK(cli::typed_word("a~", variable) == "a~");
    CHECK(cli::typed_word("\"$DIR/${DIR}\"$(x)$NO", variable) == "d/d$(x)$NO");
    CHECK(cli::typed_word("'$DIR'", variable) == "$DIR");
    CHECK(cli::expanded_word("~/$DIR", variable) == "/home/me/d");
}
