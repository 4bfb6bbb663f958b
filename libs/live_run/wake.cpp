#include "live_run/wake.hpp"

#include "io/log.hpp"
#include "process/child_process.hpp"

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

namespace live_run {

namespace asio = boost::asio;

// Detached: with pipes to this process, the agents that it leaves behind would lose their stderr with it.
asio::awaitable<bool> run_wake(std::optional<std::string> script) {
    if (!script) co_return true;
    process::ChildSpec spec;
    spec.script = std::move(*script);
    spec.directory = ".";
    spec.detached = true;
    process::ChildResult result = co_await process::run_child(std::move(spec));
    if (result.end == process::ChildResult::End::cancelled)
        throw boost::system::system_error(asio::error::operation_aborted);
    if (!result.succeeded())
        io::log::error("the --wake script ", process::describe(result), "; its output is on stderr");
    co_return result.succeeded();
}

}  // namespace live_run
