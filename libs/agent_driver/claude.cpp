#include "agent_driver/activity.hpp"
#include "agent_driver/claude_errors.hpp"
#include "agent_driver/claude_tools.hpp"
#include "agent_driver/claude_usage.hpp"
#include "agent_driver/driver.hpp"
#include "agent_driver/fields.hpp"
#include "agent_driver/project.hpp"
#include "agent_driver/schema.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>
#include <set>

namespace agent_driver {

namespace {

using json::Kind;
using json::View;

// The schema is an argument, which the kernel limits to 128 KiB.
constexpr std::size_t longest_schema = 100'000;

// The tool by which the model answers if there is a schema.
constexpr std::string_view answer_tool = "StructuredOutput";

std::string user_message(std::string_view first, std::string_view second = {}, const Images& images = {}) {
    std::string content = base::concat("{\"type\":\"text\",\"text\":", json::quote(first), "}");
    if (!second.empty()) content += base::concat(",{\"type\":\"text\",\"text\":", json::quote(second), "}");
    content += each_of(images, R"(,{"type":"image","source":{"type":"base64","media_type":")",
                       R"(","data":")", "\"}}");
    return base::concat(R"({"type":"user","message":{"role":"user","content":[)", content, "]}}");
}

// All digits, without an exponent.
std::string decimal(double number) {
    std::array<char, 400> digits{};
    auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::fixed).ptr;
    return {digits.data(), end};
}

class Claude : public Driver {
  public:
    Claude(const Settings& settings, const Prompt& prompt, const Surroundings& surroundings)
        : settings_(settings), prompt_(prompt), surroundings_(surroundings), used_(prompt.used_before) {
        if (prompt.response_schema) schema_ = wrapped_schema(*prompt.response_schema);
        if (schema_.size() > longest_schema) schema_.clear();
    }

    Launch launch() override;
    Events read(View message) override;
    Events say(std::string_view text) override {
        drop(code_);
        return {Send{user_message(text)}};
    }
    Events interrupt() override {
        interrupted_ = true;
        return {
            Send{R"({"type":"control_request","request_id":"interrupt","request":{"subtype":"interrupt"}})"}};
    }

  private:
    std::vector<std::string> arguments() const;
    Events read_system(View message);
    Events read_part(View message);
    Events read_assistant(View message);
    Events read_tool_results(View message);
    Events read_denials(View result);
    Events read_limit(View message);
    Events read_result(View result);
    bool remember(std::set<std::string>& ids, std::string id);
    void count_request(View message);
    Failure failure(View result) const;
    FailureKind failure_kind(View result) const;

    Settings settings_;
    Prompt prompt_;
    Surroundings surroundings_;
    std::string schema_;  // empty: the response is looked for in the model's words
    std::string session_;
    std::set<std::string> requests_;            // the ids of the model's messages
    std::set<std::string> answers_;             // the ids of the model's calls that are answers
    std::map<std::string, std::string> calls_;  // what the model's calls are to do, by their ids
    std::string mistakes_;                      // of the last one, as the program has told the model
    ClaudeUsage used_;
    std::string code_;  // of the last failed request
    std::optional<std::chrono::sys_seconds> limit_until_;
    bool interrupted_ = false;
    bool is_shown_ = false;  // the part of its message that the model writes now
};

std::vector<std::string> Claude::arguments() const {
    std::vector<std::string> out{"-p", "--input-format", "stream-json", "--output-format", "stream-json"};
    auto add = [&](std::string name, std::string value) {
        out.push_back(std::move(name));
        out.push_back(std::move(value));
    };
    std::ranges::move(claude_tools(settings_, surroundings_), std::back_inserter(out));
    out.insert(out.end(), {"--verbose", "--include-partial-messages"});
    if (!settings_.project_settings) add("--setting-sources", "user");
    if (settings_.permissions == Permissions::full)
        out.emplace_back("--dangerously-skip-permissions");
    else
        add("--permission-mode", settings_.permissions == Permissions::edit ? "acceptEdits" : "default");
    if (!settings_.model.empty()) add("--model", settings_.model);
    if (!settings_.fallback_model.empty()) add("--fallback-model", settings_.fallback_model);
    if (!settings_.effort.empty()) add("--effort", settings_.effort);
    if (!schema_.empty()) add("--json-schema", schema_);
    if (!prompt_.resume.empty()) add("--resume", prompt_.resume);
    if (settings_.max_turns) add("--max-turns", std::to_string(*settings_.max_turns));
    if (settings_.max_usd) add("--max-budget-usd", decimal(*settings_.max_usd));
    return out;
}

