// Formats for networks: email addresses, host names, IP addresses, URIs. Internal to json_schema/formats.
#pragma once

#include <string_view>

namespace json_schema {

bool is_email(std::string_view text);          // RFC 5321, "Mailbox"
bool is_hostname(std::string_view text);       // RFC 1123, section 2.1
bool is_ipv4(std::string_view text);           // RFC 2673, section 3.2: four decimal numbers
bool is_ipv6(std::string_view text);           // RFC 4291, section 2.2, without a zone
bool is_uri(std::string_view text);            // RFC 3986, with a scheme
bool is_uri_reference(std::string_view text);  // RFC 3986, with a scheme or relative

}  // namespace json_schema
