// Name look-ups for programs without shared libraries, in place of glibc's own. Those load modules as
// /etc/nsswitch.conf says, which goes wrong in a static program unless the machine has the very glibc that it
// was linked with. Users and groups are looked up in their files alone; one that only a directory service
// knows is shown by its number. Of host names there is no need: Asio's resolver is linked but not used.
#include <cstdio>
#include <grp.h>
#include <memory>
#include <netdb.h>
#include <pwd.h>

namespace {

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

// The entry stays valid until the next call, which is as long as getpwuid and getgrgid promise.
template<class Read, class Matches>
auto find_entry(const char* path, Read read, Matches matches) -> decltype(read(nullptr)) {
    std::unique_ptr<std::FILE, Close> file(std::fopen(path, "re"));
    if (!file) return nullptr;
    while (auto* entry = read(file.get()))
        if (matches(*entry)) return entry;
    return nullptr;
}

}  // namespace

extern "C" {

passwd* getpwuid(uid_t uid) {
    return find_entry("/etc/passwd", ::fgetpwent, [uid](const passwd& entry) { return entry.pw_uid == uid; });
}

group* getgrgid(gid_t gid) {
    return find_entry("/etc/group", ::fgetgrent, [gid](const group& entry) { return entry.gr_gid == gid; });
}

int getaddrinfo(const char*, const char*, const addrinfo*, addrinfo**) {
    return EAI_FAIL;
}

void freeaddrinfo(addrinfo*) noexcept {}

int getnameinfo(const sockaddr*, socklen_t, char*, socklen_t, char*, socklen_t, int) {
    return EAI_FAIL;
}

}  // extern "C"
