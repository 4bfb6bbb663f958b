#include "context.hpp"

#include "io/log.hpp"
#include "io/signals.hpp"

#include <boost/asio/co_spawn.hpp>

#include <iostream>

namespace troupe {

namespace asio = boost::asio;
namespace po = boost::program_options;

namespace {

constexpr unsigned line_length = 100;

void set_log_level(const std::string& name) {
    auto level = io::log::parse_level(name);
    if (!level)
        throw po::error("--log-level is one of off, error, warn, info, debug, trace; not '" + name + "'");
    io::log::set_level(*level);
}

}  // namespace

po::options_description global_options() {
    po::options_description options("Options of every command", line_length);
    options.add_options()(
        "root", po::value<std::string>()->value_name("DIR"),
        "where pools live, in DIR/pools/POOL (default: $TROUPE_ROOT, else $AGENT_POOL_ROOT, else "
        "/tmp/troupe)")(
        "log-level,l",
        po::value<std::string>()->value_name("LEVEL")->default_value("info")->notifier(set_log_level),
        "off, error, warn, info, debug or trace; the log goes to stderr")("help,h", "print help");
    return options;
}

void add_pool_option(po::options_description& options) {
    options.add_options()("pool", po::value<std::string>()->value_name("POOL"),
                          "the pool's id: letters, digits, '_' and '-' (default: default)");
}

base::Result<pool_protocol::PoolDirectory> pool_of(const cli::Options& options) {
    auto text = [&](const char* name) {
        return options.count(name) > 0 ? options[name].as<std::string>() : "";
    };
    return pool_protocol::locate(text("root"), text("pool"));
}

int run_loop(std::function<asio::awaitable<int>(asio::io_context&)> command) {
    io::ignore_unwanted_signals();
    asio::io_context loop(1);
    int exit_code = cli::failure;
    asio::co_spawn(loop, command(loop), [&](std::exception_ptr exception, int code) {
        exit_code = code;
        if (!exception) return;
        exit_code = cli::failure;
        try {
            std::rethrow_exception(exception);
        } catch (const std::exception& error) {
            io::log::error("internal error: ", std::string_view(error.what()));
        }
    });
    loop.run();
    return exit_code;
}

int fail(const base::Error& error, int exit_code) {
    std::cerr << "troupe: " << error.message << "\n";
    return exit_code;
}

}  // namespace troupe
