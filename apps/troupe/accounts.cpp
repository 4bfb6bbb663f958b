#include "agents/parks.hpp"
#include "base/text.hpp"
#include "base/text_parts.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "context.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"

#include <iostream>

namespace troupe {

namespace {

constexpr const char* accounts_details =
    R"~(When an agent's program reports that its account has reached a usage limit, the account is parked until the limit
ends: no agent of the account takes a task, in any process of this user on this machine, and nothing is lost: tasks wait,
or are done by agents of other accounts. This command prints the accounts that are parked now, with the local times of
their ends, or lets their agents take tasks again at once, for example after the limit was raised. If the limit is still
there, the account is parked again.

Examples:
  troupe accounts
  troupe accounts resume
  troupe accounts resume --kind claude
)~";

struct AccountsArguments {
    std::string action;
    std::string kind;  // empty: all
};

const cli::OptionTable<AccountsArguments>& accounts_option_table() {
    using cli::into;
    static const cli::OptionTable<AccountsArguments> table{
        {{.name = "action",
          .value = cli::choice("ACTION", {{"list", "print the parked accounts"},
                                          {"resume", "let their agents take tasks again at once"}})
                       .with_default("list"),
          .summary = "what to do",
          .is_positional = true},
         into(&AccountsArguments::action)},
        {{"kind", cli::choice("KIND", {{"claude"}, {"codex"}, {"gemini"}, {"acp"}}),
          "only accounts of this kind of agents"},
         into(&AccountsArguments::kind)}};
    return table;
}

// With the local time, as `troupe status` has it; the log's times are UTC.
std::string text_of(const agents::Park& park) {
    std::string_view reason = base::first_line(park.reason);
    return base::concat(to_string(park.account), " is parked until ",
                        terminal::time_text(park.until.time_since_epoch()), reason.empty() ? "" : ": ",
                        reason);
}

int print(const std::vector<agents::Park>& parks) {
    for (const agents::Park& park : parks)
        std::cout << terminal::printable(text_of(park)) << "\n";
    return cli::ok;
}

int resume(agents::Parks& accounts, const std::vector<agents::Park>& parks) {
    for (const agents::Park& park : parks) {
        if (auto lifted = accounts.lift(park.account); lifted.has_error()) return fail(lifted.error());
        std::cout << terminal::printable(base::concat(park.account.kind, " (", park.account.place,
                                                      ") is not parked any more"))
                  << "\n";
    }
    return cli::ok;
}

int run(const cli::Options& given) {
    auto arguments = cli::read(accounts_option_table(), given);
    agents::Parks accounts;
    auto parks = accounts.all();
    std::erase_if(parks, [&](const agents::Park& park) {
        return !arguments.kind.empty() && park.account.kind != arguments.kind;
    });
    if (parks.empty())
        std::cerr << "no account " << (arguments.kind.empty() ? "" : "of the kind " + arguments.kind + " ")
                  << "is parked\n";
    return arguments.action == "resume" ? resume(accounts, parks) : print(parks);
}

}  // namespace

cli::Command accounts_command() {
    cli::Command command;
    command.name = "accounts";
    command.summary = "Show the accounts that have reached a usage limit, or let their agents try again.";
    command.details = accounts_details;
    command.options = cli::options_of(accounts_option_table());
    command.run = run;
    return command;
}

}  // namespace troupe
