#include "agent_driver/codex_arguments.hpp"
#include "agent_driver/codex_errors.hpp"
#include "agent_driver/codex_items.hpp"
#include "agent_driver/driver.hpp"
#include "agent_driver/fields.hpp"
#include "agent_driver/rpc.hpp"
#include "agent_driver/schema.hpp"
#include "base/text.hpp"

#include <map>
#include <utility>

namespace agent_driver {

namespace {

using json::View;

// Without the capability the program refuses to be told which profile of permissions a thread has.
constexpr std::string_view client = R"({"clientInfo":{"name":"barnum","title":"Barnum","version":"1"},)"
                                    R"("capabilities":{"experimentalApi":true}})";
constexpr std::int64_t initialize_request = 1;

// The program runs `git status` for a summary that nobody reads. With such a count git refuses to run; the
// commands of the model have another one.
constexpr std::string_view no_git = "none";

// The program tells only in its log how long it waits before it tries again.
constexpr std::string_view logged = "error,codex_core::responses_retry=warn";
constexpr std::string_view log_of_retries = "codex_core::responses_retry: ";

class Codex : public Driver {
  public:
    Codex(const Settings& settings, const Prompt& prompt, const Surroundings& surroundings)
        : settings_(settings), prompt_(prompt), surroundings_(surroundings) {
        if (!prompt.response_schema) return;
        std::string schema = wrapped_schema(*prompt.response_schema);
        if (is_strict(schema)) schema_ = std::move(schema);
    }

    Launch launch() override;
    Events read(View message) override;
    Events read_log(std::string_view line) override;
    Events say(std::string_view text) override { return {Send{turn_start(text)}}; }
    Events interrupt() override;

  private:
    std::string thread_start();
    std::string thread_resume();
    std::string thread_members() const;
    std::string turn_start(std::string_view text, const Images& images = {});
    Events read_result(std::int64_t id, View result);
    Events read_error(std::int64_t id, View error);
    Events read_notification(std::string_view method, View params);
    Events read_own_notification(std::string_view method, View params);
    Events read_item(View item) const;
    Events read_raw_item(View item);
    Events read_usage(View params);
    Events read_turn_error(View params);
    Events read_turn_end(View turn);

