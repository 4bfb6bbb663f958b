// What the shell of an edge asks of an engine: the actions of edge/agent_side and edge/submitter_side as
// calls, and what an engine reports. edge/engine.hpp says what each means, and what an engine must guarantee.
// Which engine it is, is not known here; nats_engine is one.
#pragma once

#include "base/error.hpp"
#include "edge/agent_side.hpp"
#include "edge/engine.hpp"
#include "edge/submitter_side.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace edge_shell {

// All calls from the executor's thread. Nothing is called back before the call that asks for it has returned.
class Engine {
  public:
    struct Delivered {
        edge::PullId pull;
        edge::TaskId task;
        edge::Delivery delivery;
        edge::Queue queue;
        std::string body;          // as it was published, of any content
        bool is_repeated = false;  // as in edge::agent_side::Delivered
    };
    struct Question {
        edge::TaskId task;
        edge::Nonce nonce;
        std::optional<edge::Delivery> delivery;
        std::function<void(bool has)> reply;  // called once or never, also after the connection was lost
    };
    struct Seeking {
        edge::TaskId task;
        edge::EdgeId seeker;
        bool for_submitters = false;
        std::function<void(edge::Trace trace)> reply;  // called any number of times; the same
    };
    struct Callbacks {
        // From now on, requests are carried out. Everything that the engine needs was created.
        std::function<void(edge::StoreId store)> on_connected;
        // No request that was made before is answered any more. Pulls are over.
        std::function<void(const base::Error& why)> on_disconnected;
        // All queues that there are: after each on_connected, and when there is another one.
        std::function<void(std::vector<edge::Queue> queues)> on_queues;
        std::function<void(Delivered delivered)> on_delivered;
        std::function<void(edge::PullId pull)> on_pull_ended;
        std::function<void(Question question)> on_asked;
        // An edge, perhaps this one, searches for a task.
        std::function<void(Seeking seeking)> on_sought;
        // An edge, perhaps this one, has called join().
        std::function<void(const edge::TaskId& task)> on_joined;
        // The record of a task that agents of this host have was changed.
        std::function<void(const edge::TaskId& task)> on_check;
        // Another edge, or this one, has called ask_all(): what this one has to say.
        std::function<std::string()> on_asked_all;
        // The record of a watched task was changed. `text`: of its outcome.
        std::function<void(const edge::TaskId& task, const edge::Record& record, std::string text)>
            on_noticed;
        // What the agent that has a watched task does, as its host has given it to tell().
        std::function<void(std::string text)> on_told;
    };

    virtual ~Engine() = default;

    // Connects, and stays connected until a terminal cancellation, after which it throws operation_aborted
    // and nothing is called back. Once only.
    virtual boost::asio::awaitable<void> run(Callbacks callbacks) = 0;

    // Bytes that a body, or the text of an outcome, may have, as far as is known.
    virtual std::size_t max_text_bytes() const = 0;
    // The name for people: "nats://h1:4222".
    virtual std::string name() const = 0;
    // How long it took for the last request that was measured, or takes for one that it has not answered yet;
    // nothing without a connection. Requests are measured at least once a minute.
    virtual std::optional<std::chrono::microseconds> lag() const = 0;

    // ---- requests, which are answered once, or never if the connection is lost before. Without a connection
    // they have no effect ----
    // `text`: of an outcome; otherwise empty.
    virtual void write(const edge::Write& write, std::string text,
                       std::function<void(edge::Written)> done) = 0;
    // `queue`: where the task is, for `with_queue`. `text`: of the record's outcome.
    using OnLookedUp = std::function<void(edge::LookedUp found, std::string text)>;
    virtual void look_up(const edge::LookUp& look_up, const edge::Queue& queue, OnLookedUp done) = 0;
    virtual void ask(const edge::Ask& ask, std::function<void(edge::OwnerReplied)> done) = 0;
    // `on_reply`: for each edge that knows something, until Times::search has passed.
    virtual void search(const edge::Search& search, std::function<void(edge::Searched)> on_reply) = 0;
    // The queue is created if there is no such one. `problem`: why it was refused, in a sentence.
    virtual void publish(const edge::submitter_side::Publish& publish, std::string body,
                         std::function<void(edge::submitter_side::Published, std::string problem)> done) = 0;
    virtual void remove(const edge::submitter_side::Remove& remove,
                        std::function<void(edge::submitter_side::Removed)> done) = 0;
    virtual void purge(const edge::submitter_side::Purge& purge,
                       std::function<void(edge::submitter_side::Removed)> done) = 0;

    enum class Patience {
        brief,  // until nothing more comes for a moment, at most half a second: for a person who waits
        full,   // for five seconds: for a judgement of what no edge has
    };
    // Asks all edges of the pool, this one included. `done` gets what has arrived; without a connection,
    // soon, and nothing.
    virtual void ask_all(Patience patience, std::function<void(std::vector<std::string> replies)> done) = 0;

    // ---- the rest, which may be lost ----
    virtual void pull(const edge::agent_side::Pull& pull) = 0;
    virtual void end_pull(edge::PullId pull) = 0;
    virtual void extend(const edge::agent_side::Extend& extend) = 0;
    virtual void settle(const edge::Settle& settle) = 0;
    virtual void join(const edge::submitter_side::Join& join) = 0;
    virtual void notify(const edge::submitter_side::Notify& notify) = 0;
    // Tells the host that watches the task what its agent does.
    virtual void tell(const edge::TaskId& task, std::string_view text) = 0;
    // From watch() to unwatch(), changes of the task's record are noticed, over all connections.
    virtual void watch(const edge::TaskId& task) = 0;
    virtual void unwatch(const edge::TaskId& task) = 0;
};

}  // namespace edge_shell
