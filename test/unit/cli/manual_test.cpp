#include "cli/manual.hpp"

#include "base/text.hpp"
#include "cli/details.hpp"
#include "cli/man_command.hpp"
#include "cli/roff.hpp"

#include <catch2/catch.hpp>

#include <iostream>
#include <sstream>

namespace {

constexpr const char* details = R"(Examples:
  prog file check --deep -- a.txt
      Looks at `a.txt`,
      and into it.
  .dot 'quoted' \n
    deeper

  prog two

It takes
its time. See `prog start --count`.

By two lines:
  one
  two

Exit codes: 0 all is well; 2 and 3 it is not; 128+n ended by
signal n. No other.
)";

// prog, prog start, prog file, prog file check.
cli::Program documented_program() {
    cli::Program made{"prog", "A program: for `tests`.", ""};
    made.global_options = {{.name = "log-level",
                            .value = cli::choice("LEVEL", {{"info", "some"}, {"off"}}).with_default("info"),
                            .summary = "how much",
                            .letter = 'l'},
                           {.name = "help", .value = cli::none(), .summary = "print help", .letter = 'h'}};
    cli::Command start{"start", "Start it.", ""};
    cli::Command check{"check", "Check it.", details};
    check.options = {
        {"deep", cli::none(), "with `--root`, .too"},
        {"root", cli::directory("DIR", "a path"), "where"},
        {.name = "file", .value = cli::file("FILE", "a path"), .summary = "which", .is_positional = true}};
    cli::Command file{"file", "All about files.", "`prog file check` is one of its commands.\n"};
    file.commands.push_back(check);
    made.commands.push_back(start);
    made.commands.push_back(file);
    return made;
}

const cli::Manual manual{"1.2.3", {{7, "prog-protocol"}, {1, "prog"}}};

std::string page(const cli::Program& program, const std::string& name) {
    for (const cli::Path& path : cli::pages(program))
        if (cli::page_name(program, path) == name) return cli::page(program, manual, path);
    return "";
}

// From the heading of a section to the next one.
std::string section(const std::string& page, const std::string& name) {
    auto heading = base::concat("\n.SH ", name, "\n");
    auto begin = page.find(heading);
    if (begin == page.npos) return "none";
    begin += heading.size();
    auto end = page.find("\n.SH ", begin);
    return page.substr(begin, end == page.npos ? page.npos : end + 1 - begin);
}

std::string check_section(const std::string& name) {
    return section(page(documented_program(), "prog-file-check"), name);
}

// What a call of the command `man` of a program prints.
std::pair<int, std::string> call_manual(std::vector<const char*> arguments,
                                        const cli::Manual& its_manual = manual) {
    cli::Program made = documented_program();
    made.commands.push_back(cli::man_command(made, its_manual));
    arguments.insert(arguments.begin(), {"prog", "man"});
    std::ostringstream out;
    std::ostringstream err;
    auto* old_out = std::cout.rdbuf(out.rdbuf());
    auto* old_err = std::cerr.rdbuf(err.rdbuf());
    int code = cli::run(made, static_cast<int>(arguments.size()), arguments.data());
    std::cout.rdbuf(old_out);
    std::cerr.rdbuf(old_err);
    return {code, out.str() + err.str()};
}

}  // namespace

TEST_CASE("nothing in a text is taken for a request or an escape") {
    CHECK(cli::roff::literal("a\\fB.") == "a\\(rsfB.");
    CHECK(cli::roff::literal(".SH\n.TP\n'br") == "\\&.SH\n\\&.TP\n\\(aqbr");
    CHECK(cli::roff::literal("…") == "…");
}

TEST_CASE("what is typed comes out as it is typed") {
    CHECK(cli::roff::literal("--a-b '`^~\"") == "\\-\\-a\\-b \\(aq\\(ga\\(ha\\(ti\\(dq");
}

