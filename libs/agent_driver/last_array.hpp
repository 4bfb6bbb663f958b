// Finds the response in what a model said. Pure; takes time proportional to the text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace agent_driver {

// The last array of tasks in `text`, as a part of it: an array that begins with an object, in prose, in a
// code fence or alone; or an empty one, "[]", if there is no other. Arrays within other values do not count,
// but one that is the member "tasks" of an object does. Nothing if something else that begins like a task or
// like such an array comes last, for example an array that is cut off or is not valid JSON: what stands
// before it may be an example and not the answer.
std::optional<std::string_view> last_array(std::string_view text);

// last_array(), or the whole text if there is none.
std::string answer_text(std::string_view words);

}  // namespace agent_driver
