// The server's side of the Model Context Protocol on one connection: what to answer to each message, which
// calls to start and to cancel, and who is notified of changed resources. Both ages of the protocol may use
// the connection at the same time: sessions that begin with `initialize`, and requests that stand for
// themselves. Pure: the shell is mcp/server.
#pragma once

#include "mcp/call.hpp"
#include "mcp/message.hpp"
#include "mcp/offer.hpp"
#include "mcp/revision.hpp"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace mcp {

// One line, without its line feed.
struct Send {
    std::string line;
};
// Not an aggregate, because it travels through coroutines, and g++ 12 destroys aggregates there twice.
struct Start {
    Start(CallId own_id, Call call, std::string from)
        : id(own_id), what(std::move(call)), client(std::move(from)) {}

    CallId id;
    Call what;
    std::string client;  // what the client calls itself; may be empty
};
// The call's outcome is not wanted any more; nothing is sent about it.
struct Cancel {
    CallId id;
};
// The client has cancelled the call when its outcome was there already: it may not have read it.
struct Unheard {
    CallId id;
};
// The resources whose changes somebody wants to know, from now on.
struct Watch {
    std::set<std::string> uris;
};
using Action = std::variant<Send, Start, Cancel, Unheard, Watch>;
using Actions = std::vector<Action>;

class Machine {
  public:
    // Calls that are open at once; a further one is answered with an error.
    static constexpr std::size_t most_calls = 1000;

    explicit Machine(Offer offer) : offer_(std::move(offer)) {}

    // A line has arrived, of any content. Of a line that is too long, longest_message + 1 bytes are enough.
    Actions received(std::string_view line);
    // The outcome of a call that was cancelled is dropped, and Unheard follows.
    Actions finished(CallId id, Outcome outcome);
    // Whether the call is open, and its client wants to know how it gets on.
    bool wants_progress(CallId id) const;
    // Sent only if the client wants to know, and if `progress` has grown. `total`: 0 if it is not known.
    Actions progressed(CallId id, double progress, double total, std::string_view message);
    Actions resource_updated(std::string_view uri);
    Actions resource_list_changed();
    // The server ends.
    Actions ended();

  private:
    // The answers to an array of messages, which are sent together.
    struct Batch {
        std::string answers;
        std::size_t open = 0;
    };
    // Where an answer goes to, and in which form.
    struct Origin {
        std::string id;
        Revision revision = newest_with_handshake;
        std::shared_ptr<Batch> batch;
        std::string client;
    };
    struct Open {  // call
        Origin origin;
        std::string progress_token;  // JSON; empty: the client doesn't want to know
        double progress = -1;        // the last that was sent
        std::size_t cursor = 0;      // of the list of resources
        std::string ignored;         // a sentence for each argument that the tool does not have
    };
    struct Stream {  // of notifications, in the stateless age
        Origin origin;
        std::set<std::string> uris;
        bool wants_list = false;
    };
    struct Request {
        Origin origin;
        std::string method;
        std::optional<json::View> params;  // an object
    };
    struct Method {
        enum class Age { handshake, stateless, both };
        std::string_view name;
        Age age;
        void (Machine::*serve)(const Request& request);
    };
    enum class Cache { no, always, never };  // whether the result says how long it holds, and what

    static const std::vector<Method>& methods();

    Actions take() { return std::exchange(actions_, {}); }
    Actions too_long();
    void handle_batch(json::View messages);
    void handle(json::View value, const std::shared_ptr<Batch>& batch);
    void requested(Message message, const std::shared_ptr<Batch>& batch);
    bool set_age(Request& request);
    bool set_stateless(Request& request, json::View meta, json::View version);
    void serve(const Request& request);
    void notified(const Message& message);
    void cancelled(std::string_view id);

    void initialize(const Request& request);
    void ping(const Request& request);
    void discover(const Request& request);
    void list_tools(const Request& request);
    void list_prompts(const Request& request);
    void list_templates(const Request& request);
    void list_resources(const Request& request);
    void call_tool(const Request& request);
    void read_resource(const Request& request);
    void get_prompt(const Request& request);
    void complete(const Request& request);
    void subscribe(const Request& request);
    void unsubscribe(const Request& request);
    void listen(const Request& request);

    Open* start(const Request& request, Call call, std::size_t cursor = 0);
    void reply(const Origin& origin, std::string members, Cache cache = Cache::no);
    void refuse(const Origin& origin, ErrorCode code, std::string_view message, std::string_view data = {});
    void not_found(const Origin& origin, std::string_view uri, std::string_view why);
    void answer(const std::shared_ptr<Batch>& batch, std::string text);
    void send_if_complete(Batch& batch);
    void reply_page(const Origin& origin, std::string_view name, const std::vector<std::string>& entries,
                    std::size_t begin, Cache cache);
    std::optional<std::size_t> cursor_of(const Request& request);
    void finish(const Open& open, const Outcome& outcome);
    std::string stream_meta(const Origin& origin) const;
    void watch_changed();

    Offer offer_;
    std::optional<Revision> session_;  // agreed by `initialize`
    std::string client_;               // of the session
    std::set<std::string> subscriptions_;
    std::map<CallId, Open> open_;
    std::map<std::string, CallId, std::less<>> by_id_;
    std::deque<std::pair<std::string, CallId>> answered_;  // the last ones
    std::map<std::string, Stream, std::less<>> streams_;   // by the id of their request
    std::set<std::string> watched_;                        // as last reported
    CallId last_ = 0;
    Actions actions_;  // of the current event
};

}  // namespace mcp
