#include "http/address.hpp"

#include "base/text.hpp"

#include <charconv>
#include <optional>

namespace http {

namespace asio = boost::asio;

namespace {

std::optional<asio::ip::address> parse_ip(std::string_view host) {
    if (host == "localhost") return asio::ip::address_v4::loopback();
    bool is_bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
    boost::system::error_code ec;
    asio::ip::address address =
        is_bracketed ? asio::ip::address(asio::ip::make_address_v6(host.substr(1, host.size() - 2), ec))
                     : asio::ip::address(asio::ip::make_address_v4(host, ec));
    if (ec) return std::nullopt;
    return address;
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
    std::uint16_t port = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return port;
}

// Where the colon before the port is; npos if there is no port.
std::size_t port_separator(std::string_view text) {
    std::size_t colon = text.rfind(':');
    bool is_in_brackets = text.ends_with(']');
    return is_in_brackets ? std::string_view::npos : colon;
}

}  // namespace

base::Result<Address> parse_address(std::string_view text) {
    std::size_t colon = port_separator(text);
    if (colon != std::string_view::npos) {
        auto ip = parse_ip(text.substr(0, colon));
        auto port = parse_port(text.substr(colon + 1));
        if (ip && port) return Address(*ip, *port);
    }
    return base::invalid(base::concat("'", text,
                                      "' is not an address to listen on: write an IP address and a port, for "
                                      "example 127.0.0.1:7420 or [::1]:7420"));
}

std::string address_text(const Address& address) {
    std::string host = address.address().to_string();
    if (address.address().is_v6()) host = base::concat("[", host, "]");
    return base::concat(host, ":", address.port());
}

std::optional<Host> parse_host(std::string_view field) {
    std::size_t colon = port_separator(field);
    if (colon != std::string_view::npos && !parse_port(field.substr(colon + 1))) return std::nullopt;
    std::string_view name = field.substr(0, colon);
    auto ip = parse_ip(name);
    if (!ip && (name.empty() || name.find_first_of(":[]") != std::string_view::npos)) return std::nullopt;
    return Host{std::string(name), ip};
}

bool is_own_host(std::string_view host) {
    if (host.empty()) return true;
    auto parsed = parse_host(host);
    return parsed && parsed->ip;
}

}  // namespace http
