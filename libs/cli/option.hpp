// The declaration of an option: its name, its values, and its meaning. Parsing, error messages, --help,
// completion and manual pages follow from it. Does no I/O, except in a Value's `complete`.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// A text that may be inserted into a command line.
struct Candidate {
    std::string text;
    std::string description = {};  // may be empty
};

struct Completion {
    enum class Kind {
        words,        // the candidates; the shell keeps those that begin with the typed word
        parts,        // the same, but a candidate is only the first part of a word
        files,        // the shell looks for files
        directories,  // the shell looks for directories
    };
    Kind kind = Kind::words;
    std::vector<Candidate> candidates = {};
};

// A command line that is being typed.
struct Line {
    // The values of the options before the cursor, by their long names; those of a list are joined by spaces.
    std::map<std::string, std::string> values = {};
    std::string word = {};  // the typed part of the value to complete

    // "" if the option is absent.
    std::string value(const std::string& option) const {
        auto found = values.find(option);
        return found == values.end() ? "" : found->second;
    }
};

// Called while the user waits at a prompt: does not block, prints nothing, and returns nothing on errors.
using Complete = std::function<Completion(const Line&)>;

// What an option takes. Made by the functions below.
struct Value {
    enum class Kind { none, text, file, directory, script, choice, whole_number, seconds, dollars };

    Kind kind = Kind::none;
    std::string name = {};     // in --help: "FILE"
    std::string meaning = {};  // of a text, for messages: "the path of a state log"
    std::string preset = {};   // the default as the user would type it; empty if there is none
    std::vector<Candidate> choices = {};
    std::int64_t least = 0;  // of whole numbers
    std::int64_t most = 0;
    double least_fraction = 0;  // of other numbers
    double most_fraction = 0;
    bool allows_zero = false;  // although it is less
    bool is_list = false;  // may be given several times: each time with the option's name, unless positional
    Complete complete = {};

    Value with_default(std::string text) const;
    Value completed_by(Complete function) const;
    Value as_list() const;
};

// A switch: the option has no value.
Value none();
Value text(std::string name, std::string meaning);
// Paths, completed by the shell.
Value file(std::string name, std::string meaning);
Value directory(std::string name, std::string meaning);
// A text that is run by `sh -c`; completed as a file.
Value script(std::string name, std::string meaning);
// --help lists the choices after the option's description, each with its own description.
Value choice(std::string name, std::vector<Candidate> choices);
Value whole_number(std::string name, std::int64_t least,
                   std::int64_t most = std::numeric_limits<std::int64_t>::max());
// A number that may have a fraction, within the bounds of base/limits.hpp.
enum class Zero { allowed, refused };
Value seconds(std::string name, Zero zero);

// As seconds(), of US dollars.
Value dollars(std::string name);

// Whether the text is an allowed value. A file need not exist.
bool accepts(const Value& value, const std::string& text);
// The allowed values: "a whole number from 0 to 1000 (for example 2)"
std::string expected(const Value& value);

struct Option {
    std::string name;     // "log-level"
    Value value;          // what it takes
    std::string summary;  // for --help
    char letter = '\0';   // 'l': -l is a short form
    bool is_positional =
        false;  // the value may be given without the option's name, in the order of declaration
    bool is_required = false;
};

// The summary, with the choices.
std::string description(const Option& option);

// The option with the value as one word of a command line: "--root=x"; a switch has no value.
std::string argument_of(const Option& option, const std::string& text);

// Null if no option has that name.
const Option* find_option(const std::vector<Option>& options, std::string_view name);
// The option with which the argument begins: "--root", "--root=x", "-l", "-lx". Null if there is none.
const Option* find_typed(const std::vector<Option>& options, const std::string& argument);

}  // namespace cli
