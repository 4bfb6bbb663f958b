#include "agent_driver/prompt.hpp"

#include "base/character.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace agent_driver {

namespace {

constexpr std::string_view wrapped_note =
    "\n\nYour answer has to be a JSON object. Put the array of tasks into its member \"tasks\".";

constexpr std::string_view project_note =
    "\n\nThe directory in which you work has instructions of its own. They do not change what your answer "
    "has "
    "to be.";

bool may_begin_a_name(char c) {
    return base::is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' ||
           c == ':' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::string instructions_text(const Prompt& prompt, bool wrapped) {
    return base::concat("Instructions for this task:\n\n", prompt.common,
                        prompt.project.empty() ? "" : project_note, prompt.project,
                        wrapped ? wrapped_note : "");
}

std::string value_text(std::string_view value, const Images& images) {
    return base::concat("The value of this task, as JSON:\n\n", value, images_note(images));
}

std::string go_on_text() {
    return "This task was interrupted, because a limit of your provider was reached. Go on with it where you "
           "were, and give the answer that the instructions ask for.";
}

bool is_conversation_id(std::string_view id) {
    constexpr std::size_t longest = 100;
    return !id.empty() && id.size() <= longest && id.front() != '-' &&
           std::ranges::all_of(id, [](char c) { return base::is_digit(c) || may_begin_a_name(c); });
}

std::string repair_text(std::string_view errors) {
    return base::concat("Your answer is not valid:\n\n", errors,
                        "\n\nGive the whole answer again, corrected, and nothing else.");
}

std::string without_skill_names(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        bool escaped = text[at] == '$' && at + 1 < text.size() && may_begin_a_name(text[at + 1]);
        base::append_piece(out, escaped ? std::string_view("\\u0024") : text.substr(at, 1));
    }
    return out;
}

}  // namespace agent_driver
