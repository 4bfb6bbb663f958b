#include "agent_driver/activity.hpp"

#include "agent_driver/fields.hpp"
#include "base/text.hpp"
#include "base/text_parts.hpp"

#include <algorithm>

namespace agent_driver {

namespace {

constexpr std::size_t longest = 120;  // bytes

std::string shortened(const std::string& text) {
    return text.size() <= longest ? text : base::concat(base::cut_to(text, longest), "…");
}

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

}  // namespace

std::string activity_text(std::string_view verb, std::string_view object, std::string_view directory) {
    std::string inside = base::concat(directory, "/");
    if (object.starts_with(inside)) object.remove_prefix(inside.size());
    return base::concat(verb, object.empty() ? "" : " ", object);
}

std::string activity_line(std::string text) {
    std::ranges::replace_if(text, is_control, ' ');
    return shortened(text);
}

std::string tool_text(std::string_view tool, json::View input, std::string_view directory) {
    for (std::string_view name :
         {"file_path", "notebook_path", "path", "command", "pattern", "query", "url", "description"})
        if (std::string object = string_at(input, {name}); !object.empty())
            return activity_text(tool, object, directory);
    return activity_text(tool, "", directory);
}

}  // namespace agent_driver
