#include "event_loop.hpp"

#include "base/exit_code.hpp"
#include "cli/common_options.hpp"
#include "cli/option_table.hpp"
#include "fail.hpp"
#include "io/internal_error.hpp"
#include "io/log.hpp"
#include "io/signals.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>

namespace barnum {

namespace asio = boost::asio;

namespace {

std::string text_of(const cli::Option& option, const cli::Options& given) {
    auto texts = cli::texts_of(option, given);
    return texts.empty() ? std::string() : texts.front();
}

}  // namespace

std::string apply_global_options(const cli::Options& given) {
    if (auto level = io::log::parse_level(text_of(cli::log_level_option(), given)))
        io::log::set_level(*level);
    io::log::use_format(text_of(cli::log_format_option(), given));
    return text_of(cli::root_option(), given);
}

int run_event_loop(const std::function<asio::awaitable<int>(asio::any_io_executor)>& command) {
    io::ignore_unwanted_signals();
    asio::io_context loop(1);
    int exit_code = base::ExitCode::failure;
    asio::co_spawn(loop, command(loop.get_executor()), [&exit_code](std::exception_ptr exception, int code) {
        exit_code = code;
        if (exception) std::rethrow_exception(exception);
    });
    io::run_loop(loop);
    return exit_code;
}

}  // namespace barnum
