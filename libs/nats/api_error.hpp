// The codes of errors with which JetStream, the part of NATS servers that stores messages, answers a call.
// Any other of its codes may occur as well.
#pragma once

#include <boost/system/error_code.hpp>

#include <type_traits>

namespace nats {

enum class ApiErrc {
    no_resources = 10023,
    consumer_not_found = 10014,
    message_not_found = 10037,
    not_enabled = 10076,  // on this server
    not_enabled_for_account = 10039,
    deletion_failed = 10057,
    stream_name_in_use = 10058,  // by a stream with another configuration
    stream_not_found = 10059,
    message_too_large = 10054,    // for the stream
    wrong_last_sequence = 10071,  // the subject's last message is not the expected one
    subject_full = 10077,         // it has as many messages as it may have
    filters_overlap = 10100,      // with those of another consumer of the queue
};

boost::system::error_code make_error_code(ApiErrc code);

}  // namespace nats

template<>
struct boost::system::is_error_code_enum<nats::ApiErrc> : std::true_type {};
