#include "serve_shell/actions.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "json/json.hpp"
#include "runs/run_end.hpp"
#include "runs/run_process.hpp"
#include "serve_shell/control.hpp"
#include "serve_shell/http_status.hpp"
#include "serve_shell/memory_file.hpp"
#include "serve_shell/reply.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace serve_shell {

namespace asio = boost::asio;
using json::View;
using serve::Route;
using Done = base::Result<std::string>;

namespace {

struct Member {
    std::string_view name;
    json::Kind kind;
    std::string_view description;
};

constexpr std::string_view whole_number = "a whole number that is not negative";
constexpr std::array members{Member{"now", json::Kind::boolean, "true or false"},
                             Member{"jobs", json::Kind::number, whole_number},
                             Member{"agents", json::Kind::number, whole_number},
                             Member{"agent_kind", json::Kind::string, "a string"},
                             Member{"tasks", json::Kind::array, "an array of numbers"},
                             Member{"step", json::Kind::string, "a string"},
                             Member{"task", json::Kind::number, whole_number},
                             Member{"response", json::Kind::string, "a string"},
                             Member{"reject", json::Kind::string, "a string"}};

std::optional<std::uint64_t> number(View body, std::string_view name) {
    auto value = body.find(name);
    auto integer = value && value->is(json::Kind::number) ? value->integer() : std::nullopt;
    if (!integer || *integer < 0) return std::nullopt;
    return static_cast<std::uint64_t>(*integer);
}

// A wrong member must not count as one that is not there: `retry` would take all tasks.
base::Result<void> check_members(View body) {
    for (const Member& member : members) {
        auto value = body.find(member.name);
        if (!value) continue;
        bool is_right =
            value->is(member.kind) && (member.kind != json::Kind::number || number(body, member.name));
        if (!is_right)
            return base::invalid(base::concat("`", member.name, "` must be ", member.description, "."));
        // The character would end the argument of a command early.
        if (value->is(json::Kind::string) && value->string().find('\0') != std::string::npos)
            return base::invalid(base::concat("`", member.name, "` must not contain the character U+0000."));
    }
    return {};
}

std::optional<std::string> text(View body, std::string_view name) {
    auto value = body.find(name);
    if (!value || !value->is(json::Kind::string)) return std::nullopt;
    return value->string();
}

// Acts as a second Ctrl-C. A run that does not react to that either is killed, which loses nothing.
asio::awaitable<void> kill_and_wait(runs::RunProcess process) {
    asio::steady_timer timer(co_await asio::this_coro::executor, runs::between_signals);
    co_await timer.async_wait(asio::use_awaitable);
    if (process.wait(std::chrono::milliseconds(0)) || !process.signal_and_continue(SIGTERM)) co_return;
    timer.expires_after(runs::longest_end);
    co_await timer.async_wait(asio::use_awaitable);
    if (auto killed = process.signal(SIGKILL); !killed) io::log::warn(killed.error().message);
}

Done cancel(ServeContext& context, const runs::FoundRun& run, View body) {
    auto process = runs::RunProcess::open(run.record.process);
    if (!process || run.record.end) return base::invalid(runs::why_not_running(run));
    if (auto sent = process->signal_and_continue(SIGTERM); !sent) return sent.error();
    auto now = body.find("now");
    bool is_now = now && now->boolean();
    if (is_now) context.tasks.spawn("ending a run at once", kill_and_wait(std::move(*process)));
    return base::concat("the run ", run.record.id, " is ending");
}

asio::awaitable<Done> ask(const ServedRuns::Run& run, runs::ControlRequest request) {
    if (!runs::is_living(run.state)) co_return base::invalid(runs::why_not_running(run.found));
    std::string id = run.found.record.id;
    auto answer = co_await ask_living_run(run.found, std::move(request));
    if (!answer) co_return answer;
    co_return base::concat("the run ", id, " ", *answer);
}

base::Result<runs::ControlRequest> scale_in(View body) {
    runs::Scale scale;
    scale.jobs = number(body, "jobs");
    scale.agents = number(body, "agents");
    scale.agent_kind = text(body, "agent_kind").value_or("");
    if (!scale.jobs && !scale.agents)
        return base::invalid("Nothing is to be changed: give `jobs` or `agents`, each a whole number.");
    return runs::ControlRequest(std::move(scale));
}

base::Result<std::vector<std::string>> retry_in(const std::string& run, View body) {
    std::vector<std::string> arguments{"retry", run, "--detach"};
    auto tasks = body.find("tasks");
    if (tasks && tasks->elements().empty())
        return base::invalid("`tasks` names no task; without it, all dropped tasks are tried again.");
    for (View task : tasks ? tasks->elements() : std::vector<View>{}) {
        auto id = task.is(json::Kind::number) ? task.integer() : std::nullopt;
        if (!id || *id < 0) return base::invalid("`tasks` must be an array of numbers.");
        arguments.push_back(base::concat("--task=", *id));
    }
    if (auto step = text(body, "step")) arguments.push_back("--step=" + *step);
    return arguments;
}

asio::awaitable<Done> retry(ServeContext& context, std::vector<std::string> arguments) {
    return context.actions.run(std::move(arguments));
}

struct Answer {
    std::uint64_t task = 0;
    std::optional<std::string> response;
    std::string reason;
};

base::Result<Answer> answer_in(View body) {
    Answer answer;
    auto task = number(body, "task");
    if (!task) return base::invalid("`task` must be the number of a task.");
    answer.task = *task;
    answer.response = text(body, "response");
    answer.reason = text(body, "reject").value_or("");
    constexpr std::size_t longest_reason = 64 * 1024;
    if (answer.response && !answer.reason.empty())
        return base::invalid("An answer has either `response` or `reject`, not both.");
    if (!answer.response && answer.reason.empty())
        return base::invalid(
            "An answer needs `response`, a string with a JSON array, or `reject`, a reason.");
    if (answer.response)
        if (auto json = json::parse(*answer.response, "the response"); !json) return json.error();
    if (answer.reason.size() > longest_reason) return base::invalid("The reason in `reject` is too long.");
    return answer;
}

// A response may be longer than an argument of a command.
asio::awaitable<Done> give(ServeContext& context, std::string run, Answer answer) {
    std::vector<std::string> arguments{"answer", run, std::to_string(answer.task)};
    std::optional<MemoryFile> file;
    if (answer.response) {
        auto made = MemoryFile::make(*answer.response);
        if (!made) co_return made.error();
        file = std::move(*made);
        arguments.push_back("--response=" + file->path());
    } else {
        arguments.push_back("--reject=" + answer.reason);
    }
    co_return co_await context.actions.run(std::move(arguments));
}

http::Response reply_of(const Route& route, const http::Request& request, const Done& done) {
    bool is_retry = route.kind == Route::Kind::retry;
    std::string_view verb = request.path().substr(request.path().rfind('/') + 1);
    if (!done) {
        io::log::warn(request.client, ": ", verb, " (run ", route.run, ") failed: ", done.error().message);
        return error_reply(conflict, done.error().message);
    }
    io::log::info(request.client, ": ", verb, " (run ", route.run, "): ", *done);
    if (!is_retry) return message_reply(*done);
    return json_reply(base::concat("{\"run\":", json::quote(*done), "}"));
}

}  // namespace

