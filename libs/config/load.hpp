// From JSONC text to a WorkflowConfig. Every mistake in the text is reported in one pass (R20), each with its
// place.
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
    std::string excerpt = {};  // the line with a caret below it (base/excerpt.hpp); empty without a line
    Severity severity = Severity::error;
};

// "file:line:col: error: message", or "file: error: message"
std::string to_string(const Problem& problem);

// The same and, below it, the excerpt.
std::string with_excerpt(const Problem& problem);

// A config, or all that is wrong with it (at least one problem, in the order of the text).
struct LoadResult {
    std::optional<WorkflowConfig> config;
    std::vector<Problem> problems;
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
