#include "base/state_home.hpp"

#include <cstdlib>
#include <pwd.h>
#include <unistd.h>

namespace base {

std::string home_directory() {
    const char* home = std::getenv("HOME");
    if (!home || !*home) {
        const passwd* user = ::getpwuid(::geteuid());
        home = user ? user->pw_dir : "";
    }
    return *home == '/' ? home : "";
}

std::string state_home() {
    const char* state = std::getenv("XDG_STATE_HOME");
    if (state && *state == '/') return state;
    std::string home = home_directory();
    return home.empty() ? "" : home + "/.local/state";
}

}  // namespace base