Launch Claude::launch() {
    Launch launch;
    launch.program = "claude";
    launch.arguments = arguments();
    launch.environment = claude_environment(settings_);
    launch.environment.push_back({"MAX_STRUCTURED_OUTPUT_RETRIES", std::to_string(1 + prompt_.max_repairs)});
    if (!settings_.project_settings) {
        std::ranges::move(git_variables(), std::back_inserter(launch.environment));
        // Otherwise the program runs `git status` at its start.
        launch.environment.push_back({"CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS", "1"});
    }
    launch.removed = foreign_secrets(surroundings_, claude_variables());
    launch.lines = {prompt_.resume.empty()
                        ? user_message(instructions_text(prompt_, !schema_.empty()),
                                       value_text(prompt_.value, surroundings_.images), surroundings_.images)
                        : user_message(go_on_text())};
    return launch;
}

Events Claude::read(View message) {
    std::string type = string_at(message, {"type"});
    if (type == "system") return read_system(message);
    if (type == "stream_event") return read_part(message);
    if (type == "assistant") return read_assistant(message);
    if (type == "user") return read_tool_results(message);
    if (type == "rate_limit_event") return read_limit(message);
    if (type == "result") return read_result(message);
    return {};
}

Events Claude::read_system(View message) {
    std::string subtype = string_at(message, {"subtype"});
    if (subtype == "api_retry") return {Retrying{claude_retried_failure(message)}};
    std::string session = string_at(message, {"session_id"});
    if (subtype == "model_fallback") return {Session{session, string_at(message, {"fallback_model"})}};
    if (subtype != "init" || session == session_) return {};
    keep(session_, message_ids, session);
    return {Session{session, string_at(message, {"model"})}};
}

// A message while it is written. Of what the model gives to its tools, only its answer is shown.
Events Claude::read_part(View message) {
    auto event = message.find("event");
    if (!event || !string_at(message, {"parent_tool_use_id"}).empty()) return {};
    const std::string type = string_at(*event, {"type"});
    const int turn = static_cast<int>(requests_.size()) + 1;
    if (type == "content_block_start") {
        const std::string block = string_at(*event, {"content_block", "type"});
        is_shown_ = block == "text" || string_at(*event, {"content_block", "name"}) == answer_tool;
        if (!is_shown_) return {};
        return {Words{string_at(*event, {"content_block", "text"}), turn, true}};
    }
    if (type != "content_block_delta" || !is_shown_) return {};
    const std::string text = string_at(*event, {"delta", "text"});
    return {Words{text.empty() ? string_at(*event, {"delta", "partial_json"}) : text, turn}};
}

// Returns whether the id is new; false, too, if there is no room for it.
bool Claude::remember(std::set<std::string>& ids, std::string id) {
    if (ids.contains(id) || !room_.take(message_ids, id.size() + cost_of_key)) return false;
    return ids.insert(std::move(id)).second;
}

void Claude::count_request(View message) {
    if (remember(requests_, string_at(message, {"message", "id"})))
        used_.count(message, static_cast<int>(requests_.size()));
}

Events Claude::read_assistant(View message) {
    std::string code = string_at(message, {"error"});
    bool is_own = string_at(message, {"parent_tool_use_id"}).empty();
    if (is_own) keep(code_, message_ids, code);
    if (!code.empty()) return {};
    count_request(message);
    Events events{Retrying{}};
    for (View block : elements_at(message, {"message", "content"})) {
        auto input = block.find("input");
        std::string tool = string_at(block, {"name"});
        if (tool == answer_tool) remember(answers_, string_at(block, {"id"}));
        if (string_at(block, {"type"}) != "tool_use" || !input || tool == answer_tool) continue;
        std::string text = tool_text(tool, *input, settings_.directory);
        remember_call(calls_, string_at(block, {"id"}), text);
        events.emplace_back(Activity{std::move(text), static_cast<int>(requests_.size())});
    }
    events.emplace_back(used_.so_far());
    return events;
}

