#include "load_files.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <unistd.h>

namespace load {

void die(std::string_view message) {
    std::fprintf(stderr, "the load: %.*s\n", static_cast<int>(message.size()), message.data());
    std::exit(1);
}

void die_errno(std::string_view what) {
    die(std::string(what) + ": " + std::strerror(errno));
}

std::string fresh_uuid() {
    static std::mt19937_64 random{(std::uint64_t{std::random_device{}()} << 32) ^ std::random_device{}()};
    char text[37];
    auto high = random();
    auto low = random();
    std::snprintf(text, sizeof text, "%08x-%04x-4%03x-%04x-%012llx", static_cast<unsigned>(high >> 32),
                  static_cast<unsigned>((high >> 16) & 0xffff), static_cast<unsigned>(high & 0xfff),
                  static_cast<unsigned>(0x8000 | ((low >> 48) & 0x3fff)),
                  static_cast<unsigned long long>(low & 0xffffffffffff));
    return text;
}

std::string read_file(const std::string& path) {
    int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return {};
    std::string text;
    char buffer[4096];
    ssize_t got = 0;
    while ((got = ::read(fd, buffer, sizeof buffer)) > 0)
        text.append(buffer, static_cast<std::size_t>(got));
    ::close(fd);
    return text;
}

void write_file(const std::string& path, std::string_view text) {
    int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) die_errno("cannot create " + path);
    if (::write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
        die_errno("cannot write " + path);
    }
    ::close(fd);
}

std::string_view number_after(std::string_view text, std::string_view key) {
    auto at = text.find(key);
    if (at == std::string_view::npos) return {};
    text.remove_prefix(at + key.size());
    return text.substr(0, text.find_first_not_of("0123456789"));
}

}  // namespace load
