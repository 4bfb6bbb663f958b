// The manual pages of a program, in section 1: one of the program itself and one of each command, from the
// same table as --help. Pure; finding a command by its name is not done here.
#pragma once

#include "cli/command_line.hpp"
#include "cli/help.hpp"

#include <compare>
#include <string>
#include <vector>

namespace cli {

// A page that another one refers to: barnum-config(5). One that isn't of a program is made of a document when
// it is installed, and can't be printed.
struct PageReference {
    int section = 1;
    std::string name;
    std::string document = {};  // "docs/config.md"
    friend auto operator<=>(const PageReference&, const PageReference&) = default;
};

struct Manual {
    std::string version;                 // of the program, for the foot of each page
    std::vector<PageReference> related;  // besides the program's own: what each page refers to
    std::string documents = {};          // where docs/ is, for the pages whose text names a file of it
};

// "prog-config-validate"
std::string page_name(const Program& program, const Path& path);

// Every page there is: the program's, then each command's before those of its commands.
std::vector<Path> pages(const Program& program);

// The page as roff with the macros of man(7); the same for the same program and version.
std::string page(const Program& program, const Manual& manual, const Path& path);

}  // namespace cli
