// Reads the images of a task for an agent's program.
#pragma once

#include "agent_driver/images.hpp"
#include "agent_driver/settings.hpp"
#include "base/error.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agents {

// What providers take, of one image and of all in one message.
inline constexpr std::size_t most_images = 20;
inline constexpr std::size_t largest_image = 5'000'000;    // bytes
inline constexpr std::size_t largest_images = 20'000'000;  // bytes

// `paths` are relative to the settings' directory. Only regular files are opened, and, unless the permissions
// are full, only those that lie in that directory, wherever links lead. The error names the path and the
// reason.
base::Result<agent_driver::Images> read_images(const agent_driver::Settings& settings,
                                               const std::vector<std::string>& paths);

// The images that the content of a task names.
base::Result<agent_driver::Images> task_images(const agent_driver::Settings& settings,
                                               std::string_view content);

}  // namespace agents
