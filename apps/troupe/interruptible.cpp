#include "interruptible.hpp"

#include "context.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace troupe {

namespace asio = boost::asio;

namespace {

using Command = std::function<asio::awaitable<int>(io::DirectoryWatch&)>;

asio::awaitable<int> run(asio::io_context& loop, std::shared_ptr<Command> command) {
    io::DirectoryWatch watch(loop.get_executor());
    asio::cancellation_signal cancellation;
    int signal_number = 0;
    asio::signal_set signals(loop, SIGINT, SIGTERM, SIGHUP);
    signals.async_wait([&](boost::system::error_code ec, int number) {
        if (ec) return;
        signal_number = number;
        cancellation.emit(asio::cancellation_type::terminal);
    });
    int exit_code = 0;
    try {
        exit_code = co_await asio::co_spawn(
            loop, (*command)(watch), asio::bind_cancellation_slot(cancellation.slot(), asio::use_awaitable));
    } catch (const boost::system::system_error&) {
        if (signal_number == 0) throw;
        exit_code = 128 + signal_number;
    }
    signals.cancel();
    co_return exit_code;
}

}  // namespace

int run_interruptible(Command command) {
    auto shared = std::make_shared<Command>(std::move(command));
    return run_loop([=](asio::io_context& loop) { return run(loop, shared); });
}

}  // namespace troupe
