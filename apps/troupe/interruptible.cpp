#include "interruptible.hpp"

#include "context.hpp"
#include "io/interruption.hpp"
#include "io/log_signals.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <csignal>

namespace troupe {

namespace asio = boost::asio;

namespace {

using Command = std::function<asio::awaitable<int>(io::DirectoryWatch&)>;

asio::awaitable<int> run(asio::io_context& loop, std::shared_ptr<Command> command) {
    io::DirectoryWatch watch(loop.get_executor());
    io::Interruption interruption(loop.get_executor(), {SIGINT, SIGTERM, SIGHUP});
    io::LogSignals log_signals(loop.get_executor(), io::Hangup::ignored);
    int exit_code = 0;
    try {
        exit_code = co_await asio::co_spawn(
            loop, (*command)(watch), asio::bind_cancellation_slot(interruption.slot(), asio::use_awaitable));
    } catch (const boost::system::system_error&) {
        if (!interruption.happened()) throw;
        exit_code = 128 + interruption.signal_number();
    }
    interruption.cancel();
    co_return exit_code;
}

}  // namespace

int run_interruptible(Command command) {
    auto shared = std::make_shared<Command>(std::move(command));
    return run_loop([=](asio::io_context& loop) { return run(loop, shared); });
}

}  // namespace troupe
