#include "commands/pool/status_watch.hpp"

#include "base/text.hpp"
#include "pool_client/status_query.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <utility>

namespace troupe {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds period{1};

}  // namespace

asio::awaitable<base::Error> watch_status(pool_protocol::PoolDirectory directory,
                                          std::shared_ptr<StatusDisplay> display,
                                          std::optional<std::string> first) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    auto next = std::chrono::steady_clock::now();
    bool seen = false;
    bool outage_told = false;
    while (true) {
        base::Result<std::string> answer = std::exchange(first, std::nullopt).value_or("");
        if (answer->empty())
            answer =
                co_await pool_client::ask_status(directory, status_answer_time, pool_client::AskedHosts::all);
        base::Result<void> shown;
        if (answer.has_value())
            shown = display->show(*answer);
        else if (!seen || !pool_client::is_outage(answer.error()))
            co_return answer.error();
        else if (!outage_told)
            shown = display->outage(base::concat(answer.error().message, "; asking again every second"));
        if (shown.has_error()) co_return shown.error();
        outage_told = answer.has_error();
        seen = true;
        next = std::max(next + period, std::chrono::steady_clock::now());
        timer.expires_at(next);
        co_await timer.async_wait(asio::use_awaitable);
    }
}

}  // namespace troupe