// The program checks answers that have a schema, and sends wrong ones back by itself.
Events Claude::read_tool_results(View message) {
    Events events;
    for (View block : elements_at(message, {"message", "content"})) {
        if (!is_true_at(block, {"is_error"})) continue;
        const std::string content = string_at(block, {"content"});
        if (answers_.contains(string_at(block, {"tool_use_id"}))) {
            used_.count_repair();
            keep(mistakes_, "the mistakes of its answer", content);
        } else if (auto call = calls_.find(string_at(block, {"tool_use_id"}));
                   call != calls_.end() && is_claude_refusal(content)) {
            events.emplace_back(Denied{call->second, "claude"});
        }
    }
    return events;
}

// In the end the program lists what it has refused; what each was to do may have been told before.
Events Claude::read_denials(View result) {
    Events events;
    for (View denial : elements_at(result, {"permission_denials"})) {
        std::string tool = string_at(denial, {"tool_name"});
        auto input = denial.find("tool_input");
        std::string text = input ? tool_text(tool, *input, settings_.directory) : activity_text(tool, "", "");
        events.emplace_back(Denied{std::move(text), "claude"});
    }
    return events;
}

Events Claude::read_limit(View message) {
    limit_until_.reset();
    auto until = integer_at(message, {"rate_limit_info", "resetsAt"});
    if (string_at(message, {"rate_limit_info", "status"}) == "rejected" && until)
        limit_until_ = std::chrono::sys_seconds(std::chrono::seconds(*until));
    return {};
}

FailureKind Claude::failure_kind(View result) const {
    if (auto kind = claude_kind_of_subtype(string_at(result, {"subtype"}))) return *kind;
    if (interrupted_) return FailureKind::interrupted;
    if (string_at(result, {"stop_reason"}) == "refusal") return FailureKind::refusal;
    if (is_too_long(string_at(result, {"terminal_reason"}))) return FailureKind::too_large;
    if (auto kind = claude_kind_of_code(code_)) return *kind;
    if (is_malformed_answer(string_at(result, {"result"}))) return FailureKind::overloaded;
    auto status = integer_at(result, {"api_error_status"});
    return (status ? kind_of_status(*status) : std::nullopt).value_or(FailureKind::error);
}

Failure Claude::failure(View result) const {
    Failure failure;
    failure.kind = failure_kind(result);
    failure.message = string_at(result, {"result"});
    for (View error : elements_at(result, {"errors"}))
        if (error.is(Kind::string)) failure.message += error.string();
    if (failure.kind == FailureKind::no_answer && !mistakes_.empty())
        failure.message += base::concat(": ", mistakes_);
    if (failure.kind == FailureKind::interrupted) failure.message = "the turn was interrupted";
    if (failure.message.empty()) failure.message = string_at(result, {"subtype"});
    if (failure.kind == FailureKind::usage_limit) failure.until = limit_until_;
    return failure;
}

Events Claude::read_result(View result) {
    if (claude_kind_of_subtype(string_at(result, {"subtype"})) == FailureKind::no_answer)
        used_.take_back_repair();
    used_.count_result(result);
    Events events{used_.so_far()};
    std::ranges::move(read_denials(result), std::back_inserter(events));
    if (string_at(result, {"subtype"}) != "success" || is_true_at(result, {"is_error"})) {
        events.emplace_back(failure(result));
    } else if (auto structured = result.find("structured_output");
               structured && structured->is(Kind::object)) {
        events.emplace_back(Answer{std::string(structured->text())});
    } else {
        events.emplace_back(Answer{string_at(result, {"result"})});
    }
    return events;
}

}  // namespace

std::unique_ptr<Driver> make_claude(const Settings& settings, const Prompt& prompt,
                                    const Surroundings& surroundings) {
    return std::make_unique<Claude>(settings, prompt, surroundings);
}

}  // namespace agent_driver
