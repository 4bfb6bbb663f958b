#include "cli/command_line.hpp"

#include <boost/program_options/errors.hpp>
#include <catch2/catch.hpp>

#include <iostream>
#include <sstream>

namespace po = boost::program_options;

namespace {

// What a person sees of one call.
struct Seen {
    int exit_code = 0;
    std::string out;
    std::string err;
};

// What it was called with.
std::string text_of(const cli::Options& given, const std::string& name) {
    return given.count(name) > 0 ? given[name].as<std::string>() : "none";
}

// A command that has two commands.
cli::Command group(std::string& ran) {
    cli::Command check{"check", "Check it.", "Details of check.\n"};
    check.options = {{"deep", cli::none(), "deep"}};
    check.run = [&ran](const cli::Options& given) {
        ran = given.count("deep") > 0 ? "check deep" : "check";
        if (given.count("root") > 0) ran += " " + text_of(given, "root");
        return 9;
    };
    cli::Command draw{"draw", "Draw it.", ""};
    draw.run = [&ran](const cli::Options&) {
        ran = "draw";
        return 10;
    };
    cli::Command made{"file", "All about files.", "Details of file.\n"};
    made.commands.push_back(check);
    made.commands.push_back(draw);
    return made;
}

cli::Program program(std::string& ran) {
    cli::Program made{"prog", "A program.", "Examples: none.\n"};
    made.global_options = {{"root", cli::directory("DIR", "the path of a directory"), "root"},
                           {.name = "help", .value = cli::none(), .summary = "help", .letter = 'h'}};
    cli::Command start{"start", "Start it.", ""};
    start.options = {{"count", cli::whole_number("N", -1, 9).with_default("1"), "count"},
                     {"pause", cli::seconds("N", cli::Zero::refused), "pause"}};
    start.run = [&ran](const cli::Options& given) {
        ran = "start " + text_of(given, "count");
        if (given.count("root") > 0) ran += " " + text_of(given, "root");
        if (text_of(given, "count") == "-1") throw po::error("count must not be negative");
        return 7;
    };
    made.commands.push_back(start);
    cli::Command show{"show", "Show it.", ""};
    show.options = {
        {.name = "file", .value = cli::file("FILE", "a path"), .summary = "file", .is_positional = true},
        {.name = "part",
         .value = cli::whole_number("PART", 0).with_default("0"),
         .summary = "part",
         .is_positional = true},
        {"all", cli::none(), "all"}};
    show.run = [&ran](const cli::Options& given) {
        ran = text_of(given, "file") + " " + text_of(given, "part") + (given.count("all") > 0 ? " all" : "");
        return 8;
    };
    made.commands.push_back(show);
    cli::Command need{"need", "Need it.", ""};
    need.options = {
        {.name = "this", .value = cli::text("THIS", "some words"), .summary = "this", .is_required = true}};
    need.run = [](const cli::Options&) { return 11; };
    made.commands.push_back(need);
    cli::Command tag{"tag", "Tag it.", ""};
    tag.options = {{"tag", cli::text("TAG", "a word").as_list(), "tag"}, {"all", cli::none(), "all"}};
    tag.run = [&ran](const cli::Options& given) {
        ran.clear();
        for (const std::string& text : given["tag"].as<std::vector<std::string>>())
            ran += text + ";";
        return 12;
    };
    made.commands.push_back(tag);
    made.commands.push_back(group(ran));
    return made;
}

Seen call(std::vector<const char*> arguments, std::string& ran) {
    arguments.insert(arguments.begin(), "prog");
    std::ostringstream out;
    std::ostringstream err;
    auto* old_out = std::cout.rdbuf(out.rdbuf());
    auto* old_err = std::cerr.rdbuf(err.rdbuf());
    Seen seen;
    seen.exit_code = cli::run(program(ran), static_cast<int>(arguments.size()), arguments.data());
    std::cout.rdbuf(old_out);
    std::cerr.rdbuf(old_err);
    seen.out = out.str();
    seen.err = err.str();
    return seen;
}

}  // namespace

