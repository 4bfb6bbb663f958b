#include "agents/park.hpp"

#include "base/checksum.hpp"
#include "base/text.hpp"
#include "base/text_parts.hpp"
#include "base/utc_text.hpp"
#include "json/byte_members.hpp"
#include "json/json.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <span>

namespace agents {

namespace {

using namespace std::chrono_literals;
using std::chrono::seconds;
using Time = Park::Time;

constexpr seconds first_guess = 5min;
constexpr seconds longest_guess = 1h;
constexpr seconds shortest = 1min;
constexpr seconds longest = 8 * 24h;
constexpr seconds spread = 1min;
constexpr int most_guesses = 1000;  // in a file

seconds guess(int guesses) {
    seconds time = first_guess;
    for (int i = 1; i < guesses && time < longest_guess; ++i)
        time *= 2;
    return std::min(time, longest_guess);
}

// The directory that a variable names, or the one below another directory.
std::string place_of(agent_driver::AgentKind kind, const std::function<std::string(const char*)>& value) {
    using agent_driver::AgentKind;
    auto named = [&](const char* name, std::string_view below_home) {
        std::string place = value(name);
        return place.empty() ? base::concat(value("HOME"), below_home) : place;
    };
    switch (kind) {
        case AgentKind::claude:
            return named("CLAUDE_CONFIG_DIR", "/.claude");
        case AgentKind::codex:
            return named("CODEX_HOME", "/.codex");
        case AgentKind::gemini:
            return named("GEMINI_CLI_HOME", "") + "/.gemini";
        case AgentKind::acp:
        case AgentKind::exec:
        case AgentKind::shell:
            break;
    }
    return value("HOME");
}

// The variables with a key that the program prefers to its login, in its order.
std::span<const char* const> key_variables(agent_driver::AgentKind kind) {
    using agent_driver::AgentKind;
    static constexpr std::array claude{"ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY",
                                       "CLAUDE_CODE_OAUTH_TOKEN"};
    static constexpr std::array codex{"CODEX_API_KEY", "OPENAI_API_KEY"};
    static constexpr std::array gemini{"GEMINI_API_KEY", "GOOGLE_API_KEY"};
    if (kind == AgentKind::claude) return claude;
    if (kind == AgentKind::codex) return codex;
    if (kind == AgentKind::gemini) return gemini;
    return {};
}

template<std::size_t size>
std::string hexadecimal(std::uint64_t number) {
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(number));
    return std::string(digits.data(), size);
}

// Long enough to tell the keys of a user apart, and too short to say anything about them.
std::string digest_of(std::string_view key) {
    return key.empty() ? std::string() : hexadecimal<8>(base::checksum(key));
}

std::optional<std::string> text_in(json::View object, std::string_view name) {
    auto member = object.find(name);
    if (!member || !member->is(json::Kind::string)) return std::nullopt;
    return member->string();
}

std::optional<std::int64_t> number_in(json::View object, std::string_view name) {
    auto member = object.find(name);
    if (!member || !member->is(json::Kind::number)) return std::nullopt;
    return member->integer();
}

}  // namespace

Account account_of(const agent_driver::Settings& settings,
                   const std::function<std::string(const std::string& name)>& variable) {
    auto value = [&](const char* name) {
        for (auto own = settings.env.rbegin(); own != settings.env.rend(); ++own)
            if (own->name == name) return own->value;
        return variable(name);
    };
    std::string place = place_of(settings.kind, value);
    if (!settings.command.empty()) place += base::concat(": ", settings.command);
    std::string key;
    for (const char* name : key_variables(settings.kind))
        if (key.empty()) key = value(name);
    return {std::string(kind_name(settings.kind)), std::move(place), digest_of(key)};
}

std::string to_string(const Account& account) {
    return base::concat(account.kind, " (", account.place, account.digest.empty() ? "" : ", key ",
                        account.digest, ")");
}

std::string short_name(const Account& account) {
    const std::string name =
        account.digest.empty() ? account.place : base::concat(account.place, "\n", account.digest);
    return base::concat(account.kind, "-", hexadecimal<16>(base::checksum(name)));
}

std::string park_file_name(const Account& account) {
    return short_name(account) + ".json";
}

std::string to_json(const Park& park) {
    return base::concat(
        "{\"kind\":", json::quote(park.account.kind), ",", json::byte_member("place", park.account.place),
        park.account.digest.empty() ? "" : ",\"digest\":",
        park.account.digest.empty() ? "" : json::quote(park.account.digest),
        ",\"since\":", park.since.time_since_epoch().count(),
        ",\"until\":", park.until.time_since_epoch().count(),
        ",\"guesses\":", std::min(park.guesses, most_guesses), ",\"reason\":", json::quote(park.reason), "}");
}

bool is_possible(const Park& park, Time now) {
    const Time earliest{};
    return park.since >= earliest && park.since <= now + spread && park.until >= park.since &&
           park.until - park.since <= longest + spread;
}

std::optional<Park> parse_park(std::string_view text, Time now) {
    auto object = json::checked(text);
    if (!object) return std::nullopt;
    auto kind = text_in(*object, "kind");
    auto place = json::bytes_in(*object, "place");
    auto since = number_in(*object, "since");
    auto until = number_in(*object, "until");
    auto guesses = number_in(*object, "guesses");
    if (!kind || !place || !since || !until || !guesses || *guesses < 0 || *guesses > most_guesses)
        return std::nullopt;
    Park park;
    park.account = {std::move(*kind), std::move(*place), text_in(*object, "digest").value_or("")};
    park.reason = text_in(*object, "reason").value_or("");
    park.since = Time(seconds(*since));
    park.until = Time(seconds(*until));
    park.guesses = static_cast<int>(*guesses);
    return is_possible(park, now) ? std::optional(std::move(park)) : std::nullopt;
}

Park next_park(Account account, const std::optional<Park>& last, std::string reason, std::optional<Time> told,
               Time now, double jitter) {
    Park park;
    park.account = std::move(account);
    park.reason = std::move(reason);
    park.since = now;
    const bool goes_on = last && last->until > now;
    if (last) park.guesses = last->guesses;
    if (told) {
        park.until = std::clamp(*told, now + shortest, now + longest);
        park.guesses = 0;
    } else {
        if (!goes_on) ++park.guesses;
        park.until = now + guess(park.guesses);
    }
    park.until += std::chrono::duration_cast<seconds>(spread * std::clamp(jitter, 0.0, 1.0));
    if (goes_on) {
        park.since = last->since;
        park.until = told ? std::max(park.until, last->until) : last->until;
    }
    return park;
}

std::string to_string(const Park& park) {
    std::string_view reason = base::first_line(park.reason);
    return base::concat(to_string(park.account), " is parked until ", base::utc_text(park.until),
                        reason.empty() ? "" : ": ", reason);
}

}  // namespace agents
