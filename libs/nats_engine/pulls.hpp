// The pulls of an engine, which bring messages of a stream's consumers. What becomes of a pull is decided by
// nats/pull.
#pragma once

#include "base/error.hpp"
#include "edge/agent_side.hpp"
#include "io/active_timer.hpp"
#include "nats/client.hpp"
#include "nats/pull.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nats_engine {

// All calls from the executor's thread. The client must outlive it.
class Pulls {
  public:
    struct Handlers {
        std::function<void(edge::PullId pull, const edge::Queue& queue, nats::Message message)> on_message;
        // The pull is not known here any more. An error: as nats::Pull::result().
        std::function<void(edge::PullId pull, const edge::Queue& queue, base::Result<void> result)> on_ended;
    };

    // `longest`: that a pull waits.
    Pulls(const boost::asio::any_io_executor& executor, nats::Client& client, std::string stream,
          nats::Duration longest, Handlers handlers);

    // Nothing is called back from within.
    void start(const edge::agent_side::Pull& pull, const std::string& consumer);
    // Nothing is called back for the pull any more.
    void end(edge::PullId pull) { active_.erase(pull); }
    // Ends all pulls: the connection is lost.
    void clear();

  private:
    // A message of a pull has the subject under which it was published, so each pull has an inbox of its own.
    // When the server has ended a pull, nothing more comes, and the next one takes its inbox over.
    struct Inbox {
        std::string subject;
        nats::Subscription subscription;
        edge::PullId pull;  // 0: none
    };
    struct Active {
        std::unique_ptr<Inbox> inbox;
        edge::Queue queue;
        nats::Pull pull;
    };
    using ActivePulls = std::map<edge::PullId, Active>;

    std::unique_ptr<Inbox> take_inbox();
    nats::PullRequest request_for(const edge::agent_side::Pull& pull) const;
    void received(edge::PullId id, nats::Message message);
    void interrupted(edge::PullId id, const base::Error& error);
    void end_if_over(edge::PullId id);
    void time_passed();
    void arm(nats::Time deadline);

    nats::Client& client_;
    std::string stream_;
    nats::Duration longest_;
    Handlers handlers_;
    ActivePulls active_;
    std::vector<std::unique_ptr<Inbox>> free_;
    io::ActiveTimer timer_;
    std::optional<nats::Time> armed_;
};

}  // namespace nats_engine