TEST_CASE("global options may stand before and after the command") {
    std::string ran;
    CHECK(call({"--root", "start", "start", "--count", "3"}, ran).exit_code == 7);
    CHECK(ran == "start 3 start");
    CHECK(call({"start", "--root=/x"}, ran).exit_code == 7);
    CHECK(ran == "start 1 /x");
}

TEST_CASE("an option that is a list is repeated, and takes one value each time") {
    std::string ran;
    CHECK(call({"tag", "--tag", "b", "--all", "--tag=a", "--tag", "b"}, ran).exit_code == 12);
    CHECK(ran == "b;a;b;");
    Seen seen = call({"tag", "--tag", "a", "b"}, ran);
    CHECK(seen.exit_code == 2);
    CHECK(seen.err.find("'b' is not an option") != std::string::npos);
}

TEST_CASE("help goes to stdout with exit code 0, for the program and for a command") {
    std::string ran;
    for (auto arguments : {std::vector<const char*>{"--help"}, {"-h"}, {"help"}}) {
        Seen seen = call(arguments, ran);
        CHECK(seen.exit_code == 0);
        CHECK(seen.out.find("Commands:\n  start") != std::string::npos);
        CHECK(seen.err.empty());
    }
    for (auto arguments : {std::vector<const char*>{"start", "--help"}, {"help", "start"}}) {
        Seen seen = call(arguments, ran);
        CHECK(seen.exit_code == 0);
        CHECK(seen.out.find("--count") != std::string::npos);
    }
    CHECK(ran.empty());
}

TEST_CASE("wrong usage says what is wrong on stderr, with exit code 2") {
    std::string ran;
    Seen none = call({}, ran);
    CHECK(none.exit_code == 2);
    CHECK(none.err.find("Usage: prog") != std::string::npos);
    Seen command = call({"strat"}, ran);
    CHECK(command.exit_code == 2);
    CHECK(command.err.find("there is no command 'strat'") != std::string::npos);
    CHECK(command.err.find("did you mean \"start\"?") != std::string::npos);
    Seen option = call({"start", "--cuont", "1"}, ran);
    CHECK(option.exit_code == 2);
    CHECK(option.err.find("unknown option '--cuont'; did you mean \"--count\"?") != std::string::npos);
    CHECK(call({"start", "--coun", "1"}, ran).exit_code == 2);
    CHECK(call({"start", "--count", "x"}, ran).exit_code == 2);
    Seen stray = call({"start", "stray"}, ran);
    CHECK(stray.exit_code == 2);
    CHECK(stray.err.find("'stray' is not an option") != std::string::npos);
    CHECK(ran.empty());
    Seen refused = call({"start", "--count=-1"}, ran);
    CHECK(refused.exit_code == 2);
    CHECK(refused.err.find("count must not be negative") != std::string::npos);
}

TEST_CASE("an option that a command names for it may be given by its place") {
    std::string ran;
    CHECK(call({"show", "f", "2"}, ran).exit_code == 8);
    CHECK(ran == "f 2");
    CHECK(call({"show", "--all", "f"}, ran).exit_code == 8);
    CHECK(ran == "f 0 all");
    CHECK(call({"show", "--part", "3", "f", "--all"}, ran).exit_code == 8);
    CHECK(ran == "f 3 all");
    CHECK(call({"show", "--file=f"}, ran).exit_code == 8);
    CHECK(ran == "f 0");
    CHECK(call({"show", "--", "--f"}, ran).exit_code == 8);
    CHECK(ran == "--f 0");
    CHECK(call({"show"}, ran).exit_code == 8);
    CHECK(ran == "none 0");
}

TEST_CASE("what has no place is wrong usage") {
    std::string ran;
    Seen many = call({"show", "f", "2", "more"}, ran);
    CHECK(many.exit_code == 2);
    CHECK(many.err.find("'more' is one argument too many: show takes FILE PART") != std::string::npos);
    CHECK(call({"show", "f", "x"}, ran).exit_code == 2);
    CHECK(call({"show", "f", "--file", "g"}, ran).exit_code == 2);
    CHECK(ran.empty());
}

