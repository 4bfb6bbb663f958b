// From JSONC text to a WorkflowConfig. Every mistake in the text is found in one pass; the first
// hundred are reported, each with its place.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace config {

// What stands for a file's name where the text was given on the command line.
inline constexpr std::string_view inline_name = "<inline>";

enum class Severity { error, warning };

// One mistake. `message` says what is wrong and what was expected, without the place.
struct Problem {
    std::string file;      // as the user named it; "<inline>" for text given on the command line
    std::size_t line = 0;  // 0: the file as a whole
    std::size_t column = 0;
    std::string message;
    std::string excerpt =
        {};  // the line with a caret below it (json/source_excerpt.hpp); empty without a line
    Severity severity = Severity::error;
};

// "file:line:col: error: message", or "file: error: message"
std::string to_string(const Problem& problem);

// The same and, below it, the excerpt.
std::string with_excerpt(const Problem& problem);

// The mistakes of a text, of which only the first are told where there are too many to read.
struct Problems {
    std::vector<Problem> shown = {};  // in the order of the text
    std::size_t omitted = 0;          // how many more there are; 0 if none is told

    std::size_t count() const { return shown.size() + omitted; }
};

// "… and 7 more errors"; "" if all are told.
std::string omitted(const Problems& problems);

// A config, or all that is wrong with it (at least one problem).
struct LoadResult {
    std::optional<WorkflowConfig> config;
    Problems problems;
    std::string name = {};  // of the text, as in the problems
    std::string text = {};  // what the config was read from; only load() keeps it
};

// Parses and checks `text`. Links are read relative to `directory` (absolute), which becomes the config's.
LoadResult load_text(std::string_view text, std::string name, std::string directory);

// `argument` of --config: the path of a file, pipe or character device or, when its first character past
// white space is '{', the config itself (or a comment before it). The directory is that of a regular file;
// without one, and for /dev/stdin and /dev/fd/N whatever they are, the working directory.
LoadResult load(const std::string& argument);

}  // namespace config
