// Parses JSONC text to a WorkflowConfig. All problems are found in one pass; the first hundred are reported,
// each with its position.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace config {

// Used in place of a file name if the text was given on the command line.
inline constexpr std::string_view inline_name = "<inline>";

enum class Severity { error, warning };

// One problem. `message` says what is wrong and what was expected, without the position.
struct Problem {
    std::string file;      // as the user named it; "<inline>" for text from the command line
    std::size_t line = 0;  // 0: the whole file
    std::size_t column = 0;
    std::string message;
    std::string excerpt =
        {};  // the line with a caret below it (json/source_excerpt.hpp); empty without a line
    Severity severity = Severity::error;
};

// "file:line:col: error: message", or "file: error: message"
std::string to_string(const Problem& problem);

// The text of to_string(), followed by the excerpt.
std::string with_excerpt(const Problem& problem);

// The problems of a text. If there are very many, only the first ones are kept.
struct Problems {
    std::vector<Problem> shown = {};  // in the order of the text
    std::size_t omitted = 0;          // the number of problems that are not in `shown`

    std::size_t count() const { return shown.size() + omitted; }
};

// "… and 7 more errors"; "" if none is omitted.
std::string omitted(const Problems& problems);

// All of them, each after a newline and with its excerpt.
std::string problem_text(const Problems& problems);

// A config, or at least one problem.
struct LoadResult {
    std::optional<WorkflowConfig> config;
    Problems problems;
    std::string name = {};  // of the text, as in the problems
    std::string text = {};  // the text of the config; only set by load()
};

// Whether a run is to begin with the config, or has begun with it: then it was valid for the version that
// began the run.
enum class Use { begins, has_begun };

// Parses and checks `text`. Links are relative to `directory` (absolute), which becomes the directory of the
// config.
LoadResult load_text(std::string_view text, std::string name, std::string directory, Use use = Use::begins);

// Whether an argument of --config is the config itself, and not a path.
bool is_text(std::string_view argument);

// `argument` of --config: the path of a file, pipe or character device, or the config itself if its first
// character after white space is '{' (or begins a comment). The directory is that of a regular file; for all
// others, and for /dev/stdin and /dev/fd/N, it is the current directory.
LoadResult load(const std::string& argument);

}  // namespace config
