#include "workload.hpp"

#include "base/text.hpp"
#include "draw.hpp"
#include "workflow/bounds.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace sim {

using base::concat;
using workflow::Failure;

namespace {

constexpr std::uint32_t step_count = 4;

constexpr const char* all_steps = R"(["S0","S1","S2","S3"])";

std::string step_text(Draw& draw, std::uint32_t index) {
    std::string text = concat(R"({"name":"S)", index, R"(","action":)");
    bool is_human = draw.one_in(4);
    text += is_human         ? R"({"kind":"Human","instructions":"is it good?"})"
            : draw.one_in(2) ? R"({"kind":"Command","script":"true"})"
                             : R"({"kind":"Pool","instructions":{"inline":"do it"}})";
    for (const char* hook : {"pre", "post"})
        if (!is_human && draw.one_in(4))
            text += concat(",\"", hook, R"(":{"kind":"Command","script":"true"})");
    bool has_finally = draw.one_in(2);
    if (has_finally)
        text += draw.one_in(4) ? R"(,"gather":{"of":["S1"],"into":"S2"})"
                               : R"(,"finally":{"kind":"Command","script":"true"})";
    text += concat(R"(,"next":)", all_steps);
    if (is_human && !has_finally) return text + "}";
    std::uint32_t retries = draw.below(4);
    text += concat(R"(,"options":{"max_retries":)", retries);
    if (draw.one_in(4)) text += R"(,"retry_on_timeout":false)";
    if (draw.one_in(4)) text += R"(,"retry_on_invalid_response":false)";
    if (draw.one_in(4)) text += R"(,"retry_feedback":false)";
    if (retries > 0 && draw.one_in(4)) text += R"(,"retry_backoff":{"initial":1})";
    if (draw.one_in(4)) text += concat(R"(,"max_concurrency":)", 1 + draw.below(3));
    if (draw.one_in(4)) text += concat(R"(,"priority":)", static_cast<int>(draw.below(5)) - 2);
    if (draw.one_in(4)) text += R"(,"serial_key":"/0")";
    return text + "}}";
}

std::string config_text(Draw& draw) {
    std::string text = R"({"entrypoint":"S0","steps":[)";
    for (std::uint32_t i = 0; i < step_count; ++i)
        text += (i > 0 ? "," : "") + step_text(draw, i);
    text += "]";
    text += R"(,"options":{"max_response_bytes":1000000)";
    if (draw.one_in(2)) text += concat(R"(,"max_concurrency":)", 1 + draw.below(4));
    if (draw.one_in(4)) text += concat(R"(,"max_depth":)", 1 + draw.below(6));
    return text + "}}";
}

// A value is [how many tasks it and its descendants may be, "its place in the tree", …].
std::uint32_t tasks_allowed(std::string_view value) {
    std::uint32_t tasks = 0;
    std::from_chars(value.data() + 1, value.data() + value.size(), tasks);
    return std::clamp(tasks, 1U, 1'000U);  // in a damaged log it may be anything
}

std::string path_of(std::string_view value) {
    std::size_t begin = value.find('"') + 1;  // 0 in a damaged log
    return std::string(value.substr(begin, value.find('"', begin) - begin));
}

}  // namespace

Workload::Workload(std::uint32_t seed, Shape shape) : seed_(mix(seed)), shape_(shape), begun_("LOG") {
    Draw draw(seed_);
    one_fails_in_ = 3 + draw.below(4);
    statelog::Header header{config_text(draw), "/", concat("run-", seed), {}};
    header.initial_tasks = first_tasks().size();
    append_header(header_, header, statelog::Time(std::chrono::milliseconds(0)));
    begun_.feed(header_).value();
}

config::NewTask Workload::new_task(std::uint64_t drawn, std::uint32_t tasks, const std::string& path) const {
    return {{static_cast<std::uint32_t>(drawn % step_count)},
            concat("[", tasks, ",\"", path, "\"", shape_.rich ? payload(drawn) : std::string(), "]")};
}

// At least `least`, which share out `tasks` among them.
std::vector<config::NewTask> Workload::new_tasks(std::uint64_t drawn, std::uint32_t least,
                                                 std::uint32_t tasks, const std::string& path) const {
    Draw draw(drawn);
    std::uint32_t most = shape_.rich && draw.one_in(8) ? 30 : 4;
    std::uint32_t count = std::min(tasks, least + draw.below(most));
    std::vector<config::NewTask> next;
    next.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        std::uint32_t share = tasks / count + (i < tasks % count ? 1 : 0);
        next.push_back(new_task(draw.bits(), share, concat(path, i)));
    }
    return next;
}

