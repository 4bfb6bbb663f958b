#include "displays/json_progress.hpp"

#include "displays/plain_progress.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace displays {

namespace asio = boost::asio;
namespace log = io::log;

JsonProgress::JsonProgress(const asio::any_io_executor& executor, WatchedRun run)
    : EventProgress(std::move(run)), timer_(executor) {
    log::set_presenter(log_event);
}

JsonProgress::~JsonProgress() {
    log::set_presenter({});
}

asio::awaitable<void> JsonProgress::show() {
    while (true) {
        timer_.expires_after(summary_interval);
        co_await timer_.async_wait(asio::use_awaitable);
        if (has_begun()) put_event(summary_event());
    }
}

}  // namespace displays
