#include "runs/user_name.hpp"

#include <pwd.h>
#include <unistd.h>

namespace runs {

std::string user_name() {
    const passwd* user = ::getpwuid(::geteuid());
    return user ? user->pw_name : std::to_string(::geteuid());
}

}  // namespace runs
