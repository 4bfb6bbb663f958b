#include "displays/plain_progress.hpp"

#include "displays/log_colors.hpp"
#include "io/log.hpp"
#include "progress/summary.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace displays {

namespace asio = boost::asio;

PlainProgress::PlainProgress(const asio::any_io_executor& executor, WatchedRun run)
    : Progress(std::move(run)), timer_(executor) {}

asio::awaitable<void> PlainProgress::show() {
    while (true) {
        timer_.expires_after(summary_interval);
        co_await timer_.async_wait(asio::use_awaitable);
        if (has_begun()) io::log::info(progress::summary_line(model(), run().agents(), spending(), now()));
    }
}

void present_log(bool colored) {
    if (colored && io::log::format() == io::log::Format::text)
        io::log::set_presenter([](const io::log::Line& line) { return with_colors(line); });
    else
        io::log::set_presenter({});
}

}  // namespace displays
