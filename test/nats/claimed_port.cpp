#include "claimed_port.hpp"

#include "io_helper.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <netinet/in.h>
#include <random>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>

namespace test {

namespace {

// Empty if another test has it.
io::UniqueFd claim(int port) {
    std::string name = "barnum-test-port-" + std::to_string(port);
    sockaddr_un address{AF_UNIX, {}};
    std::memcpy(address.sun_path + 1, name.data(), name.size());  // after a zero: no file
    auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    io::UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    REQUIRE(socket);
    if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), length) != 0) return {};
    return socket;
}

bool is_free(int port) {
    io::UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    int yes = 1;
    ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace

ClaimedPort::ClaimedPort() {
    std::random_device random;
    std::uniform_int_distribution ports(20'000, 31'999);
    while (true) {
        number_ = ports(random);
        claim_ = claim(number_);
        if (claim_ && is_free(number_)) return;
    }
}

}  // namespace test
