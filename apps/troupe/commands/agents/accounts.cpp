#include "agents/parks.hpp"
#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "base/text_parts.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "context.hpp"
#include "json/object_writer.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"

#include <chrono>
#include <cstdint>
#include <iostream>
#include <optional>

namespace troupe {

namespace {

constexpr const char* accounts_details =
    R"~(When an agent's program reports that its account has reached a usage limit, the account is parked until the limit ends:
no agent of the account takes a task, in any process of this user on this machine, and nothing is lost: tasks wait, or
are done by agents of other accounts. This command prints the accounts that are parked now, each with its key and the
local time of its end, or lets their agents take tasks again at once, for example after the limit was raised. If the
limit is still there, the account is parked again. Without a KEY, it is about all of them; the beginning of a key is
enough.

Examples:
  troupe accounts
  troupe accounts resume
  troupe accounts resume --kind claude
  troupe accounts resume claude-5f0c
  troupe accounts --json

Exit codes: 1 no account with the KEY is parked, or several are, or the parks cannot be read; 2 the command line is
invalid.
)~";

struct AccountsArguments {
    std::string action;
    std::string key;   // or its beginning; empty: all
    std::string kind;  // empty: all
    bool json = false;
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
        {{.name = "key",
          .value = cli::text("KEY", "the key of an account, or its beginning (for example claude-5f0c)"),
          .summary = "only the account with this key",
          .is_positional = true},
         into(&AccountsArguments::key)},
        {{"kind", cli::choice("KIND", {{"claude"}, {"codex"}, {"gemini"}, {"acp"}}),
          "only accounts of this kind of agents"},
         into(&AccountsArguments::kind)},
        {{"json", cli::none(), "print a JSON array with all that is known of each of these accounts"},
         into(&AccountsArguments::json)}};
    return table;
}

// Contains the local time, as `troupe status` has it; the log's times are UTC.
std::string text_of(const agents::Park& park) {
    std::string_view reason = base::first_line(park.reason);
    return base::concat(short_name(park.account), ": ", to_string(park.account), " is parked until ",
                        terminal::time_text(park.until.time_since_epoch()), reason.empty() ? "" : ": ",
                        reason);
}

std::int64_t in_milliseconds(agents::Park::Time time) {
    return std::chrono::milliseconds(time.time_since_epoch()).count();
}

std::string json_of(const agents::Park& park) {
    return json::ObjectWriter()
        .text("key", short_name(park.account))
        .text("kind", park.account.kind)
        .text("place", park.account.place)
        .raw("key_digest", park.account.digest.empty() ? "null" : json::quote(park.account.digest))
        .number("since", in_milliseconds(park.since))
        .number("until", in_milliseconds(park.until))
        .flag("until_is_known", park.guesses == 0)
        .text("reason", park.reason)
        .done();
}

void print_json(const std::vector<agents::Park>& parks) {
    std::cout << "[";
    for (const agents::Park& park : parks)
        std::cout << (&park == &parks.front() ? "" : ",") << json_of(park);
    std::cout << "]\n";
}

int print(const std::vector<agents::Park>& parks) {
    for (const agents::Park& park : parks)
        std::cout << terminal::printable(text_of(park)) << "\n";
    return base::ExitCode::ok;
}

int resume(agents::Parks& accounts, const std::vector<agents::Park>& parks, bool json) {
    for (const agents::Park& park : parks) {
        if (auto lifted = accounts.lift(park.account); lifted.has_error()) return fail(lifted.error());
        if (json) continue;
        std::cout << terminal::printable(base::concat(to_string(park.account), " is not parked any more"))
                  << "\n";
    }
    if (json) print_json(parks);
    return base::ExitCode::ok;
}

bool fits(const AccountsArguments& arguments, const agents::Park& park) {
    return (arguments.kind.empty() || park.account.kind == arguments.kind) &&
           short_name(park.account).starts_with(arguments.key);
}

// Nothing if it is the one that was meant.
std::optional<base::Error> problem_of(const AccountsArguments& arguments, std::size_t found) {
    if (arguments.key.empty() || found == 1) return std::nullopt;
    return base::invalid(base::concat(found == 0 ? "no account" : "more than one account", " with the key ",
                                      arguments.key, " is parked; `troupe accounts` lists those that are"));
}

int run(const cli::Options& given) {
    auto arguments = cli::read(accounts_option_table(), given);
    agents::Parks accounts;
    auto all = accounts.all();
    if (all.has_error()) return fail(base::with_context("the parks of accounts cannot be read", all.error()));
    std::vector<agents::Park> parks = std::move(*all);
    std::erase_if(parks, [&](const agents::Park& park) { return !fits(arguments, park); });
    if (auto problem = problem_of(arguments, parks.size())) return fail(*problem);
    if (parks.empty() && !arguments.json)
        std::cerr << "no account " << (arguments.kind.empty() ? "" : "of the kind " + arguments.kind + " ")
                  << "is parked\n";
    if (arguments.action == "resume") return resume(accounts, parks, arguments.json);
    if (!arguments.json) return print(parks);
    print_json(parks);
    return base::ExitCode::ok;
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
