// What Codex reports about failed requests and used-up limits. For this room only.
#pragma once

#include "agent_driver/driver.hpp"
#include "json/json.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace agent_driver {

// Asks whether somebody is logged in; its id is none of those of other requests.
inline constexpr std::string_view codex_account_id = "account";
inline constexpr std::string_view codex_account_request =
    R"({"id":"account","method":"account/read","params":{}})";
// The response says that the provider wants a login, and that there is none. A proxy in the provider's place
// may do without.
bool lacks_codex_login(json::View account);
// Names the missing login as the probable reason of the failure.
Failure without_codex_login(Failure failure);
// Whether the provider has answered the request that failed, and not because of a missing login.
bool has_codex_answer(json::View error);

// `error` is the "error" of a turn or of a notification: {"message": …, "codexErrorInfo": …}. `retried`: the
// program has tried again in this turn, which it does only after failures of the provider or the network.
FailureKind codex_failure_kind(json::View error, bool retried);

// The words of the same `error`.
std::string codex_details(json::View error);

// `rate_limits` as in account/rateLimits/updated: when the last window ends that is used up. Nothing if none
// is.
std::optional<std::chrono::sys_seconds> codex_limit_end(json::View rate_limits);

// How long the program waits before it tries a request again, as it says in a line of its log. Nothing if
// the line does not tell.
std::optional<std::chrono::seconds> codex_wait(std::string_view line);

// Whether the result of a call says that the program did not let the model do it: in its own words, or in
// those of the system about a command that has failed in its sandbox.
bool is_codex_refusal(std::string_view result);

}  // namespace agent_driver