TEST_CASE("help shows what is given by its place") {
    std::string ran;
    CHECK(call({"show", "--help"}, ran).out.find("Usage: prog show [OPTIONS] FILE PART\n") !=
          std::string::npos);
    CHECK(call({"start", "--help"}, ran).out.find("Usage: prog start [OPTIONS]\n") != std::string::npos);
}

TEST_CASE("a command of a command runs, with options of its own and global ones anywhere") {
    std::string ran;
    CHECK(call({"file", "check", "--deep"}, ran).exit_code == 9);
    CHECK(ran == "check deep");
    CHECK(call({"--root", "a", "file", "draw"}, ran).exit_code == 10);
    CHECK(ran == "draw");
    CHECK(call({"file", "--root", "draw", "check"}, ran).exit_code == 9);
    CHECK(ran == "check draw");
    CHECK(call({"file", "check", "--root=b"}, ran).exit_code == 9);
    CHECK(ran == "check b");
}

TEST_CASE("help of a command with commands lists these, help of one of these is its own") {
    std::string ran;
    for (auto arguments : {std::vector<const char*>{"file", "--help"}, {"help", "file"}, {"file", "help"}}) {
        Seen seen = call(arguments, ran);
        CHECK(seen.exit_code == 0);
        CHECK(seen.out.starts_with("All about files.\n\nUsage: prog file COMMAND [OPTIONS]\n"));
        CHECK(seen.out.find("Commands:\n  check  Check it.\n  draw   Draw it.\n") != std::string::npos);
        CHECK(seen.out.find("Details of file.") != std::string::npos);
        CHECK(seen.err.empty());
    }
    for (auto arguments : {std::vector<const char*>{"file", "check", "--help"},
                           {"help", "file", "check"},
                           {"--help", "file", "check"},
                           {"file", "help", "check"}}) {
        Seen seen = call(arguments, ran);
        CHECK(seen.exit_code == 0);
        CHECK(seen.out.starts_with("Check it.\n\nUsage: prog file check [OPTIONS]\n"));
        CHECK(seen.out.find("--deep") != std::string::npos);
        CHECK(seen.out.find("Details of check.") != std::string::npos);
    }
    CHECK(ran.empty());
}

TEST_CASE("a command with commands alone is wrong usage, and shows them") {
    std::string ran;
    Seen seen = call({"file"}, ran);
    CHECK(seen.exit_code == 2);
    CHECK(seen.out.empty());
    CHECK(seen.err.find("Usage: prog file COMMAND") != std::string::npos);
    CHECK(seen.err.find("\n  check  Check it.\n") != std::string::npos);
    Seen option = call({"file", "--deep"}, ran);
    CHECK(option.exit_code == 2);
    CHECK(option.err == "prog: no command is given, only '--deep'\nTry `prog file --help`.\n");
    CHECK(ran.empty());
}

TEST_CASE("an unknown command of a command gets a suggestion among its own") {
    std::string ran;
    Seen seen = call({"file", "chek"}, ran);
    CHECK(seen.exit_code == 2);
    CHECK(seen.err ==
          "prog: there is no command 'chek' of `prog file`; did you mean \"check\"?\n"
          "Try `prog file --help`.\n");
    CHECK(call({"help", "file", "chek"}, ran).exit_code == 2);
    CHECK(call({"file", ""}, ran).exit_code == 2);
    Seen option = call({"file", "check", "--depe"}, ran);
    CHECK(option.exit_code == 2);
    CHECK(option.err.find("did you mean \"--deep\"?\nTry `prog file check --help`.") != std::string::npos);
    CHECK(ran.empty());
}

