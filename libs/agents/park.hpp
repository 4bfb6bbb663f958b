// A park: the time in which no agent of an account works, because the account has reached a usage limit of
// its provider. Pure.
#pragma once

#include "agent_driver/settings.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace agents {

// A login at a provider, as far as agents can tell: the kind of program, where it keeps its configuration and
// its login, and the key that it has instead of one.
struct Account {
    std::string kind;         // "claude"
    std::string place;        // "/home/me/.claude"
    std::string digest = {};  // of the key, a part of it, by which nobody can use it; empty without a key

    friend auto operator<=>(const Account&, const Account&) = default;
};

// `variable` gives the value of a variable of this process's environment, empty if it is not set; those of
// the settings have precedence.
Account account_of(const agent_driver::Settings& settings,
                   const std::function<std::string(const std::string& name)>& variable);

// "claude (/home/me/.claude)", "claude (/home/me/.claude, key 5f0c12ab)"
std::string to_string(const Account& account);

// A name for the account that does not tell its place.
std::string short_name(const Account& account);

// The name of the file in which the account's park is kept.
std::string park_file_name(const Account& account);

struct Park {
    using Time = std::chrono::sys_seconds;

    Account account;
    std::string reason;  // what the program said
    Time since;
    Time until;
    int guesses = 0;  // how many limits in a row did not tell their end
};

// Whether it can have been written by now: it has begun, and is not longer than the longest of next_park().
// Otherwise it was written under a wrong clock, or by somebody else. A clock may differ by a minute.
bool is_possible(const Park& park, Park::Time now);

std::string to_json(const Park& park);
// Nothing if it is none, or an impossible one.
std::optional<Park> parse_park(std::string_view text, Park::Time now);

// The park after a usage limit. `told`: when the limit ends, if the program has told. A limit whose end is
// unknown lasts 5 minutes, doubled each time in a row up to an hour; one that ends in the past, or in more
// than 8 days, lasts a minute, or 8 days. `jitter`, from 0 to 1, spreads the agents' return over a minute.
// `last`: the account's park so far; if it has not ended, it is only extended.
Park next_park(Account account, const std::optional<Park>& last, std::string reason,
               std::optional<Park::Time> told, Park::Time now, double jitter);

// "claude (/home/me/.claude) is parked until 14:05:00Z: <reason>", on one line
std::string to_string(const Park& park);

}  // namespace agents
