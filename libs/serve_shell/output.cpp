#include "serve_shell/output.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "kept_output/logs_reader.hpp"
#include "output/lines.hpp"
#include "serve/event_text.hpp"
#include "serve/output_window.hpp"
#include "serve/task_rows.hpp"
#include "serve_shell/http_status.hpp"
#include "serve_shell/reply.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace serve_shell {

namespace asio = boost::asio;
using std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds output_interval{200};
constexpr std::chrono::seconds output_heartbeat_interval{15};
constexpr std::size_t most_at_once = std::size_t{2} << 20;  // bytes

class TaskOutput {
  public:
    TaskOutput(ServeContext& context, std::shared_ptr<Follower> follower, trace::Row row)
        : context_(context),
          follower_(std::move(follower)),
          row_(row),
          task_(row),
          generation_(follower_->generation()),
          bell_(context.executor),
          watches_{context.runs.watch(bell_), follower_->watch(bell_)},
          reader_(runs::output_path(follower_->found().path),
                  [this](const output::Source& source) { return is_of_task(source.task); }),
          lines_([this](const output::Line& line) { window_.add(reader_.source(line.source), line); }) {}

    // What is written before the task has ended is read after that is known.
    asio::awaitable<void> send_to(http::ResponseStream& out) {
        co_await out.write(std::string(serve::retry_text));
        auto last = steady_clock::now();
        for (bool is_over = false; !is_over;) {
            is_over = has_ended();
            if (is_over) co_await rest();
            co_await read();
            if (is_over) lines_.finish();
            std::string piece = window_.empty() ? "" : serve::event_text("output", window_.take());
            if (piece.empty() && steady_clock::now() - last >= output_heartbeat_interval)
                piece = serve::heartbeat_text;
            if (!piece.empty()) {
                last = steady_clock::now();
                co_await out.write(std::move(piece));
            }
            if (!is_over) co_await rest();
        }
        co_await out.write(serve::event_text("end", "{}"));
    }

  private:
    asio::awaitable<void> rest() {
        asio::steady_timer timer(context_.executor, output_interval);
        co_await timer.async_wait(asio::use_awaitable);
    }

    // The attempts that may have written are in the log, and so in the trace, before.
    asio::awaitable<void> read() {
        co_await follower_->catch_up();
        auto use = [this](const output::Source& /*source*/, const output::Record& record) {
            lines_.add(record);
        };
        while (true) {
            auto more = reader_.read_some(use);
            if (!more) io::log::warn(more.error().message);
            if (!more || !*more) co_return;
            co_await asio::post(context_.executor, asio::use_awaitable);
        }
    }

    // Null if the log was replaced by one without the row.
    const serve::TaskRows* task() {
        if (generation_ != follower_->generation()) task_ = serve::TaskRows(row_);
        generation_ = follower_->generation();
        if (row_ >= follower_->trace().position().rows) return nullptr;
        task_.update(follower_->trace());
        return &task_;
    }

    bool is_of_task(std::uint64_t id) {
        auto row = follower_->trace().find(id);
        const auto* attempts = row ? task() : nullptr;
        return attempts != nullptr && attempts->contains(*row);
    }

    bool has_ended() {
        const auto* run = context_.runs.last().find(follower_->found().record.id);
        const auto* attempts = task();
        if (run == nullptr || !runs::is_living(run->state) || attempts == nullptr) return true;
        return follower_->trace().attempt(attempts->last()).completion != trace::absent;
    }

    ServeContext& context_;
    std::shared_ptr<Follower> follower_;
    trace::Row row_;
    serve::TaskRows task_;
    std::uint64_t generation_;  // of the trace that `task_` is of
    io::Bell bell_;             // only for being counted as one who watches
    struct {
        io::Bells::Watch runs, follower;
    } watches_;
    kept_output::LogsReader reader_;
    serve::OutputWindow window_{most_at_once};
    output::Lines lines_;
};

asio::awaitable<void> send_output(std::shared_ptr<TaskOutput> output, http::ResponseStream& out) {
    co_await output->send_to(out);
}

}  // namespace

asio::awaitable<http::Response> output_response(ServeContext& context, serve::Route route) {
    auto opened = co_await open_run(context, route.run);
    if (!opened) co_return error_reply(opened.error());
    if (route.row >= opened->follower->trace().position().rows)
        co_return error_reply(not_found, base::concat("The run has no row ", route.row, "."));
    auto output = std::make_shared<TaskOutput>(context, opened->follower, route.row);
    co_return events_reply([output](http::ResponseStream& out) { return send_output(output, out); });
}

}  // namespace serve_shell