TEST_CASE("text between backticks is bold") {
    CHECK(cli::roff::prose("`a-b`. or `c` `") == "\\fBa\\-b\\fR. or \\fBc\\fR \\(ga");
}

TEST_CASE("details are examples with remarks, paragraphs and exit codes") {
    using Form = cli::Block::Form;
    cli::Details read = cli::read_details(details);
    CHECK(read.examples == std::vector<cli::Block>{{Form::verbatim, "prog file check --deep -- a.txt"},
                                                   {Form::remark, "Looks at `a.txt`, and into it."},
                                                   {Form::verbatim, ".dot 'quoted' \\n\n  deeper"},
                                                   {Form::verbatim, "prog two"}});
    CHECK(read.description ==
          std::vector<cli::Block>{{Form::prose, "It takes its time. See `prog start --count`."},
                                  {Form::prose, "By two lines:"},
                                  {Form::verbatim, "one\ntwo"}});
    CHECK(read.exit_codes == std::vector<cli::ExitMeaning>{{"0", "all is well"},
                                                           {"2 and 3", "it is not"},
                                                           {"128+n", "ended by signal n"}});
    CHECK(read.exit_remark == "No other.");
}

TEST_CASE("an exit code is what begins with a digit, or two of these with an and") {
    using Meanings = std::vector<cli::ExitMeaning>;
    CHECK(cli::read_details("Exit codes: 2 and no other.\n").exit_codes == Meanings{{"2", "and no other"}});
    CHECK(cli::read_details("Exit codes: 1 and 2 bad\n").exit_codes == Meanings{{"1 and 2", "bad"}});
    CHECK(cli::read_details("Exit codes: none\n").exit_codes == Meanings{{"", "none"}});
}

TEST_CASE("details without any of it are nothing") {
    cli::Details read = cli::read_details("");
    CHECK(read.examples.empty());
    CHECK(read.description.empty());
    CHECK(read.exit_codes.empty());
}

TEST_CASE("every command has a page, whose name is that of its call") {
    cli::Program made = documented_program();
    std::vector<std::string> names;
    for (const cli::Path& path : cli::pages(made))
        names.push_back(cli::page_name(made, path));
    CHECK(names == std::vector<std::string>{"prog", "prog-start", "prog-file", "prog-file-check"});
}

TEST_CASE("a page begins with its name in one line, without full stop or markup") {
    CHECK(page(documented_program(), "prog")
              .starts_with(
                  ".TH \"PROG\" 1 \"\" \"prog 1.2.3\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\nprog \\- A "
                  "program: for tests\n"));
    CHECK(check_section("NAME") == "prog\\-file\\-check \\- Check it\n");
}

TEST_CASE("the synopsis shows commands, or what is given by its place") {
    CHECK(section(page(documented_program(), "prog"), "SYNOPSIS") ==
          "\\fBprog\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n");
    CHECK(section(page(documented_program(), "prog-file"), "SYNOPSIS") ==
          "\\fBprog file\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n");
    CHECK(check_section("SYNOPSIS") == "\\fBprog file check\\fR [\\fIOPTIONS\\fR] \\fIFILE\\fR\n");
}

