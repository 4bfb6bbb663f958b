#include "serve_shell/events.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "serve/event_text.hpp"
#include "serve/query.hpp"
#include "serve_shell/http_status.hpp"
#include "serve_shell/reply.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace serve_shell {

namespace asio = boost::asio;
using serve::event_text;
using std::chrono::steady_clock;

namespace {

// Between two pieces for a client that has had everything: at most ten a second.
constexpr std::chrono::milliseconds between_pieces{100};
constexpr std::chrono::seconds heartbeat_interval{15};

struct Wanted {
    bool runs = false;
    bool pools = false;
    std::string run;  // id; "": none
    trace::Position from;
};

base::Result<Wanted> wanted_by(const http::Request& request) {
    auto is_set = [&](std::string_view name) { return serve::parameter(request.target, name) == "1"; };
    Wanted wanted{is_set("runs"), is_set("pools"), serve::parameter(request.target, "run").value_or(""), {}};
    std::string from(request.field("Last-Event-ID"));
    if (from.empty()) from = serve::parameter(request.target, "from").value_or("0.0");
    auto position = trace::parse_position(from);
    if (!position) return base::invalid("`from` must be a position, two numbers with a point between them");
    wanted.from = *position;
    if (!wanted.runs && !wanted.pools && wanted.run.empty())
        return base::invalid("Nothing is asked for: give runs=1, pools=1 or run=ID.");
    return wanted;
}

std::string runs_event(const ServedRuns::Changes& changes) {
    std::string changed;
    for (const ServedRuns::Run* run : changes.changed)
        changed += (changed.empty() ? "" : ",") + run->json;
    return event_text("runs", base::concat("{\"changed\":[", changed,
                                           "],\"removed\":", json::quoted_list(changes.removed), "}"));
}

// The events of one client.
class EventStream {
  public:
    EventStream(ServeContext& context, Wanted wanted, std::shared_ptr<Follower> follower)
        : context_(context),
          wanted_(std::move(wanted)),
          follower_(std::move(follower)),
          generation_(follower_ ? follower_->generation() : 0),
          bell_(context.executor) {
        watches_.runs = context_.runs.watch(bell_);
        if (wanted_.pools) watches_.pools = context_.pools.watch(bell_);
        if (follower_) watches_.follower = follower_->watch(bell_);
    }

    asio::awaitable<void> send_to(http::ResponseStream& out) {
        co_await out.write(std::string(serve::retry_text));
        auto last = steady_clock::now();
        while (true) {
            std::string piece = next_piece();
            if (piece.empty()) {
                co_await bell_.wait(heartbeat_interval);
                piece = next_piece();
                if (piece.empty() && steady_clock::now() - last >= heartbeat_interval)
                    piece = serve::heartbeat_text;
            }
            if (piece.empty()) continue;
            co_await out.write(std::move(piece));
            last = steady_clock::now();
            if (!is_behind()) co_await rest();
        }
    }

  private:
    // What happens meanwhile is sent as one piece.
    asio::awaitable<void> rest() {
        asio::steady_timer timer(context_.executor, between_pieces);
        co_await timer.async_wait(asio::use_awaitable);
    }

    bool is_behind() const { return is_followed() && wanted_.from != follower_->trace().position(); }

    // Whether the log is still the one of which the client knows a part.
    bool is_followed() const {
        return follower_ && !is_gone_ && generation_ == follower_->generation() &&
               follower_->trace().contains(wanted_.from);
    }

    std::string next_piece() {
        std::string piece;
        if (wanted_.runs) piece += next_runs();
        if (wanted_.pools) piece += next_pools();
        if (follower_ && !is_gone_) piece += next_run();
        return piece;
    }

    std::string next_runs() {
        const ServedRuns& list = context_.runs.last();
        bool is_first = runs_version_ == 0;
        if (!is_first && runs_version_ == list.version()) return "";
        auto changes = list.since(std::exchange(runs_version_, list.version()));
        if (changes.changed.empty() && changes.removed.empty() && !(is_first && !has_sent_runs_)) return "";
        has_sent_runs_ = true;
        return runs_event(changes);
    }

    std::string next_pools() {
        if (pools_version_ == context_.pools.version() || context_.pools.json().empty()) return "";
        pools_version_ = context_.pools.version();
        return event_text("pools", context_.pools.json());
    }

    std::string next_run() {
        const auto* run = context_.runs.last().find(wanted_.run);
        if (run == nullptr || !is_followed()) {
            is_gone_ = true;
            return event_text("run", R"({"gone":true})");
        }
        std::string piece = follower_->trace_event(wanted_.from);
        if (std::uint64_t version = follower_->trace().unreported().version(); version != usage_version_) {
            usage_version_ = version;
            piece += follower_->usage_event();
        }
        if (state_version_ != follower_->state_version()) {
            state_version_ = follower_->state_version();
            if (!follower_->state().empty()) piece += event_text("state", follower_->state());
        }
        if (run_version_ != run->version) {
            run_version_ = run->version;
            piece += event_text("run", run->json);
        }
        return piece;
    }

    ServeContext& context_;
    Wanted wanted_;
    std::shared_ptr<Follower> follower_;
    std::uint64_t generation_;
    io::Bell bell_;
    struct {
        io::Bells::Watch runs, pools, follower;
    } watches_;
    bool is_gone_ = false;
    bool has_sent_runs_ = false;  // the first event `runs`, also if there are none
    std::uint64_t runs_version_ = 0;
    std::uint64_t pools_version_ = 0;
    std::uint64_t run_version_ = 0;
    std::uint64_t state_version_ = 0;
    std::uint64_t usage_version_ = 0;
};

asio::awaitable<void> send_events(std::shared_ptr<EventStream> stream, http::ResponseStream& out) {
    co_await stream->send_to(out);
}

}  // namespace

asio::awaitable<http::Response> events_response(ServeContext& context, const http::Request& request) {
    auto wanted = wanted_by(request);
    if (!wanted) co_return error_reply(bad_request, wanted.error().message);
    std::shared_ptr<Follower> follower;
    if (!wanted->run.empty()) {
        auto opened = co_await open_run(context, wanted->run);
        if (!opened) co_return error_reply(opened.error());
        follower = opened->follower;
        if (!follower->trace().contains(wanted->from))
            co_return error_reply(conflict, "The position is not in the log of this run; begin at 0.0.");
    } else if (auto list = context.runs.now(); !list) {
        co_return error_reply(list.error());
    }
    auto stream = std::make_shared<EventStream>(context, std::move(*wanted), std::move(follower));
    co_return events_reply([stream](http::ResponseStream& out) { return send_events(stream, out); });
}

}  // namespace serve_shell