    Settings settings_;
    Prompt prompt_;
    Surroundings surroundings_;
    std::string schema_;  // empty: the response is looked for in the model's words
    Rpc rpc_{Version::omitted};
    std::int64_t thread_request_ = 0, turn_request_ = 0;
    std::string thread_, turn_;
    std::map<std::string, std::string> calls_;  // what the model's calls are to do, until they are done
    std::map<std::string, Usage> used_;  // by each thread: agents that the model has started have their own
    Usage all_used_;                     // their sum
    int requests_ = 0;
    bool lacks_login_ = false;                  // which its provider may want
    bool retried_ = false;                      // in this turn
    std::optional<Failure> retried_failure_;    // that is tried again now
    std::optional<std::chrono::seconds> wait_;  // until the program tries again, as it said last
    std::string words_;                         // the model's last message in this turn
    std::string message_;                       // the id of the one that it writes now
    std::optional<std::chrono::sys_seconds> limit_until_;
};

Launch Codex::launch() {
    Launch launch;
    launch.program = "codex";
    launch.arguments = codex_arguments(settings_, surroundings_);
    launch.environment = {{"RUST_LOG", std::string(logged)}};
    if (!settings_.project_settings) launch.environment.push_back({"GIT_CONFIG_COUNT", std::string(no_git)});
    std::string initialize = rpc_.request("initialize", client);
    launch.lines = {initialize, R"({"method":"initialized"})", std::string(codex_account_request),
                    prompt_.resume.empty() ? thread_start() : thread_resume()};
    return launch;
}

// Instructions for developers are not searched for names of skills.
std::string Codex::thread_members() const {
    std::string model =
        settings_.model.empty() ? "" : base::concat(",\"model\":", json::quote(settings_.model));
    return base::concat(
        "\"cwd\":", json::quote(settings_.directory), R"(,"approvalPolicy":"never",)",
        codex_limits(settings_), model, codex_servers(surroundings_),
        ",\"developerInstructions\":", json::quote(instructions_text(prompt_, !schema_.empty())));
}

std::string Codex::thread_start() {
    std::string request = rpc_.request(
        "thread/start", base::concat("{", thread_members(), R"(,"experimentalRawEvents":true})"));
    thread_request_ = rpc_.last();
    return request;
}

std::string Codex::thread_resume() {
    std::string request =
        rpc_.request("thread/resume", base::concat("{\"threadId\":", json::quote(prompt_.resume), ",",
                                                   thread_members(), R"(,"excludeTurns":true})"));
    thread_request_ = rpc_.last();
    return request;
}

std::string Codex::turn_start(std::string_view text, const Images& images) {
    drop(words_);
    retried_ = false;
    std::string schema = schema_.empty() ? "" : base::concat(",\"outputSchema\":", schema_);
    std::string request = rpc_.request(
        "turn/start",
        base::concat("{\"threadId\":", json::quote(thread_), R"(,"input":[{"type":"text","text":)",
                     json::quote(without_skill_names(text)), "}",
                     each_of(images, R"(,{"type":"image","url":"data:)", ";base64,", "\"}"), "]", schema,
                     "}"));
    turn_request_ = rpc_.last();
    return request;
}

Events Codex::interrupt() {
    if (turn_.empty()) return {};
    return {Send{rpc_.request("turn/interrupt", base::concat("{\"threadId\":", json::quote(thread_),
                                                             ",\"turnId\":", json::quote(turn_), "}"))}};
}

Events Codex::read(View message) {
    auto id = message.find("id");
    std::string method = string_at(message, {"method"});
    if (!method.empty() && id) return {Send{rpc_.not_served(*id)}};
    auto body = message.find(method.empty() ? "result" : "params");
    if (id && id->is_string(codex_account_id)) {
        lacks_login_ = body && lacks_codex_login(*body);
        return {};
    }
    if (!method.empty()) return body ? read_notification(method, *body) : Events();
    auto number = integer_at(message, {"id"}).value_or(0);
    if (auto error = message.find("error")) return read_error(number, *error);
    return body ? read_result(number, *body) : Events();
}

Events Codex::read_result(std::int64_t id, View result) {
    if (id == thread_request_ && thread_.empty()) {
        keep(thread_, message_ids, string_at(result, {"thread", "id"}));
        return {Session{thread_, string_at(result, {"model"})},
                Send{thread_ == prompt_.resume ? turn_start(go_on_text())
                                               : turn_start(value_text(prompt_.value, surroundings_.images),
                                                            surroundings_.images)}};
    }
    if (std::string turn = string_at(result, {"turn", "id"}); !turn.empty())
        keep(turn_, message_ids, std::move(turn));
    return {};
}

// The response to an interrupt says nothing about the task.
Events Codex::read_error(std::int64_t id, View error) {
    // The conversation is not there any more.
    if (id == thread_request_ && !std::exchange(prompt_.resume, {}).empty()) return {Send{thread_start()}};
    bool begins = id == initialize_request || id == thread_request_;
    if (!begins && id != turn_request_) return {};
    FailureKind kind = begins ? FailureKind::not_ready : FailureKind::error;
    if (string_at(error, {"data", "input_error_code"}) == "input_too_large") kind = FailureKind::too_large;
    return {Failure{kind, string_at(error, {"message"}), {}}};
}

Events Codex::read_notification(std::string_view method, View params) {
    if (method == "account/rateLimits/updated") {
        if (auto limits = params.find("rateLimits")) limit_until_ = codex_limit_end(*limits);
        return {};
    }
    if (method == "thread/tokenUsage/updated") return read_usage(params);
    auto item = params.find("item");
    if (item && method == "item/started") return read_item(*item);
    if (item && method == "rawResponseItem/completed") return read_raw_item(*item);
    // Agents that the model has started have threads of their own: their words, ends and failures are the
    // model's business.
    std::string thread = string_at(params, {"threadId"});
    return thread == thread_ ? read_own_notification(method, params) : Events();
}

Events Codex::read_own_notification(std::string_view method, View params) {
    if (method == "error") return read_turn_error(params);
    if (method == "turn/completed") {
        auto turn = params.find("turn");
        // The program may begin turns of the thread by itself.
        return turn && string_at(*turn, {"id"}) == turn_ ? read_turn_end(*turn) : Events();
    }
    const bool is_of_turn = string_at(params, {"turnId"}) == turn_;
    if (method == "item/agentMessage/delta" && is_of_turn) {
        std::string id = string_at(params, {"itemId"});
        Words words{string_at(params, {"delta"}), requests_ + 1, id != message_};
        keep(message_, message_ids, std::move(id));
        return {words};
    }
    auto item = params.find("item");
    bool is_message = item && string_at(*item, {"type"}) == "agentMessage";
    if (method == "item/completed" && is_message && is_of_turn)
        keep(words_, model_words, string_at(*item, {"text"}));
    return {};
}

Events Codex::read_item(View item) const {
    std::string text = codex_activity(item, settings_.directory);
    if (text.empty()) return {Retrying{}};
    return {Retrying{}, Activity{std::move(text), requests_ + 1}};
}

// What the model and the program say to each other. Of a command that its sandbox has refused, the program
// tells nothing else.
Events Codex::read_raw_item(View item) {
    const std::string type = string_at(item, {"type"}), call = string_at(item, {"call_id"});
    if (type == "function_call" || type == "custom_tool_call")
        remember_call(calls_, call, codex_call(item, settings_.directory));
    if (type != "function_call_output" && type != "custom_tool_call_output") return {};
    auto known = calls_.extract(call);
    if (!known.empty()) room_.give_back(call.size() + cost_of_key + known.mapped().size());
    if (known.empty() || !is_codex_refusal(string_at(item, {"output"}))) return {};
    return {Denied{known.mapped(), "codex"}};
}

Events Codex::read_usage(View params) {
    auto total = value_at(params, {"tokenUsage", "total"});
    if (!total) return {};
    const std::string thread = string_at(params, {"threadId"});
    // The message may tell what the conversation had used before it was resumed.
    const bool is_earlier = thread == prompt_.resume && string_at(params, {"turnId"}) != turn_;
    if (!used_.contains(thread) && !room_.take(message_ids, thread.size() + cost_of_key)) return {};
    Usage& of_thread = used_[thread];
    auto update = [&](std::uint64_t Usage::*count, std::string_view name) {
        const std::uint64_t now = count_at(*total, {name});
        if (!is_earlier) all_used_.*count += now - of_thread.*count;
        of_thread.*count = now;
    };
    if (!is_earlier) {
        ++requests_;
        retried_failure_.reset();
    }
    update(&Usage::input, "inputTokens");
    update(&Usage::cached, "cachedInputTokens");
    update(&Usage::output, "outputTokens");
    if (is_earlier) return {};
    all_used_.turns = requests_;
    return {Retrying{}, all_used_};
}

Events Codex::read_turn_error(View params) {
    auto error = params.find("error");
    if (!error || !is_true_at(params, {"willRetry"})) return {};
    retried_ = true;
    retried_failure_ = Failure{codex_failure_kind(*error, true), codex_details(*error), limit_until_, wait_};
    if (lacks_login_ && !has_codex_answer(*error)) return {without_codex_login(*retried_failure_)};
    return {Retrying{retried_failure_}};
}

// The line comes before or after the message about the same retry.
Events Codex::read_log(std::string_view line) {
    std::size_t at = line.find(log_of_retries);
    auto wait = at == std::string_view::npos ? std::nullopt : codex_wait(line.substr(at));
    if (!wait) return {};
    wait_ = wait;
    if (!retried_failure_) return {};
    retried_failure_->wait = wait;
    return {Retrying{retried_failure_}};
}

Events Codex::read_turn_end(View turn) {
    drop(turn_);
    std::string status = string_at(turn, {"status"});
    if (status == "completed") return {Answer{words_}};
    if (status == "interrupted") return {Failure{FailureKind::interrupted, "the turn was interrupted", {}}};
    Failure failure;
    failure.message = string_at(turn, {"error", "message"});
    if (auto error = turn.find("error")) failure.kind = codex_failure_kind(*error, retried_);
    if (failure.kind == FailureKind::usage_limit) failure.until = limit_until_;
    if (lacks_login_ && failure.kind == FailureKind::not_ready) return {without_codex_login(failure)};
    return {failure};
}

}  // namespace

std::unique_ptr<Driver> make_codex(const Settings& settings, const Prompt& prompt,
                                   const Surroundings& surroundings) {
    return std::make_unique<Codex>(settings, prompt, surroundings);
}

}  // namespace agent_driver