TEST_CASE("options come with the name of their value and a default that says something") {
    CHECK(check_section("OPTIONS") ==
          ".TP\n\\fB\\-\\-deep\\fR\nwith \\fB\\-\\-root\\fR, .too\n"
          ".TP\n\\fB\\-\\-root\\fR \\fIDIR\\fR\nwhere\n"
          ".TP\n\\fB\\-\\-file\\fR \\fIFILE\\fR\nwhich\n"
          ".SS Options of every command\n"
          ".TP\n\\fB\\-l\\fR, \\fB\\-\\-log\\-level\\fR \\fILEVEL\\fR\nhow much: info (some) or off "
          "(default: info)\n"
          ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nprint help\n");
    CHECK(section(page(documented_program(), "prog"), "OPTIONS").starts_with(".TP\n\\fB\\-l\\fR"));
}

TEST_CASE("a command that has commands lists their pages") {
    CHECK(section(page(documented_program(), "prog-file"), "COMMANDS") ==
          ".TP\n\\fBprog\\-file\\-check\\fR(1)\nCheck it.\n");
    CHECK(check_section("COMMANDS") == "none");
}

TEST_CASE("examples stand as they are") {
    CHECK(check_section("EXAMPLES") ==
          ".PP\n.nf\nprog file check \\-\\-deep \\-\\- a.txt\n.fi\n"
          ".RS 4\nLooks at \\fBa.txt\\fR, and into it.\n.RE\n"
          ".PP\n.nf\n\\&.dot \\(aqquoted\\(aq \\(rsn\n  deeper\n.fi\n"
          ".PP\n.nf\nprog two\n.fi\n");
    CHECK(section(page(documented_program(), "prog"), "EXAMPLES") == "none");
}

TEST_CASE("exit codes are a list") {
    CHECK(check_section("EXIT STATUS") ==
          ".TP\n\\fB0\\fR\nall is well\n.TP\n\\fB2 and 3\\fR\nit is not\n"
          ".TP\n\\fB128+n\\fR\nended by signal n\n.PP\nNo other.\n");
    CHECK(section(page(documented_program(), "prog"), "EXIT STATUS") == "none");
}

TEST_CASE("a page refers to those above it, those it names and those related, and not to itself") {
    CHECK(check_section("SEE ALSO") ==
          "\\fBprog\\fR(1),\n\\fBprog\\-file\\fR(1),\n\\fBprog\\-start\\fR(1),\n\\fBprog\\-"
          "protocol\\fR(7)\n");
    CHECK(section(page(documented_program(), "prog-file"), "SEE ALSO") ==
          "\\fBprog\\fR(1),\n\\fBprog\\-protocol\\fR(7)\n");
    CHECK(section(page(documented_program(), "prog"), "SEE ALSO") == "\\fBprog\\-protocol\\fR(7)\n");
}

TEST_CASE("a page whose text names a document says where documents are") {
    cli::Program made = documented_program();
    cli::Manual with_documents{"1", {}, "In `DIR`."};
    std::string note = ".PP\nIn \\fBDIR\\fR.\n";
    CHECK_FALSE(cli::page(made, with_documents, {&made.commands[1]}).ends_with(note));
    made.commands[1].details = "See docs/files.md.\n";
    CHECK(cli::page(made, with_documents, {&made.commands[1]}).ends_with(note));
}

TEST_CASE("man prints a page or the names of all") {
    CHECK(section(call_manual({}).second, "COMMANDS").find("prog\\-man") != std::string::npos);
    CHECK(call_manual({"file", "check"}).second == page(documented_program(), "prog-file-check"));
    CHECK(call_manual({"--list"}) ==
          std::pair<int, std::string>(0, "prog\nprog-start\nprog-file\nprog-file-check\nprog-man\n"));
}

TEST_CASE("man of a page that is made of a document says where it is") {
    cli::Manual related{"1", {{5, "prog-file", "docs/file.md"}}};
    const std::vector<const char*> calls[] = {{"prog-file"}, {"5", "prog-file"}, {"5", "file"}};
    for (const auto& words : calls) {
        auto [code, said] = call_manual(words, related);
        CHECK(code == 2);
        CHECK(
            said.starts_with("prog: prog-file(5) is made of a document: `man 5 prog-file` where it is "
                             "installed, docs/file.md otherwise\n"));
    }
    CHECK(call_manual({"file"}, related).first == 0);
}

TEST_CASE("man of a command that there isn't is wrong usage") {
    auto [code, said] = call_manual({"file", "chek"});
    CHECK(code == 2);
    CHECK(said ==
          "prog: there is no command 'prog file chek'; did you mean \"prog file check\"?\n"
          "Try `prog man --help`.\n");
    CHECK(call_manual({"--list", "start"}).first == 2);
}
