// Whose a directory or a file is, and who else could change it: what is to be known before it is relied on.
// Looks only; changes nothing. Errors name the owner or the mode, and the way out.
#pragma once

#include "base/error.hpp"

#include <string>
#include <sys/stat.h>

namespace io {

// The effective uid, asked for once.
uid_t own_uid();
// "alice", or "uid 1234" for one without a name.
std::string user_name(uid_t uid);

// Whether only we can change what is in the open directory: it is ours, and nobody else may write to it. A
// group may, if it is our private one. errc::permission_denied if not.
base::Result<void> check_own_directory(int fd, const std::string& path);

// Whether nobody but us and root can put something else in the place of what lies below the open directory,
// which is on the way to `goal`: it is ours or root's, and where others may write to it, it is sticky.
// errc::permission_denied if not.
base::Result<void> check_directory_on_the_way(int fd, const std::string& path, const std::string& goal);

// Whether it is a regular file of ours under this one name; a hard link may be to a file that is to stay as
// it is, or unread.
bool is_own_file(const struct stat& status);
// What it is instead: errc::operation_not_permitted.
base::Error not_own_file(const struct stat& status, const std::string& path);

// Whether it is a regular file of the disk, and not a part of the kernel that looks like one (/proc, /sys):
// those have no end, or do something when they are read. errc::operation_not_permitted if not.
base::Result<void> check_file_of_the_disk(int fd, const struct stat& status, const std::string& path);

// Whether it is ours or root's. errc::operation_not_permitted if not.
base::Result<void> check_trusted_owner(const struct stat& status, const std::string& path);

}  // namespace io
