#include "context.hpp"

#include "base/exit_code.hpp"
#include "cli/common_options.hpp"
#include "cli/option_table.hpp"
#include "cli/output.hpp"
#include "io/internal_error.hpp"
#include "io/log.hpp"
#include "io/signals.hpp"
#include "pool_client/find_pools.hpp"

#include <boost/asio/co_spawn.hpp>

namespace troupe {

namespace asio = boost::asio;
using pool_protocol::PoolDirectory;

namespace {

cli::Completion names_of(const cli::Line& line, PoolChoice choice) {
    cli::Completion found;
    for (const auto& pool : pool_client::name_pools(line.value(cli::root_option().name)))
        if (choice == PoolChoice::any || pool.seems_served)
            found.candidates.push_back({pool.id, pool.seems_served ? "running" : "stopped"});
    return found;
}

}  // namespace

std::vector<cli::Option> global_options() {
    return {cli::root_option(), cli::log_level_option(), cli::log_format_option(), cli::help_option()};
}

void prepare(const cli::Options& given) {
    std::string level = cli::texts_of(cli::log_level_option(), given).front();
    io::log::set_level(io::log::parse_level(level).value());  // one of the choices
    io::log::use_format(cli::texts_of(cli::log_format_option(), given).front());
}

cli::Option pool_option(PoolChoice choice) {
    return {
        "pool",
        cli::text("POOL", "the id of a pool (for example reviews)").completed_by([=](const cli::Line& line) {
            return names_of(line, choice);
        }),
        "the pool's id: letters, digits, '_' and '-' (default: `default`)"};
}

cli::Option label_option(std::string summary) {
    return {"label", cli::text("LABEL", "a label (for example gpu)").as_list(), std::move(summary)};
}

base::Result<base::Labels> labels_of(const std::vector<std::string>& given) {
    auto labels = base::Labels::of(given);
    if (labels.has_error()) return base::with_context("--label", labels.error());
    return labels;
}

base::Result<PoolDirectory> pool_of(const cli::Options& given) {
    auto text = [&](const cli::Option& option) {
        auto texts = cli::texts_of(option, given);
        return texts.empty() ? "" : texts.front();
    };
    return pool_protocol::locate(text(cli::root_option()), text(pool_option()));
}

int run_loop(std::function<asio::awaitable<int>(asio::io_context&)> command) {
    io::ignore_unwanted_signals();
    asio::io_context loop(1);
    int exit_code = base::ExitCode::failure;
    asio::co_spawn(loop, command(loop), [&](std::exception_ptr exception, int code) {
        exit_code = code;
        if (exception) std::rethrow_exception(exception);
    });
    io::run_loop(loop);
    return exit_code;
}

int fail(const base::Error& error, int exit_code) {
    return cli::fail("troupe", error.message, exit_code);
}

}  // namespace troupe
