#include "nats/server_address.hpp"

#include "base/character.hpp"
#include "base/text.hpp"
#include "base/text_parts.hpp"

#include <algorithm>
#include <charconv>

namespace nats {

namespace {

constexpr std::size_t longest_host = 253;

bool is_host_character(char c) {
    return base::is_alphanumeric(c) || c == '.' || c == '-' || c == '_';
}

bool is_ip_v6_character(char c) {
    return base::is_alphanumeric(c) || c == ':' || c == '.' || c == '%';
}

bool is_host(std::string_view host, bool is_in_brackets) {
    if (host.empty() || host.size() > longest_host) return false;
    return std::all_of(host.begin(), host.end(), is_in_brackets ? is_ip_v6_character : is_host_character);
}

bool is_ip_address(std::string_view host) {
    return host.find(':') != host.npos || host.find_first_not_of("0123456789.") == host.npos;
}

bool read_port(std::string_view text, std::uint16_t& port) {
    auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), port);
    return problem == std::errc() && end == text.data() + text.size() && port > 0;
}

// "HOST", "HOST:PORT", "[IP]", "[IP]:PORT"
bool read_host_and_port(std::string_view text, ServerAddress& address) {
    bool is_in_brackets = text.starts_with('[');
    std::size_t end = is_in_brackets ? text.find(']') : std::min(text.find(':'), text.size());
    if (end == text.npos) return false;
    std::string_view host = text.substr(is_in_brackets ? 1 : 0, is_in_brackets ? end - 1 : end);
    text.remove_prefix(is_in_brackets ? end + 1 : end);
    if (!is_host(host, is_in_brackets)) return false;
    address.host = host;
    if (text.empty()) return true;
    return text.front() == ':' && read_port(text.substr(1), address.port);
}

base::Result<ServerAddress> parse_one(std::string_view text) {
    ServerAddress address;
    std::string_view rest = text;
    if (std::size_t end = text.find("://"); end != text.npos) {
        std::string_view scheme = text.substr(0, end);
        if (scheme != "nats" && scheme != "tls")
            return base::invalid(
                base::concat(text, ": the address of a server begins with nats:// or tls://"));
        address.uses_tls = scheme == "tls";
        rest.remove_prefix(end + 3);
    }
    // What is before the @ is not repeated.
    if (std::size_t at = rest.rfind('@'); at != rest.npos)
        return base::invalid(base::concat(rest.substr(at + 1),
                                          ": an address must not contain a user or a password, which "
                                          "other users of this machine could see there"));
    if (!read_host_and_port(rest, address))
        return base::invalid(base::concat(
            '"', text, "\" is not the address of a server: nats://HOST:PORT or tls://HOST:PORT"));
    address.certificate_name = address.host;
    return address;
}

}  // namespace

base::Result<std::vector<ServerAddress>> parse_server_addresses(std::string_view list) {
    std::vector<ServerAddress> addresses;
    while (true) {
        std::size_t end = list.find(',');
        auto address = parse_one(base::trimmed(list.substr(0, end)));
        if (address.has_error()) return address.error();
        if (std::find(addresses.begin(), addresses.end(), *address) == addresses.end())
            addresses.push_back(std::move(*address));
        if (end == list.npos) return addresses;
        list.remove_prefix(end + 1);
    }
}

std::optional<ServerAddress> parse_cluster_address(std::string_view text, const ServerAddress& source) {
    ServerAddress address;
    if (!read_host_and_port(text, address)) return std::nullopt;
    address.uses_tls = source.uses_tls;
    address.certificate_name = is_ip_address(address.host) ? source.certificate_name : address.host;
    return address;
}

std::string address_text(const ServerAddress& address) {
    if (address.host.find(':') == std::string::npos) return base::concat(address.host, ':', address.port);
    return base::concat('[', address.host, "]:", address.port);
}

}  // namespace nats
