#include "run_tools/words.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace run_tools {

namespace {

using Words = std::pair<std::string_view, std::string_view>;

// An option comes before any with which its name begins.
constexpr std::array options{
    Words{"--entrypoint-value", "`entrypoint_value`"},
    Words{"--initial-state", "`initial_state`"},
    Words{"--budget-usd", "`budget_usd`"},
    Words{"--max-tasks", "`max_tasks`"},
    Words{"--response", "`response`"},
    Words{"--reject", "`reject`"},
    Words{"--agent", "`agents`"},
    Words{"--reuse", "`reuse`"},
    Words{"--jobs", "`jobs`"},
    Words{"--name", "`name`"},
    Words{"--pool", "`pool`"},
    Words{"--step", "`step`"},
    Words{"--task", "`tasks`"},
};
constexpr std::array phrases{
    Words{"`barnum ps -a`", "list_runs"},
    Words{"`barnum todo`", "run_status"},
    Words{"there is neither a run nor a file ", "there is no run "},
    Words{" takes JSON (in quotes, so that the shell leaves it whole) or the path of a file",
          " must be JSON"},
    Words{", or set program to its path", "; the config can name its program"},
};

bool is_part_of_word(char c) {
    return c == '-' || c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// With `whole`, replaces whole words only: "--agent" is not in "--agent-exec".
void replace(std::string& text, const Words& words, bool whole) {
    const auto& [from, to] = words;
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
        std::size_t end = at + from.size();
        bool is_inside = whole && ((at > 0 && is_part_of_word(text[at - 1])) ||
                                   (end < text.size() && is_part_of_word(text[end])));
        if (!is_inside) text.replace(at, from.size(), to);
        at += is_inside ? from.size() : to.size();
    }
}

}  // namespace

std::string in_tool_words(std::string_view message) {
    std::string text(message);
    for (const Words& words : options)
        replace(text, words, true);
    for (const Words& words : phrases)
        replace(text, words, false);
    return text;
}

}  // namespace run_tools
