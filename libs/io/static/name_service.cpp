// Name look-ups for static programs, in place of those of glibc. glibc's load modules according to
// /etc/nsswitch.conf, which fails in a static program unless the machine has exactly the glibc that it was
// linked with. Users and groups are looked up in /etc/passwd and /etc/group only; others are shown by number.
// Host names are not found: who gives one to a static program is told to give its IP address instead. The
// resolvers of Asio and OpenSSL are linked but not used.
#include <cstdio>
#include <grp.h>
#include <memory>
#include <netdb.h>
#include <pwd.h>

namespace {

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

// The entry is valid until the next call, as for getpwuid and getgrgid.
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

hostent* gethostbyname(const char*) {
    return nullptr;
}

int getnameinfo(const sockaddr*, socklen_t, char*, socklen_t, char*, socklen_t, int) {
    return EAI_FAIL;
}

}  // extern "C"
