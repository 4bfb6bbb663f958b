#include "io/name_lookup.hpp"

#include "base/text.hpp"
#include "io/thread.hpp"
#include "io/unique_fd.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <atomic>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <netdb.h>
#include <sys/eventfd.h>

namespace io {

namespace asio = boost::asio;
using asio::ip::tcp;
using Endpoints = std::vector<tcp::endpoint>;

namespace {

// Shared by the thread and the coroutine, of which either may end first.
struct Lookup {
    std::string host;
    UniqueFd done;  // an eventfd
    std::vector<asio::ip::address> addresses;
    int problem = 0;
    std::atomic<bool> is_done = false;
};

void add_address(const addrinfo& entry, std::vector<asio::ip::address>& addresses) {
    tcp::endpoint endpoint;
    if (entry.ai_addrlen > endpoint.capacity()) return;
    std::memcpy(endpoint.data(), entry.ai_addr, entry.ai_addrlen);
    endpoint.resize(entry.ai_addrlen);
    addresses.push_back(endpoint.address());
}

void look_up_in_thread(Lookup& lookup) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_ADDRCONFIG;
    addrinfo* found = nullptr;
    lookup.problem = ::getaddrinfo(lookup.host.c_str(), nullptr, &hints, &found);
    for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next)
        add_address(*entry, lookup.addresses);
    if (found != nullptr) ::freeaddrinfo(found);
    lookup.is_done = true;
    ::eventfd_write(lookup.done.get(), 1);
}

std::vector<asio::ip::address> known_addresses(const std::string& host) {
    if (host == "localhost") return {asio::ip::address_v4::loopback(), asio::ip::address_v6::loopback()};
    boost::system::error_code not_an_address;
    auto address = asio::ip::make_address(host, not_an_address);
    if (not_an_address) return {};
    return {address};
}

base::Error not_found(const Lookup& lookup) {
    return {boost::system::errc::make_error_code(boost::system::errc::host_unreachable),
            base::concat("cannot find the host ", lookup.host, ": ",
                         lookup.problem != 0 ? ::gai_strerror(lookup.problem) : "it has no address",
                         "; check its name, or give its IP address")};
}

}  // namespace

asio::awaitable<base::Result<Endpoints>> look_up(std::string host, std::uint16_t port) {
    std::vector<asio::ip::address> addresses = known_addresses(host);
    if (addresses.empty()) {
        auto lookup = std::make_shared<Lookup>();
        lookup->host = std::move(host);
        lookup->done = UniqueFd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
        int own = ::fcntl(lookup->done.get(), F_DUPFD_CLOEXEC, 3);
        if (own < 0) co_return base::system_error("cannot look up a host");
        auto executor = co_await asio::this_coro::executor;
        asio::posix::stream_descriptor done(executor, own);
        thread_without_signals([lookup] { look_up_in_thread(*lookup); }).detach();
        co_await done.async_wait(asio::posix::stream_descriptor::wait_read, asio::use_awaitable);
        if (!lookup->is_done || lookup->addresses.empty()) co_return not_found(*lookup);
        addresses = std::move(lookup->addresses);
    }
    Endpoints endpoints;
    for (const auto& address : addresses)
        endpoints.emplace_back(address, port);
    co_return endpoints;
}

}  // namespace io
