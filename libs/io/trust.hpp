// Checks who owns a directory or file and who could change it, before it is trusted. Changes nothing. The
// errors contain the owner or the mode, and what to do.
#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>
#include <sys/stat.h>

namespace io {

// What a user may do who is refused a directory: the last clause of the message.
inline constexpr std::string_view choose_root = "choose another directory with --root or TROUPE_ROOT";
inline constexpr std::string_view choose_state_home = "choose another directory with XDG_STATE_HOME";

// The effective uid, read once.
uid_t own_uid();
// "alice", or "uid 1234" for a user without a name.
std::string user_name(uid_t uid);

// Checks that only this user can change the open directory: it belongs to the user, and no other user may
// write to it. Group write permission is allowed for the user's private group. Otherwise
// errc::permission_denied.
base::Result<void> check_own_directory(int fd, const std::string& path,
                                       std::string_view advice = choose_root);

// Checks that only this user and root can replace what is below the open directory, which is a component of
// the path `goal`: it belongs to the user or root, and is sticky if others may write to it. Otherwise
// errc::permission_denied.
base::Result<void> check_directory_on_the_way(int fd, const std::string& path, const std::string& goal,
                                              std::string_view advice = choose_root);

// Checks that only this user and root can have written what is in the open file: it belongs to one of them,
// and no other user may write to it. Otherwise errc::permission_denied.
base::Result<void> check_content(int fd, const std::string& path, std::string_view advice);

// An error with errc::operation_not_permitted.
base::Error not_permitted(std::string message);

// Whether it is a regular file of this user without further hard links. A hard link may refer to a file that
// must not be changed or read.
bool is_own_file(const struct stat& status);
// Says why it is not: errc::operation_not_permitted.
base::Error not_own_file(const struct stat& status, const std::string& path);

// Checks that it is a regular file on a disk, and not a file of the kernel (/proc, /sys), which may have no
// end or may have an effect when it is read. Otherwise errc::operation_not_permitted.
base::Result<void> check_file_of_the_disk(int fd, const struct stat& status, const std::string& path);

// Checks that it belongs to this user or root. Otherwise errc::operation_not_permitted.
base::Result<void> check_trusted_owner(const struct stat& status, const std::string& path);

}  // namespace io
