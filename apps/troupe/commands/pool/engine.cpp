#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "cli/output.hpp"
#include "commands.hpp"
#include "context.hpp"
#include "edge_program.hpp"
#include "engine_settings.hpp"
#include "interruptible.hpp"
#include "terminal/width.hpp"

#include <iomanip>
#include <iostream>

namespace troupe {

namespace asio = boost::asio;
using edge_shell::Finding;

namespace {

constexpr const char* engine_details =
    R"(Looks whether the NATS servers of --engine are right for a pool over many hosts: each server and its version, what the
user may do, the pool's streams and queues, the limits of the account, and the size of messages. The pool may be
running, or may never have been started. Each line begins with what was found: `ok`, `note` (it works, but should be
known), `wrong` (with what to do) or `changed`.

Without --fix, nothing is changed. With it, streams that are not as the pool needs them are changed, where the server
allows it, and get as many replicas as --engine-replicas says. No task is lost by that.

Each option of the engine can be given in the environment as well, as for `troupe start`; see docs/hosts.md.

Examples:
  troupe engine check --pool reviews --engine nats://h1:4222
  troupe engine check --pool reviews --engine tls://h1,tls://h2,tls://h3 --engine-replicas 3 --fix

Exit codes: 0 all is right; 1 something is wrong; 2 the command line is invalid.
)";

struct EngineArguments {
    bool mends = false;
};

const cli::OptionTable<EngineArguments>& engine_option_table() {
    using cli::into;
    static const cli::OptionTable<EngineArguments> table{
        {pool_option(), {}},
        {{"fix", cli::none(), "change streams of the pool that are not as they should be"},
         into(&EngineArguments::mends)}};
    return table;
}

std::string_view word_of(Finding::Verdict verdict) {
    switch (verdict) {
        case Finding::Verdict::right:
            return "ok";
        case Finding::Verdict::note:
            return "note";
        case Finding::Verdict::changed:
            return "changed";
        case Finding::Verdict::wrong:
            break;
    }
    return "wrong";
}

void print(const Finding& finding) {
    constexpr int width = 8;  // of the longest word, and a space
    std::cout << std::left << std::setw(width) << word_of(finding.verdict)
              << terminal::printable(base::concat(finding.about, ": ", finding.text)) << std::endl;
}

int check(const EngineAccess& engine, const std::string& pool, bool mends) {
    return run_interruptible([&](io::DirectoryWatch&) -> asio::awaitable<int> {
        std::size_t wrong = 0;
        co_await engine.check(co_await asio::this_coro::executor, pool, mends, [&](const Finding& finding) {
            if (finding.verdict == Finding::Verdict::wrong) ++wrong;
            print(finding);
        });
        if (wrong == 0) co_return cli::flushed("troupe", base::ExitCode::ok);
        co_return fail(base::invalid(base::concat("the engine is not right for the pool ", pool, ": ",
                                                  base::counted(wrong, "problem"))));
    });
}

}  // namespace

cli::Command engine_command(PrepareEngine prepare_engine) {
    cli::Command command;
    command.name = "check";
    command.summary = "Look whether the NATS servers are right for a pool over many hosts.";
    command.details = engine_details;
    command.options = cli::options_of(engine_option_table());
    for (cli::Option& option : engine_options())
        command.options.push_back(std::move(option));
    command.run = [prepare_engine = std::move(prepare_engine)](const cli::Options& given) {
        auto directory = pool_of(given);
        if (directory.has_error()) return fail(directory.error(), base::ExitCode::usage);
        auto settings = engine_settings(given);
        if (settings.has_error()) return fail(settings.error(), base::ExitCode::usage);
        if (settings->servers.empty())
            return fail(base::invalid("give --engine, which says where the servers are, for example --engine "
                                      "nats://h1:4222"),
                        base::ExitCode::usage);
        if (!prepare_engine) return fail(become_edge_program());
        auto engine = prepare_engine(*settings);
        if (engine.has_error()) return fail(engine.error(), base::ExitCode::usage);
        return check(*engine, directory->pool, cli::read(engine_option_table(), given).mends);
    };
    cli::Command group;
    group.name = "engine";
    group.summary = "Look after the engine of a pool over many hosts.";
    group.commands = {std::move(command)};
    return group;
}

}  // namespace troupe
