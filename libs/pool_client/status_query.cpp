#include "pool_client/status_query.hpp"

#include "base/text.hpp"
#include "io/framed_socket.hpp"
#include "pool_client/pool_wait.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/names.hpp"
#include "pool_protocol/status.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>

namespace pool_client {

namespace asio = boost::asio;
namespace errc = boost::system::errc;
using pool_protocol::PoolDirectory;

namespace {

// One question on one connection.
struct Exchange {
    explicit Exchange(asio::any_io_executor executor) : over(executor) {}

    asio::steady_timer over;
    std::optional<std::string> answer;
    std::string problem;
    bool gone = false;
};

base::Error error(errc::errc_t code, std::string message) {
    return {errc::make_error_code(code), std::move(message)};
}

base::Result<io::UniqueFd> open_socket(const io::Directory& pool, const PoolDirectory& directory) {
    // Only the published daemon writes this. It might take the question for a task.
    auto status = pool.read(pool_protocol::status_name, 64);
    if (status.has_value() && status->starts_with("ready"))
        return error(errc::operation_not_supported,
                     base::concat("the pool in ", directory.path,
                                  " is served by the published daemon, which tells no status"));
    auto socket = io::connect_local(pool, pool_protocol::socket_name);
    if (socket.has_value()) return socket;
    const auto& code = socket.error().code;
    if (code == errc::no_such_file_or_directory || code == errc::connection_refused)
        return not_served(directory);
    if (code == errc::operation_not_permitted || code == errc::permission_denied ||
        code == errc::address_family_not_supported)
        return base::Error{code,
                           base::concat(socket.error().message,
                                        "; a status comes over the socket only: ask for it from outside "
                                        "the sandbox")};
    return socket;
}

std::shared_ptr<io::FramedSocket> ask_on(io::UniqueFd socket, const std::shared_ptr<Exchange>& exchange,
                                         std::string question) {
    io::FramedSocket::Callbacks callbacks;
    callbacks.on_frame = [exchange](const std::shared_ptr<io::FramedSocket>&, std::string frame) {
        exchange->answer = std::move(frame);
        exchange->over.cancel();
    };
    callbacks.on_bad_frame = [exchange](const std::shared_ptr<io::FramedSocket>& connection,
                                        std::string problem) {
        exchange->problem = std::move(problem);
        connection->close();
    };
    callbacks.on_gone = [exchange](const std::shared_ptr<io::FramedSocket>&, io::FramedSocket::Payloads) {
        exchange->gone = true;
        exchange->over.cancel();
    };
    io::LocalSocket connected(exchange->over.get_executor(), asio::local::stream_protocol(),
                              socket.release());
    io::FramedSocket::Limits limits{pool_protocol::longest_message, std::nullopt, std::nullopt};
    auto connection = std::make_shared<io::FramedSocket>(std::move(connected), limits, std::move(callbacks));
    connection->start();
    connection->send(std::move(question));
    return connection;
}

// The pid in the lock file, for the message.
std::string process_hint(const io::Directory& pool) {
    auto text = pool.read(pool_protocol::lock_name, 64);
    if (text.has_error()) return "";
    std::string pid = text->substr(0, text->find_first_not_of("0123456789"));
    return pid.empty() ? "" : base::concat(" (process ", pid, ")");
}

base::Error no_answer(const Exchange& exchange, const io::Directory& pool, const PoolDirectory& directory,
                      std::chrono::milliseconds waited) {
    if (exchange.gone)
        return error(errc::connection_reset,
                     base::concat("the daemon of the pool in ", directory.path,
                                  " closed the connection without an answer",
                                  exchange.problem.empty() ? "" : ": ", exchange.problem));
    return error(errc::timed_out,
                 base::concat("the daemon of the pool in ", directory.path, process_hint(pool),
                              " has not answered within ", waited.count() / 1000,
                              " s: it was suspended, or it can't keep up"));
}

}  // namespace

asio::awaitable<base::Result<std::string>> ask_status(PoolDirectory directory,
                                                      std::chrono::milliseconds at_most, AskedHosts hosts) {
    return ask_daemon(std::move(directory), at_most, pool_protocol::status_request(hosts == AskedHosts::all));
}

asio::awaitable<base::Result<std::string>> ask_daemon(PoolDirectory directory,
                                                      std::chrono::milliseconds at_most,
                                                      std::string question) {
    auto pool = co_await wait_for_pool(directory, std::chrono::milliseconds(0));
    if (pool.has_error()) co_return pool.error();
    auto socket = open_socket(*pool, directory);
    if (socket.has_error()) co_return socket.error();
    auto exchange = std::make_shared<Exchange>(co_await asio::this_coro::executor);
    struct Closing {
        std::shared_ptr<io::FramedSocket> connection;
        ~Closing() { connection->close(); }
    } closing{ask_on(std::move(*socket), exchange, std::move(question))};
    boost::system::error_code ignored;
    if (!exchange->gone) {
        exchange->over.expires_after(at_most);
        co_await exchange->over.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    auto cancellation = co_await asio::this_coro::cancellation_state;
    if (cancellation.cancelled() != asio::cancellation_type::none)
        throw boost::system::system_error(asio::error::operation_aborted);
    if (!exchange->answer) co_return no_answer(*exchange, *pool, directory, at_most);
    co_return std::move(*exchange->answer);
}

bool is_outage(const base::Error& error) {
    return error.code == errc::host_unreachable || error.code == errc::timed_out ||
           error.code == errc::connection_reset || error.code == errc::resource_unavailable_try_again;
}

}  // namespace pool_client
