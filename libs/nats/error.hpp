// The codes of this room's errors, for programs that decide by them. The sentence for the user is in the
// base::Error.
#pragma once

#include "base/error.hpp"

#include <string>
#include <type_traits>

namespace nats {

enum class Errc {
    protocol = 1,   // the server sends what is not of the protocol
    unreachable,    // no connection to the server can be made
    tls,            // no connection with TLS: certificates, names, versions
    authorization,  // the server refuses the credentials
    permission,     // the user may not publish or subscribe to the subject
    disconnected,   // the connection was lost, and it is unknown what became of what was sent
    timed_out,      // nobody has answered in time
    no_responders,  // nobody is there who would answer
    too_large,      // more than the server takes in one message
    buffer_full,    // too much waits to be sent
    refused,        // the server has ended the connection for another reason, which it has said
};

boost::system::error_code make_error_code(Errc code);

inline base::Error error(Errc code, std::string message) {
    return {make_error_code(code), std::move(message)};
}

}  // namespace nats

template<>
struct boost::system::is_error_code_enum<nats::Errc> : std::true_type {};
