// The manual pages of a program, in section 1: one of the program itself and one of each command, from the
// same table as --help. Pure. Does not find commands by name.
#pragma once

#include "cli/command_line.hpp"
#include "cli/help.hpp"

#include <compare>
#include <string>
#include <vector>

namespace cli {

// A page to which others refer: barnum-config(5). A page with a `document` is made from it at installation,
// and the program can't print it.
struct PageReference {
    int section = 1;
    std::string name;
    std::string document = {};  // "docs/config.md"
    friend auto operator<=>(const PageReference&, const PageReference&) = default;
};

struct Manual {
    std::string version;                 // of the program, for the foot of each page
    std::vector<PageReference> related;  // pages to which each page refers, in addition to the program's own
    std::string documents = {};          // where docs/ is, for pages whose text names a file in it
};

// "prog-config-validate"
std::string page_name(const Program& program, const Path& path);

// All pages: the program's, then each command's, followed by those of its subcommands.
std::vector<Path> pages(const Program& program);

// The page as roff with the macros of man(7); the same for the same program and version.
std::string page(const Program& program, const Manual& manual, const Path& path);

}  // namespace cli
