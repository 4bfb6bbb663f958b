// Parses the details of a command (Command::details). They have the following form, which --help prints
// unchanged and from which a manual page is made:
//
//   Examples:
//     prog do --this        two spaces: printed unchanged; more than two continue the example
//         Does it.          six, in examples: a remark on the lines above
//
//   A paragraph in one line or several. Lines that follow it with two spaces
//     are printed unchanged, too.
//
//   Exit codes: 0 all is well; 2 the command line is wrong. Further remarks.
//
// The parts may have any order, with empty lines between them. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cli {

struct Block {
    enum class Form { prose, verbatim, remark };
    Form form = Form::prose;
    std::string text;  // prose and remarks in one line; the lines of verbatim text without the two spaces
    friend bool operator==(const Block&, const Block&) = default;
};

struct ExitMeaning {
    std::string codes;  // "0", "130 and 143", "128+n"
    std::string meaning;
    friend bool operator==(const ExitMeaning&, const ExitMeaning&) = default;
};

struct Details {
    std::vector<Block> description;
    std::vector<Block> examples;
    std::vector<ExitMeaning> exit_codes;
    std::string exit_remark;
};

Details read_details(std::string_view text);

}  // namespace cli
