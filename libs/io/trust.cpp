#include "io/trust.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <grp.h>
#include <linux/magic.h>
#include <pwd.h>
#include <string_view>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace io {

namespace {

constexpr uid_t overflow_uid = 65534;  // the uid shown for owners that are unknown in the user namespace

base::Error not_safe(std::string message) {
    return {boost::system::errc::make_error_code(boost::system::errc::permission_denied), std::move(message)};
}

std::string octal(mode_t mode) {
    std::string digits;
    for (int shift = 9; shift >= 0; shift -= 3)
        digits.push_back(static_cast<char>('0' + ((mode >> shift) & 7)));
    return digits;
}

// In a user namespace without root, as in sandboxes, files of root seem to belong to the overflow uid.
bool root_is_unmapped() {
    static const bool unmapped = [] {
        std::ifstream map("/proc/self/uid_map");
        std::string inside, outside, count;
        bool known = false;
        while (map >> inside >> outside >> count) {
            if (inside == "0") return false;
            known = true;
        }
        return known;
    }();
    return unmapped;
}

bool is_trusted(uid_t uid) {
    return uid == 0 || uid == own_uid() || (uid == overflow_uid && root_is_unmapped());
}

bool has_access_list(int fd) {
    std::string link =
        base::concat("/proc/self/fd/", fd);  // through /proc, because the descriptor may not be readable
    return ::getxattr(link.c_str(), "system.posix_acl_access", nullptr, 0) > 0;
}

// On systems where each user has a private group, the usual umask is 002, and directories are group-writable.
bool is_private_group(gid_t gid) {
    const passwd* user = ::getpwuid(own_uid());
    if (user == nullptr || user->pw_gid != gid) return false;
    std::string name = user->pw_name;
    const group* entry = ::getgrgid(gid);
    if (entry == nullptr || name != entry->gr_name) return false;
    for (char** member = entry->gr_mem; *member != nullptr; ++member)
        if (name != *member) return false;
    return true;
}

bool others_may_write(int fd, const struct stat& status) {
    if ((status.st_mode & S_IWOTH) != 0) return true;
    return (status.st_mode & S_IWGRP) != 0 && (!is_private_group(status.st_gid) || has_access_list(fd));
}

bool is_of_the_kernel(int fd) {
    struct statfs system {};
    if (::fstatfs(fd, &system) != 0) return false;
    constexpr std::array kinds{PROC_SUPER_MAGIC,   SYSFS_MAGIC,         DEBUGFS_MAGIC,   TRACEFS_MAGIC,
                               CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, SECURITYFS_MAGIC};
    return std::find(kinds.begin(), kinds.end(), system.f_type) != kinds.end();
}

// The trusted users, for messages: "alice or root".
std::string trusted_names() {
    return own_uid() == 0 ? user_name(0) : user_name(own_uid()) + " or root";
}

}  // namespace

base::Error not_permitted(std::string message) {
    return {boost::system::errc::make_error_code(boost::system::errc::operation_not_permitted),
            std::move(message)};
}

uid_t own_uid() {
    static const uid_t uid = ::geteuid();
    return uid;
}

std::string user_name(uid_t uid) {
    const passwd* entry = ::getpwuid(uid);
    return entry != nullptr ? std::string(entry->pw_name) : base::concat("uid ", uid);
}

base::Result<void> check_own_directory(int fd, const std::string& path, std::string_view advice) {
    struct stat status {};
    if (::fstat(fd, &status) != 0) return base::system_error(base::concat("cannot examine ", path));
    if (status.st_uid != own_uid())
        return not_safe(base::concat(path, " belongs to ", user_name(status.st_uid), ", not to ",
                                     user_name(own_uid()), "; ", advice));
    if (others_may_write(fd, status))
        return not_safe(base::concat(
            path, " can be written to by other users (its mode is ", octal(status.st_mode),
            "), so its content cannot be trusted; check it and run `chmod go-w` on it, or ", advice));
    return {};
}

base::Result<void> check_directory_on_the_way(int fd, const std::string& path, const std::string& goal,
                                              std::string_view advice) {
    struct stat status {};
    if (::fstat(fd, &status) != 0) return base::system_error(base::concat("cannot examine ", path));
    if (!is_trusted(status.st_uid))
        return not_safe(base::concat(path, " belongs to ", user_name(status.st_uid), ", not to ",
                                     trusted_names(), ", so another user can replace ", goal, "; ", advice));
    if ((status.st_mode & S_ISVTX) == 0 && others_may_write(fd, status))
        return not_safe(
            base::concat(path, " can be written to by other users and is not sticky (its mode is ",
                         octal(status.st_mode), "), so another user can replace ", goal, "; ", advice));
    return {};
}

base::Result<void> check_content(int fd, const std::string& path, std::string_view advice) {
    struct stat status {};
    if (::fstat(fd, &status) != 0) return base::system_error(base::concat("cannot examine ", path));
    if (!is_trusted(status.st_uid))
        return not_safe(base::concat(path, " belongs to ", user_name(status.st_uid), ", not to ",
                                     trusted_names(), ", so its content cannot be trusted; ", advice));
    if (others_may_write(fd, status))
        return not_safe(base::concat(
            path, " can be written to by other users (its mode is ", octal(status.st_mode),
            "), so its content cannot be trusted; check it and run `chmod go-w` on it, or ", advice));
    return {};
}

bool is_own_file(const struct stat& status) {
    return S_ISREG(status.st_mode) && status.st_uid == own_uid() && status.st_nlink <= 1;
}

base::Error not_own_file(const struct stat& status, const std::string& path) {
    if (!S_ISREG(status.st_mode)) return not_permitted(base::concat(path, " is not a regular file"));
    if (status.st_uid != own_uid())
        return not_permitted(
            base::concat(path, " belongs to ", user_name(status.st_uid), ", not to ", user_name(own_uid())));
    return not_permitted(base::concat(path, " has another name (it is a hard link)"));
}

base::Result<void> check_file_of_the_disk(int fd, const struct stat& status, const std::string& path) {
    if (!S_ISREG(status.st_mode)) return not_permitted(base::concat(path, " is not a regular file"));
    if (is_of_the_kernel(fd))
        return not_permitted(base::concat(path, " is a part of the kernel, not a file"));
    return {};
}

base::Result<void> check_trusted_owner(const struct stat& status, const std::string& path) {
    if (is_trusted(status.st_uid)) return {};
    return not_permitted(
        base::concat(path, " belongs to ", user_name(status.st_uid), ", not to ", trusted_names()));
}

}  // namespace io