asio::awaitable<http::Response> action_response(ServeContext& context, Route route,
                                                const http::Request& request) {
    auto body = json::checked(request.body.empty() ? "{}" : std::string_view(request.body));
    if (!body || !body->is(json::Kind::object))
        co_return error_reply(bad_request, "The body must be a JSON object.");
    if (auto checked = check_members(*body); !checked)
        co_return error_reply(bad_request, checked.error().message);
    auto found = find_served_run(context, route.run);
    if (!found) co_return error_reply(found.error());
    const ServedRuns::Run run = **found;  // the list may change meanwhile
    switch (route.kind) {
        case Route::Kind::pause:
        case Route::Kind::go_on:
            co_return reply_of(route, request,
                               co_await ask(run, runs::Pause{route.kind == Route::Kind::pause}));
        case Route::Kind::cancel:
            co_return reply_of(route, request, cancel(context, run.found, *body));
        case Route::Kind::scale: {
            auto wish = scale_in(*body);
            if (!wish) co_return error_reply(bad_request, wish.error().message);
            co_return reply_of(route, request, co_await ask(run, std::move(*wish)));
        }
        case Route::Kind::retry: {
            auto arguments = retry_in(run.found.path, *body);
            if (!arguments) co_return error_reply(bad_request, arguments.error().message);
            co_return reply_of(route, request, co_await retry(context, std::move(*arguments)));
        }
        default: {
            auto answer = answer_in(*body);
            if (!answer) co_return error_reply(bad_request, answer.error().message);
            co_return reply_of(route, request, co_await give(context, run.found.path, std::move(*answer)));
        }
    }
}

}  // namespace serve_shell
