#include "nats/pull.hpp"

#include "base/text.hpp"
#include "nats/api_error.hpp"
#include "nats/error.hpp"
#include "nats/headers.hpp"

#include <algorithm>

namespace nats {

namespace {

// The time for the way of the pull and of its answer.
constexpr std::chrono::seconds way{5};

}  // namespace

Pull::Pull(const PullRequest& request, Time now)
    : left_(request.batch),
      heartbeat_(request.heartbeat),
      last_heard_(now),
      expiry_(now + request.expires + way) {}

bool Pull::received(const Message& message, Time now) {
    last_heard_ = now;
    auto said = status(message.headers);
    // A message of the stream has the subject of its acknowledgements.
    if (!said || message.reply.starts_with("$JS.ACK.")) {
        if (--left_ == 0) end({});
        return true;
    }
    end_with_status(said->code, said->description);
    return false;
}

void Pull::end_with_status(int code, std::string_view description) {
    switch (code) {
        case 100:
            return;  // a heartbeat
        case 404:
        case 408:
            return end({});
        case 503:
            return end(error(Errc::no_responders, "no server answers the pull"));
        default:
            break;
    }
    std::string text = base::concat("the server ends the pull: ", description);
    if (description == "Consumer Deleted")
        return end(base::Error{make_error_code(ApiErrc::consumer_not_found), std::move(text)});
    end(error(Errc::refused, std::move(text)));
}

Time Pull::next_deadline() const {
    if (heartbeat_.count() == 0) return expiry_;
    return std::min(last_heard_ + 2 * heartbeat_, expiry_);
}

void Pull::time_passed(Time now) {
    if (is_over() || now < next_deadline()) return;
    end(error(Errc::timed_out, "no server knows of the pull any more, or there is no such consumer"));
}

}  // namespace nats
