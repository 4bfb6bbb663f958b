#include "base/utc_text.hpp"

#include <array>
#include <ctime>

namespace base {

std::string utc_text(std::chrono::sys_seconds time) {
    std::time_t seconds = time.time_since_epoch().count();
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    std::array<char, 32> text{};
    std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text.data(), length};
}

}  // namespace base
