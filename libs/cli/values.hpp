// What the values of an option may be, said once in the table of commands: for the check of a command line
// and for completion by a shell.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cli {

// One thing that may stand next on a command line.
struct Candidate {
    std::string text;
    std::string description = {};  // may be empty
};

struct Completion {
    enum class Kind {
        words,        // the candidates; the shell keeps those that begin as the word does
        parts,        // the same, but the word goes on behind them
        files,        // the shell looks for them
        directories,  // and for these
    };
    Kind kind = Kind::words;
    std::vector<Candidate> candidates = {};
};

// A command line that is being typed.
struct Line {
    // Of the options before the cursor, by their long names; of a list, with spaces in between.
    std::map<std::string, std::string> values = {};
    std::string word = {};  // what is there already of the value to complete

    // "" for an option that isn't there.
    std::string value(const std::string& option) const {
        auto found = values.find(option);
        return found == values.end() ? "" : found->second;
    }
};

struct Values {
    // If there are any, all others are wrong usage; the option's value is a std::string.
    std::vector<std::string> choices = {};
    // Called while somebody waits at a prompt: does not block, prints nothing, and finds nothing where it
    // fails.
    std::function<Completion(const Line&)> complete = {};
};

using ValuesByOption = std::map<std::string, Values>;

Values files();
Values directories();
Values one_of(std::vector<std::string> choices);
Values found_by(std::function<Completion(const Line&)> complete);

}  // namespace cli
