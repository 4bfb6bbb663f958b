#include "workflow/hooks.hpp"

#include "base/text.hpp"
#include "json/json.hpp"

#include <utility>

namespace workflow {

namespace {

constexpr std::size_t excerpt_size = 300;

// The `kind` of a failure in the input of hooks.
std::string_view kind_of(const Failure& failure) {
    if (failure.kind == Failure::Kind::timeout) return "Timeout";
    if (failure.kind == Failure::Kind::hook_failed && failure.hook == "pre") return "PreHookError";
    return "Error";
}

Failure wrong_shape(std::string_view what) {
    return hook_failure("post", base::concat("the post hook's output is no result: ", what));
}

AttemptResult read_success(const config::WorkflowConfig& config, const config::Step& step,
                           json::View result) {
    auto next = result.find("next");
    if (!next) return wrong_shape("a Success needs \"next\", an array of tasks");
    auto tasks = config::parse_response(config, step, next->text());
    if (tasks) return std::move(*tasks);
    Failure failure;
    failure.kind = Failure::Kind::invalid_response;
    failure.message = base::concat("the post hook's \"next\": ", tasks.error().message);
    return failure;
}

Failure timed_out_by_hook() {
    Failure failure;
    failure.kind = Failure::Kind::timeout;
    failure.message = "the post hook calls it a timeout";
    return failure;
}

AttemptResult read_failure(const ActionResult& before, const std::string& kind, json::View result) {
    const Failure* known = std::get_if<Failure>(&before);
    bool unchanged = known && kind_of(*known) == kind;
    if (kind == "Timeout") return unchanged ? *known : timed_out_by_hook();
    auto error = result.find("error");
    if (!error || !error->is(json::Kind::string))
        return wrong_shape(base::concat("kind ", kind, " needs \"error\", a string"));
    if (!unchanged) return hook_failure("post", base::concat("the post hook reports: ", error->string()));
    Failure failure = *known;
    failure.message = error->string();
    return failure;
}

}  // namespace

Failure hook_failure(std::string hook, std::string message) {
    Failure failure;
    failure.kind = Failure::Kind::hook_failed;
    failure.hook = std::move(hook);
    failure.message = std::move(message);
    return failure;
}

std::string shortened(std::string_view text) {
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    if (text.empty()) return "it was empty";
    if (text.size() <= excerpt_size) return base::concat("it was: ", text);
    return base::concat("it began with: ", text.substr(0, excerpt_size), "…");
}

std::variant<std::string, Failure> read_pre_hook(std::string_view output) {
    auto value = json::parse(output, "the pre hook's output");
    if (!value) return hook_failure("pre", base::concat(value.error().message, "\n", shortened(output)));
    return json::compact(*value);
}

std::string post_hook_input(std::string_view input, const ActionResult& result) {
    if (auto* success = std::get_if<ActionSuccess>(&result)) {
        std::string_view output = json::View::of(success->output).text();
        return base::concat(R"({"kind":"Success","input":)", input, R"(,"output":)", output, R"(,"next":)",
                            output, "}");
    }
    const Failure& failure = std::get<Failure>(result);
    std::string text = base::concat(R"({"kind":")", kind_of(failure), R"(","input":)", input);
    if (failure.kind != Failure::Kind::timeout)
        text += base::concat(R"(,"error":)", json::quote(failure.message));
    text.push_back('}');
    return text;
}

AttemptResult read_post_hook(const config::WorkflowConfig& config, const config::Step& step,
                             const ActionResult& before, std::string_view output) {
    auto result = json::parse(output, "the post hook's output");
    if (!result) return hook_failure("post", base::concat(result.error().message, "\n", shortened(output)));
    auto kind = result->find("kind");
    if (!kind || !kind->is(json::Kind::string)) return wrong_shape("expected an object with \"kind\"");
    std::string name = kind->string();
    if (name == "Success") return read_success(config, step, *result);
    if (name == "Timeout" || name == "Error" || name == "PreHookError")
        return read_failure(before, name, *result);
    return wrong_shape(base::concat("unknown kind ", json::quote(name),
                                    "; expected Success, Timeout, Error or PreHookError"));
}

}  // namespace workflow
