// One pull of messages from a consumer: which of what arrives is a message, and when the pull is over. Pure.
#pragma once

#include "base/error.hpp"
#include "nats/api.hpp"
#include "nats/message.hpp"
#include "nats/session.hpp"

#include <cstddef>
#include <optional>

namespace nats {

// The server may not end a pull that was sent: it forgets pulls when it restarts or another leads the stream.
// So after two heartbeats that did not come, or without heartbeats some time after the pull's end, it is
// over.
class Pull {
  public:
    Pull(const PullRequest& request, Time now);

    // Whether the message is one of the stream; otherwise it was about the pull. The pull must not be over.
    bool received(const Message& message, Time now);
    void time_passed(Time now);
    // The connection was lost, or the user may not subscribe to the pull's inbox.
    void interrupted(const base::Error& error) { end(error); }

    bool is_over() const { return end_.has_value(); }
    // Success: it has got all that it has asked for, or its time is up. Otherwise nothing else comes of it,
    // but may of another pull. After Errc::no_responders, timed_out and ApiErrc::consumer_not_found there may
    // be no such consumer any more: servers leave a pull from one without an answer. To be called only when
    // the pull is over.
    const base::Result<void>& result() const { return *end_; }
    Time next_deadline() const;

  private:
    void end(base::Result<void> result) { end_ = std::move(result); }
    void end_with_status(int code, std::string_view description);

    std::size_t left_;
    Nanoseconds heartbeat_;
    Time last_heard_;
    Time expiry_;  // with time for the server's answer
    std::optional<base::Result<void>> end_;
};

}  // namespace nats