TEST_CASE("an empty value is wrong usage, by name and by place") {
    std::string ran;
    Seen named = call({"show", "--file", ""}, ran);
    CHECK(named.exit_code == 2);
    CHECK(named.err.find("prog: --file is empty: give it a value, or leave it out\n") == 0);
    Seen placed = call({"show", ""}, ran);
    CHECK(placed.exit_code == 2);
    CHECK(placed.err.find("prog: FILE is empty") == 0);
    Seen global = call({"--root", "", "start"}, ran);
    CHECK(global.exit_code == 2);
    CHECK(global.err.find("prog: --root is empty") == 0);
    CHECK(ran.empty());
}

TEST_CASE("a wrong value is answered with those that are accepted, and an example") {
    std::string ran;
    auto told = [&](std::vector<const char*> arguments) {
        Seen seen = call(std::move(arguments), ran);
        CHECK(seen.exit_code == 2);
        return seen.err.substr(0, seen.err.find('\n'));
    };
    std::string count = "prog: --count must be a whole number from -1 to 9 (for example 1), not ";
    for (std::string value : {"x", "1.5", "10", "-2", "99999999999999999999", "1x", "+-1"})
        CHECK(told({"start", "--count", value.c_str()}) == count + "'" + value + "'");
    std::string pause =
        "prog: --pause must be a number of seconds from 0.001 to 1000000000 (for example 1.5), "
        "not ";
    for (std::string value : {"x", "0", "-1", "nan", "inf", "1e10", "1s", "0x1"})
        CHECK(told({"start", "--pause", value.c_str()}) == pause + "'" + value + "'");
    CHECK(told({"show", "f", "-1"}) == "prog: unknown option '-1'");
    CHECK(told({"show", "f", "--part=-1"}) ==
          "prog: PART must be a whole number of at least 0 (for example 2), not '-1'");
    CHECK(told({"start", "--count"}) ==
          "prog: --count needs a value: a whole number from -1 to 9 (for example 1)");
    CHECK(told({"start", "--root"}) == "prog: --root needs a value: the path of a directory");
    CHECK(told({"start", "--root="}) == "prog: --root is empty: give it a value, or leave it out");
    CHECK(told({"start", "--count", "x", "--count", "x"}) == "prog: --count is given more than once");
    CHECK(told({"show", "--all=1"}) == "prog: --all takes no value");
    CHECK(told({"need"}) == "prog: --this is missing: some words");
    CHECK(ran.empty());
    CHECK(call({"start", "--count", "+3", "--pause", "1e3"}, ran).exit_code == 7);
}

TEST_CASE("an option before the command that only a command has is told of") {
    std::string ran;
    Seen value = call({"--count", "3", "start"}, ran);
    CHECK(value.exit_code == 2);
    CHECK(value.err.find("there is no command '3'; if it is the value of --count, put both after") !=
          std::string::npos);
    CHECK(call({"--all", "show", "f"}, ran).exit_code == 8);
    CHECK(ran == "f 0 all");
}

TEST_CASE("an unknown option without a command is told as such") {
    std::string ran;
    CHECK(call({"--rot=x"}, ran).err.find("prog: unknown option '--rot'; did you mean \"--root\"?") == 0);
    CHECK(call({"--root"}, ran).err.find("prog: no command is given, only '--root'") == 0);
    CHECK(call({"--", "start"}, ran).err.find("prog: no command is given, only '--'") == 0);
    CHECK(ran.empty());
}

TEST_CASE("output that can't be written is told with exit code 74") {
    struct Full : std::streambuf {
        int overflow(int) override { return traits_type::eof(); }
    } full;
    auto* old_out = std::cout.rdbuf(&full);
    std::ostringstream err;
    auto* old_err = std::cerr.rdbuf(err.rdbuf());
    std::string ran;
    const char* arguments[] = {"prog", "--help"};
    int code = cli::run(program(ran), 2, arguments);
    std::cerr.rdbuf(old_err);
    std::cout.rdbuf(old_out);
    std::cout.clear();
    CHECK(code == 74);
    CHECK(err.str() == "prog: cannot write to stdout\n");
}
