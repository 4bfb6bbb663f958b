#include "io/as_user.hpp"

#include <optional>
#include <sys/stat.h>

namespace io {

namespace {

constexpr mode_t for_owner = 077;

// The kernel tells it only when another one is set.
mode_t umask_at_start() {
    mode_t mask = ::umask(for_owner);
    ::umask(mask);
    return mask;
}

// Nothing if the limit stays as it is.
std::optional<rlim_t>& open_files_of_user() {
    static std::optional<rlim_t> limit;
    return limit;
}

// Descriptors that are open stay so, whatever the limit. Returns the limit before.
rlim_t set_open_files(rlim_t wanted) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = wanted;
    return ::setrlimit(RLIMIT_NOFILE, &limit) == 0 ? before : wanted;
}

}  // namespace

void take_over_limits() {
    user_umask();
    ::umask(for_owner);
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max)
        open_files_of_user() = set_open_files(limit.rlim_max);
}

mode_t user_umask() {
    static const mode_t mask = umask_at_start();
    return mask;
}

AsUser::AsUser()
    : umask_(::umask(user_umask())),
      open_files_(open_files_of_user() ? set_open_files(*open_files_of_user()) : 0) {}

AsUser::~AsUser() {
    ::umask(umask_);
    if (open_files_of_user()) set_open_files(open_files_);
}

}  // namespace io
