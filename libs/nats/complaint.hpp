// What a server means by -ERR. Pure.
#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>

namespace nats {

enum class ComplaintKind {
    credentials,   // it refuses them, or they have expired
    publication,   // the user may not publish to `subject`
    reply,         // nor use `subject` for the reply
    subscription,  // nor subscribe to `subject`
    ends_connection,
    other,  // the connection goes on
};

struct ReadComplaint {
    ComplaintKind kind;
    std::string subject;  // of a permission
    base::Error error;    // a sentence for the user, with the server's own words
};

// `server`: its address, for the sentence. `has_login`: credentials were given.
ReadComplaint read_complaint(std::string_view text, std::string_view server, bool has_login);

}  // namespace nats
