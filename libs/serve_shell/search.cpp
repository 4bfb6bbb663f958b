#include "serve_shell/search.hpp"

#include "base/text.hpp"
#include "io/file_pieces.hpp"
#include "serve/query.hpp"
#include "serve/task_rows.hpp"
#include "serve/text_search.hpp"
#include "serve_shell/http_status.hpp"
#include "serve_shell/reply.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace serve_shell {

namespace asio = boost::asio;
using trace::Row;

namespace {

constexpr std::size_t most_rows = 100'000;
constexpr std::uint64_t search_piece = 1 << 20;

// Goes through the lines of a log in order.
class LogSearch {
  public:
    LogSearch(std::shared_ptr<Follower> follower, const std::string& text)
        : follower_(std::move(follower)),
          search_(text),
          end_(follower_->trace().position()),
          found_(end_.rows) {}

    void take(std::string_view bytes) {
        rest_ += bytes;
        std::string_view lines = rest_;
        for (std::size_t end = lines.find('\n'); end != lines.npos; end = lines.find('\n')) {
            take_line(lines.substr(0, end));
            offset_ += end + 1;
            lines.remove_prefix(end + 1);
        }
        rest_.erase(0, rest_.size() - lines.size());
    }

    bool is_full() const { return found_.count() >= most_rows; }

    std::string json() const {
        std::string rows;
        for (Row row : found_.last_rows())
            rows += base::concat(rows.empty() ? "" : ",", row);
        return base::concat("{\"rows\":[", rows, "],\"more\":", is_full() ? "true" : "false", "}");
    }

  private:
    void take_line(std::string_view line) {
        const trace::Trace& trace = follower_->trace();
        while (row_ < end_.rows && trace.attempt(row_).offset < offset_)
            ++row_;
        while (completion_ < end_.completions && trace.completion(completion_).offset < offset_)
            ++completion_;
        bool is_row = row_ < end_.rows && trace.attempt(row_).offset == offset_;
        bool is_completion =
            completion_ < end_.completions && trace.completion(completion_).offset == offset_;
        if (is_full() || (!is_row && !is_completion) || !search_.is_in(line, *trace.config())) return;
        found_.add(trace, is_row ? row_ : trace.completion(completion_).row);
    }

    std::shared_ptr<Follower> follower_;
    serve::EntrySearch search_;
    trace::Position end_;
    serve::FoundTasks found_;
    std::string rest_;
    std::uint64_t offset_ = 0;  // of the next line
    Row row_ = 0;
    std::uint32_t completion_ = 0;
};

}  // namespace

// Searches in pieces, between which everyone else has a turn.
asio::awaitable<http::Response> search_response(ServeContext& context, serve::Route route,
                                                const http::Request& request) {
    std::string text = serve::parameter(request.target, "text").value_or("");
    if (text.empty()) co_return error_reply(bad_request, "Nothing is looked for: give `text`.");
    auto opened = co_await open_run(context, route.run);
    if (!opened) co_return error_reply(opened.error());
    std::shared_ptr<Follower> follower = opened->follower;
    auto generation = follower->generation();
    std::uint64_t size = follower->bytes_read();
    LogSearch search(follower, text);
    for (std::uint64_t begin = 0; begin < size && !search.is_full(); begin += search_piece) {
        if (generation != follower->generation()) break;
        io::ByteRange range{begin, std::min(begin + search_piece, size)};
        auto take = [&search](std::string_view piece) -> base::Result<void> {
            search.take(piece);
            return {};
        };
        if (auto read = io::read_pieces(follower->fd(), range, take); !read)
            co_return error_reply(read.error());
        co_await asio::post(context.executor, asio::use_awaitable);
    }
    co_return json_reply(search.json());
}

}  // namespace serve_shell
