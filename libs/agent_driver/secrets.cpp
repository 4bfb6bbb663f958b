#include "agent_driver/driver.hpp"

#include <algorithm>
#include <iterator>

namespace agent_driver {

std::vector<std::string> foreign_secrets(const Surroundings& surroundings,
                                         std::span<const std::string_view> own_beginnings) {
    std::vector<std::string> out;
    std::ranges::remove_copy_if(surroundings.secrets, std::back_inserter(out), [&](const std::string& name) {
        return std::ranges::any_of(own_beginnings,
                                   [&](std::string_view beginning) { return name.starts_with(beginning); });
    });
    return out;
}

}  // namespace agent_driver
