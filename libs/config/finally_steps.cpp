#include "config/finally_steps.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace config {

namespace {

constexpr std::string_view word = "kind";

bool is_name_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

void skip(std::string_view& text, std::string_view bytes) {
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(bytes)));
}

// The quoted string after `"kind":`; `text` begins after the word `kind`. "" if there is none.
std::string_view quoted_kind(std::string_view text) {
    skip(text, "\\\"'");
    skip(text, " \t");
    if (text.empty() || (text.front() != ':' && text.front() != '=')) return "";
    text.remove_prefix(1);
    skip(text, " \t");
    while (text.starts_with('\\'))
        text.remove_prefix(1);
    if (text.empty() || (text.front() != '"' && text.front() != '\'')) return "";
    char quote = text.front();
    text.remove_prefix(1);
    return text.substr(0, text.find_first_of(quote == '"' ? "\"\\\n" : "'\\\n"));
}

std::set<StepId> named_in(std::string_view script, const WorkflowConfig& config) {
    std::set<StepId> found;
    for (std::size_t at = script.find(word); at != std::string_view::npos; at = script.find(word, at + 1)) {
        bool is_whole = (at == 0 || !is_name_byte(script[at - 1])) &&
                        !script.substr(at + word.size()).empty() && !is_name_byte(script[at + word.size()]);
        if (!is_whole) continue;
        if (auto id = config.find(std::string(quoted_kind(script.substr(at + word.size())))))
            found.insert(*id);
    }
    return found;
}

bool is_one_of(char c, std::string_view bytes) {
    return bytes.find(c) != std::string_view::npos;
}

// True for `echo '[]'`, `printf []` and the like, possibly after commands that end with ; or && and whose
// output goes elsewhere.
bool ends_with_nothing(std::string_view script) {
    while (!script.empty() && is_one_of(script.back(), " \t\r\n;"))
        script.remove_suffix(1);
    for (std::string_view printer : {"echo '[]'", "echo \"[]\"", "echo []", "printf '[]'", "printf \"[]\"",
                                     "printf []", "printf '[]\\n'", "printf \"[]\\n\""}) {
        if (!script.ends_with(printer)) continue;
        std::size_t before = script.size() - printer.size();
        return before == 0 || is_one_of(script[before - 1], " \t\n;&");
    }
    return false;
}

}  // namespace

FinallySteps finally_steps(const WorkflowConfig& config, const Step& step) {
    if (step.gather) return {{step.gather->into}, false};
    if (!step.finally) return {};
    auto named = named_in(step.finally->script, config);
    bool is_open = named.empty() && !ends_with_nothing(step.finally->script);
    return {{named.begin(), named.end()}, is_open};
}

}  // namespace config