std::vector<config::NewTask> Workload::first_tasks() const {
    Draw draw(seed_ + 1);
    return new_tasks(draw.bits(), 1, 1 + draw.below(shape_.tasks), "");
}

workflow::AttemptResult Workload::outcome(const workflow::Task& task) const {
    if (auto past = workflow::past_bound(begun_.config()->bounds, task, false)) return *past;
    bool is_finally = task.finally_for.has_value();
    Draw draw(mix(seed_ + std::uint64_t{task.attempt} * 2 + is_finally, *task.value));
    if (draw.one_in(one_fails_in_)) return failure(draw.bits(), task);
    std::uint32_t rest = tasks_allowed(*task.value) - 1;
    std::uint32_t for_finally = begun_.config()->step(task.step).has_finally() ? rest / 3 : 0;
    return new_tasks(draw.bits(), draw.one_in(8) ? 0 : 1, is_finally ? for_finally : rest - for_finally,
                     path_of(*task.value) + (is_finally ? "f" : "."));
}

Failure Workload::failure(std::uint64_t drawn, const workflow::Task& task) const {
    using enum Failure::Kind;
    Draw draw(drawn);
    const config::Step& step = begun_.config()->step(task.step);
    Failure failure;
    failure.kind = std::array{timeout,          agent_lost,     agent_failed,
                              invalid_response, command_failed, hook_failed}[draw.below(6)];
    if (task.finally_for)
        failure.hook = "finally";
    else if (step.pre || step.post)
        failure.hook = step.pre ? "pre" : "post";
    else if (failure.kind == hook_failed)
        failure.kind = command_failed;
    if (failure.kind != hook_failed) failure.hook.clear();
    if (failure.kind == command_failed || failure.kind == agent_failed)
        (draw.one_in(2) ? failure.exit_code : failure.signal) = static_cast<int>(1 + draw.below(31));
    if (is_asked(task)) failure = {draw.one_in(2) ? rejected : expired, "", {}, {}, ""};
    failure.message = "it failed";
    if (shape_.rich)
        failure.message += concat(":\n\"", payload(draw.bits()), "\"\t\x01 \xC3\xA9\xF0\x9F\x90\x98");
    if (draw.one_in(2)) failure.response = concat("[", shape_.rich ? payload(draw.bits()) : "", "]");
    return failure;
}

std::string Workload::payload(std::uint64_t drawn) const {
    Draw draw(drawn);
    std::string text = concat(R"(,{"file":"src/)", draw.below(1000), R"(.js","n":1.0,"")", R"(:"ß→語)");
    text += "\xF0\x9F\x90\x98\\n\\u00e9\\\"\\\\\"";
    if (draw.one_in(100)) text += concat(R"(,"big":")", std::string(2000 + draw.below(4000), 'x'), "\"");
    return text + "}";
}

bool Workload::is_asked(const workflow::Task& task) const {
    return !task.finally_for && config().step(task.step).is_human();
}

std::uint64_t fingerprint(const workflow::Task& task, const workflow::AttemptResult& result) {
    std::uint64_t bits = mix(task.attempt * 2 + (task.finally_for ? 1 : 0), *task.value);
    if (const auto* failure = std::get_if<Failure>(&result))
        return mix(bits + static_cast<std::uint64_t>(failure->kind), failure->message);
    for (const auto& next : std::get<std::vector<config::NewTask>>(result))
        bits = mix(bits + next.step.value, next.value);
    return bits;
}

}  // namespace sim
