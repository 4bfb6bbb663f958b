#include "io/lock_holders.hpp"

#include "base/text.hpp"
#include "io/unique_fd.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <sys/sysmacros.h>

namespace io {

namespace {

// On btrfs, stat(2) returns the device of the subvolume, but /proc/locks contains that of the mounted file
// system.
dev_t device_of_locks(int fd, dev_t otherwise) {
    std::ifstream info(base::concat("/proc/self/fdinfo/", fd));
    std::string word;
    std::string mount;
    while (mount.empty() && info >> word)
        if (word == "mnt_id:") info >> mount;
    std::ifstream mounts("/proc/self/mountinfo");
    for (std::string line; std::getline(mounts, line);) {
        unsigned major_number = 0;
        unsigned minor_number = 0;
        std::string parent;
        std::string id;
        char colon = 0;
        std::istringstream fields(line);
        if (fields >> id >> parent >> major_number >> colon >> minor_number && id == mount)
            return ::makedev(major_number, minor_number);
    }
    return otherwise;
}

// The file's identification as in /proc/locks.
std::string place_in_locks(int fd, const struct stat& file) {
    dev_t device = device_of_locks(fd, file.st_dev);
    char text[64];
    std::snprintf(text, sizeof text, "%02x:%02x:%llu", ::major(device), ::minor(device),
                  static_cast<unsigned long long>(file.st_ino));
    return text;
}

// Parses "1: FLOCK  ADVISORY  WRITE 4711 fe:00:131074 0 EOF"; a process that waits for a lock has "->" before
// the kind.
std::vector<int> takers(const std::string& place) {
    std::vector<int> found;
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
        std::string number;
        std::string kind;
        std::string mode;
        std::string access;
        std::string where;
        int pid = 0;
        std::istringstream fields(line);
        if (fields >> number >> kind >> mode >> access >> pid >> where && kind == "FLOCK" && pid > 0 &&
            where == place)
            found.push_back(pid);
    }
    return found;
}

bool is_alive(int pid) {
    std::ifstream file(base::concat("/proc/", pid, "/stat"));
    std::string line;
    if (!std::getline(file, line)) return false;
    std::size_t name_end = line.rfind(')');  // the name may contain any character
    if (name_end == std::string::npos || name_end + 2 >= line.size()) return false;
    char state = line[name_end + 2];
    return state != 'Z' && state != 'X';
}

// The pid may belong to another process since the lock was taken. For a process of another user, whose files
// are not visible, the answer is yes.
bool has_open(int pid, const struct stat& file) {
    std::unique_ptr<DIR, int (*)(DIR*)> open_files(::opendir(base::concat("/proc/", pid, "/fd").c_str()),
                                                   ::closedir);
    if (!open_files) return errno == EACCES || errno == EPERM;
    while (const dirent* entry = ::readdir(open_files.get())) {
        struct stat status {};
        if (::fstatat(::dirfd(open_files.get()), entry->d_name, &status, 0) == 0 &&
            status.st_dev == file.st_dev && status.st_ino == file.st_ino)
            return true;
    }
    return false;
}

}  // namespace

std::vector<int> lock_holders(int fd) {
    struct stat file {};
    if (::fstat(fd, &file) != 0) return {};
    std::vector<int> holders = takers(place_in_locks(fd, file));
    std::sort(holders.begin(), holders.end());
    holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
    std::erase_if(holders, [&](int pid) { return !is_alive(pid) || !has_open(pid, file); });
    return holders;
}

}  // namespace io
