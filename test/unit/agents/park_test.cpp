// Parks of accounts: how long, and whose.
#include "agents/park.hpp"

#include "agents/absence.hpp"

#include <catch2/catch.hpp>

#include <map>

namespace {

using namespace agents;
using namespace std::chrono_literals;
using Time = Park::Time;

const Account account{"claude", "/home/me/.claude"};
const Time now{1'795'000'000s};

Park after(const std::optional<Park>& last, std::optional<Time> told, Time time = now, double jitter = 0) {
    return next_park(account, last, "limit", told, time, jitter);
}

Account account_with(std::map<std::string, std::string> variables, agent_driver::Settings settings) {
    return account_of(settings, [=](const std::string& name) {
        auto found = variables.find(name);
        return found == variables.end() ? std::string() : found->second;
    });
}

agent_driver::Settings settings(agent_driver::AgentKind kind) {
    agent_driver::Settings made;
    made.kind = kind;
    return made;
}

}  // namespace

TEST_CASE("an account is parked until the limit's end and up to a minute more") {
    CHECK(after({}, now + 2h).until == now + 2h);
    CHECK(after({}, now + 2h, now, 1).until == now + 2h + 1min);
    CHECK(after({}, now + 2h, now, 0.5).until == now + 2h + 30s);
    CHECK(after({}, now + 2h).reason == "limit");
    CHECK(after({}, now + 2h).since == now);
}

TEST_CASE("an end that cannot be right is corrected") {
    CHECK(after({}, now - 1h).until == now + 1min);
    CHECK(after({}, now + 100 * 24h).until == now + 8 * 24h);
}

TEST_CASE("a limit whose end is unknown lasts longer each time, up to an hour") {
    std::optional<Park> last;
    Time time = now;
    for (auto expected : {5min, 10min, 20min, 40min, 60min, 60min}) {
        last = after(last, {}, time);
        CHECK(last->until - time == expected);
        time = last->until;
    }
    last = after(last, time + 2h, time);
    CHECK(after(last, {}, last->until).until - last->until == 5min);
}

TEST_CASE("a second agent that reaches the limit does not prolong an unknown end") {
    Park first = after({}, {});
    Park second = after(first, {}, now + 10s);
    CHECK(second.until == first.until);
    CHECK(second.since == first.since);
    CHECK(second.guesses == first.guesses);
    CHECK(after(first, now + 2h, now + 10s).until == now + 2h);
    Park longer = after({}, now + 3h);
    CHECK(after(longer, now + 2h, now + 10s).until == longer.until);
}

TEST_CASE("a park is read as it was written") {
    Park park = after({}, {}, now, 0.25);
    park.reason = "You've hit \"it\"\n";
    auto read = parse_park(to_json(park), now);
    REQUIRE(read);
    CHECK(read->account == park.account);
    CHECK(read->reason == park.reason);
    CHECK(read->since == park.since);
    CHECK(read->until == park.until);
    CHECK(read->guesses == park.guesses);
    for (const char* wrong :
         {"", "{}", "[1]", R"({"kind":"claude","place":"/","since":1,"until":"x","guesses":1})",
          R"({"kind":"claude","place":"/","since":1,"until":2,"guesses":-1})",
          R"({"kind":"claude","place":"/","since":5,"until":4,"guesses":0})",
          R"({"kind":"claude","place":"/","since":1,"until":9000000000000000000,"guesses":0})"})
        CHECK_FALSE(parse_park(wrong, now));
}

TEST_CASE("a park of the future, or one that is too long, is not believed") {
    auto reads = [](Time since, Time until) {
        Park park{account, "limit", since, until, 0};
        CHECK(is_possible(park, now) == parse_park(to_json(park), now).has_value());
        return is_possible(park, now);
    };
    CHECK(reads(now, now + 8 * 24h + 1min));
    CHECK_FALSE(reads(now, now + 8 * 24h + 2min));
    CHECK(reads(now + 1min, now + 1h));
    CHECK_FALSE(reads(now + 2min, now + 1h));
    CHECK_FALSE(reads(now + 24h * 365 * 30, now + 24h * 365 * 30 + 1h));
    CHECK_FALSE(reads(Time(std::chrono::seconds(INT64_MAX) - 1h), Time(std::chrono::seconds(INT64_MAX))));
    CHECK_FALSE(reads(Time(-1s), now));
}

TEST_CASE("a park on one line") {
    Park park{account, "You've hit your limit\nmore", now, Time(1'795'321'531s), 0};
    CHECK(to_string(park) ==
          "claude (/home/me/.claude) is parked until 2026-11-22T04:25:31Z: You've hit your limit");
}

TEST_CASE("an account is a kind and the place of its configuration") {
    using agent_driver::AgentKind;
    const std::map<std::string, std::string> home{{"HOME", "/home/me"}};
    CHECK(account_with(home, settings(AgentKind::claude)) == account);
    CHECK(account_with(home, settings(AgentKind::codex)).place == "/home/me/.codex");
    CHECK(account_with(home, settings(AgentKind::gemini)).place == "/home/me/.gemini");
    CHECK(account_with({{"HOME", "/home/me"}, {"CODEX_HOME", "/c"}}, settings(AgentKind::codex)).place ==
          "/c");
    CHECK(
        account_with({{"HOME", "/home/me"}, {"GEMINI_CLI_HOME", "/g"}}, settings(AgentKind::gemini)).place ==
        "/g/.gemini");
    auto own = settings(AgentKind::claude);
    own.env = {{"CLAUDE_CONFIG_DIR", "/second"}};
    CHECK(account_with({{"CLAUDE_CONFIG_DIR", "/first"}}, own).place == "/second");
    auto acp = settings(AgentKind::acp);
    acp.command = "opencode acp";
    CHECK(account_with(home, acp).place == "/home/me: opencode acp");
}

TEST_CASE("the files of two accounts have different names") {
    CHECK(park_file_name(account) != park_file_name({"claude", "/home/me/.claude2"}));
    CHECK(park_file_name(account) != park_file_name({"codex", "/home/me/.claude"}));
    CHECK(park_file_name(account).find('/') == std::string::npos);
}

TEST_CASE("the absence of a parked agent names the account, and the reason on one line") {
    Park park;
    park.account = account;
    park.reason = "limit\nmore";
    park.until = now + 2h;
    AbsenceNotice notice = notice_of(park, now - 500ms);
    CHECK(notice.account == "claude (/home/me/.claude)");
    CHECK(notice.reason == "limit");
    CHECK(notice.time == 2h + 500ms);
    CHECK(notice.is_its_own);
    CHECK(notice.why == to_string(park));
}

TEST_CASE("accounts with the same place are told apart by their keys, which nothing shows") {
    using agent_driver::AgentKind;
    const std::string home = "/home/me", secret = "sk-ant-0123456789";
    const auto of = [&](AgentKind kind, const std::string& name, const std::string& key) {
        return account_with({{"HOME", home}, {name, key}}, settings(kind));
    };
    const Account plain = account_with({{"HOME", home}}, settings(AgentKind::claude));
    CHECK(to_string(plain) == "claude (/home/me/.claude)");
    CHECK(plain.digest.empty());
    const Account one = of(AgentKind::claude, "ANTHROPIC_API_KEY", secret);
    CHECK(one.digest.size() == 8);
    CHECK(to_string(one) == "claude (/home/me/.claude, key " + one.digest + ")");
    CHECK(one == of(AgentKind::claude, "ANTHROPIC_API_KEY", secret));
    CHECK(one != plain);
    CHECK(short_name(one) != short_name(plain));
    CHECK(short_name(one) != short_name(of(AgentKind::claude, "ANTHROPIC_API_KEY", secret + "0")));
    CHECK(of(AgentKind::claude, "OPENAI_API_KEY", secret).digest.empty());
    CHECK_FALSE(of(AgentKind::codex, "OPENAI_API_KEY", secret).digest.empty());
    CHECK_FALSE(of(AgentKind::gemini, "GEMINI_API_KEY", secret).digest.empty());
    const Park park = next_park(one, {}, "limit", {}, now, 0);
    CHECK(to_json(park).find(secret) == std::string::npos);
    CHECK(parse_park(to_json(park), now)->account == one);
}
