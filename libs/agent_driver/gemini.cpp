#include "agent_driver/acp.hpp"
#include "agent_driver/activity.hpp"
#include "agent_driver/fields.hpp"
#include "agent_driver/project.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace agent_driver {

namespace {

using json::View;

std::string_view approval_mode(Permissions permissions) {
    switch (permissions) {
        case Permissions::read:
            return "default";
        case Permissions::edit:
            return "auto_edit";
        case Permissions::full:
            return "yolo";
    }
    return "default";
}

// The program often passes on Google's whole error, as JSON in its message.
std::string plain_message(const std::string& message) {
    auto report = json::checked(message);
    std::string plain = report ? string_at(*report, {"error", "message"}) : "";
    return plain.empty() ? message : plain;
}

// A wrong key has the status 400, as other wrong requests have.
bool is_wrong_key(const std::string& message) {
    auto report = json::checked(message);
    if (!report) return false;
    for (View detail : elements_at(*report, {"error", "details"}))
        if (string_at(detail, {"reason"}) == "API_KEY_INVALID") return true;
    return false;
}

// The program asks the driver before it uses any tool but these, whatever the user's own settings allow. It
// cannot be made to ask before it searches the web. The calls of these tools do not tell the driver where
// they look, so the program checks that itself: otherwise its own files about earlier sessions count as files
// of the directory, and a pattern leads out of it by "..", which an escape or braces can hide.
constexpr std::string_view policy = R"([[rule]]
toolName = "*"
decision = "ask_user"
priority = 900

[[rule]]
toolName = ["list_directory", "grep_search", "glob", "update_topic", "write_todos", "complete_task",
            "activate_skill"]
decision = "allow"
priority = 901

[[rule]]
toolName = ["google_web_search", "read_many_files"]
decision = "deny"
priority = 902

[[rule]]
toolName = "glob"
argsPattern = '\\|\.\.|[{,/]\.*[,}]|[{,]\.*/'
decision = "deny"
priority = 902

[[rule]]
toolName = "grep_search"
argsPattern = '"include_pattern":"[^"]*(\\|\.\.|[{,/]\.*[,}]|[{,]\.*/)'
decision = "deny"
priority = 902

[[safety_checker]]
toolName = ["list_directory", "grep_search"]
priority = 900
[safety_checker.checker]
type = "in-process"
name = "allowed-path"
required_context = ["environment"]

[[safety_checker]]
toolName = "glob"
priority = 900
[safety_checker.checker]
type = "in-process"
name = "allowed-path"
required_context = ["environment"]
[safety_checker.checker.config]
included_args = ["pattern"]
)";

constexpr std::array<std::string_view, 2> gemini_variables{"GEMINI_", "GOOGLE_"};

class Gemini : public Acp {
  public:
    Gemini(const Settings& settings, const Prompt& prompt, const Surroundings& surroundings)
        : Acp(settings, prompt, surroundings), surroundings_(surroundings) {}

    Launch launch() override;

  protected:
    Failure failure(View error) const override;
    Events read_refusal(View update) override;
    Events read_usage(View result) override;
    bool is_of_server(View params) const override;
    bool only_asks_of_call() const override { return true; }

  private:
    Surroundings surroundings_;
    Usage usage_;
};

Launch Gemini::launch() {
    Launch launch = Acp::launch();
    launch.program = "gemini";
    launch.arguments = {"--acp", "--approval-mode", std::string(approval_mode(settings().permissions))};
    if (!settings().model.empty()) {
        launch.arguments.emplace_back("-m");
        launch.arguments.push_back(settings().model);
    }
    if (settings().permissions != Permissions::full) {
        launch.files.push_back({surroundings_.files + "/gemini-policy.toml", std::string(policy)});
        launch.arguments.insert(launch.arguments.end(), {"--admin-policy", launch.files.front().path});
    }
    // Otherwise the program runs as a child of itself, and starts a second later.
    launch.environment = {{"GEMINI_CLI_NO_RELAUNCH", "true"},
                          {"GEMINI_CLI_TRUST_WORKSPACE", settings().project_settings ? "true" : "false"}};
    launch.removed = foreign_secrets(surroundings_, gemini_variables);
    if (settings().project_settings) return launch;
    std::ranges::move(git_variables(), std::back_inserter(launch.environment));
    // The program would take these from a file .env in a directory that it does not trust.
    launch.withheld = {"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"};
    return launch;
}

Failure Gemini::failure(View error) const {
    Failure failure = Acp::failure(error);
    auto status = integer_at(error, {"code"}).value_or(0);
    failure.kind = kind_of_status(status).value_or(failure.kind);
    // The program gives an unknown model the status 500, with the provider's message.
    bool unknown_model = status == 500 && failure.message.starts_with("models/") &&
                         failure.message.find(" is not found") != std::string::npos;
    if (unknown_model || (status == 400 && is_wrong_key(failure.message)))
        failure.kind = FailureKind::not_ready;
    failure.message = plain_message(failure.message);
    // Google has no code for it.
    if (status == 400 && failure.message.find("exceeds the maximum number of tokens") != std::string::npos)
        failure.kind = FailureKind::too_large;
    return failure;
}

// The one that has used most, where there are several. The program chooses a model by itself if it is to.
std::string model_in(View result) {
    std::string model;
    std::uint64_t most = 0;
    for (View usage : elements_at(result, {"_meta", "quota", "model_usage"})) {
        std::uint64_t tokens = count_at(usage, {"token_count", "input_tokens"}) +
                               count_at(usage, {"token_count", "output_tokens"});
        if (!model.empty() && tokens <= most) continue;
        model = string_at(usage, {"model"});
        most = tokens;
    }
    return model;
}

// The program refuses by itself, without a question, what is outside of the directory, and what its policy
// denies. It calls the call by the tool's name and an id: "write_file__call_7".
Events Gemini::read_refusal(View update) {
    if (string_at(update, {"status"}) != "failed") return {};
    const std::string call = string_at(update, {"toolCallId"});
    for (View content : elements_at(update, {"content"})) {
        const std::string words = string_at(content, {"content", "text"});
        const bool is_outside = words.starts_with("Path not in workspace");
        if (!is_outside && !words.ends_with("denied by policy.")) continue;
        const std::size_t begin = std::min(words.find('"'), words.size() - 1) + 1;
        const std::string path = is_outside ? words.substr(begin, words.find('"', begin) - begin) : "";
        return {Denied{activity_text(call.substr(0, call.find("__")), path, settings().directory), "gemini"}};
    }
    return {};
}

// The program names such tools "mcp_SERVER_TOOL", and its own otherwise.
bool Gemini::is_of_server(View params) const {
    const std::string call = string_at(params, {"toolCall", "toolCallId"});
    return std::ranges::any_of(servers(), [&](const McpServer& server) {
        return call.starts_with(base::concat("mcp_", server.name, "_"));
    });
}

// The figures are those of the turn.
Events Gemini::read_usage(View result) {
    auto count = value_at(result, {"_meta", "quota", "token_count"});
    if (!count) return {};
    usage_.input += count_at(*count, {"input_tokens"});
    usage_.output += count_at(*count, {"output_tokens"});
    Events events = used(model_in(result));
    events.emplace_back(usage_);
    return events;
}

}  // namespace

std::unique_ptr<Driver> make_gemini(const Settings& settings, const Prompt& prompt,
                                    const Surroundings& surroundings) {
    return std::make_unique<Gemini>(settings, prompt, surroundings);
}

}  // namespace agent_driver
