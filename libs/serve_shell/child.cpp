#include "serve_shell/child.hpp"

#include "process/own_command.hpp"

#include <boost/system/errc.hpp>

#include <chrono>
#include <utility>

namespace serve_shell {

namespace asio = boost::asio;

namespace {

constexpr std::size_t most_at_a_time = 4;
constexpr std::chrono::seconds longest_child{60};

struct Place {
    Place(std::size_t& counted, const io::Bells& bells) : running(counted), waiting(bells) { ++running; }
    ~Place() {
        --running;
        waiting.ring();
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    std::size_t& running;
    const io::Bells& waiting;
};

}  // namespace

asio::awaitable<base::Result<std::string>> OwnCommands::run(std::vector<std::string> arguments) {
    io::Bell bell(executor_);
    auto waiting = waiting_.add(bell);
    while (running_ >= most_at_a_time)
        co_await bell.wait();
    Place place(running_, waiting_);
    std::string name = arguments.front();
    process::ChildResult result = co_await process::run_own_command(std::move(arguments), longest_child);
    std::string output(process::without_end(result.output));
    if (result.succeeded() && !output.empty()) co_return output;
    auto code = boost::system::errc::invalid_argument;
    co_return base::Error{make_error_code(code), process::failure_message(name, result)};
}

}  // namespace serve_shell
