#include "serve_shell/questions.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "runs/kept_answers.hpp"
#include "serve/questions.hpp"
#include "serve_shell/reply.hpp"
#include "statelog/record.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace serve_shell {

namespace asio = boost::asio;

namespace {

constexpr std::size_t most_questions = 500;
constexpr std::size_t most_bytes = std::size_t{32} << 20;
constexpr std::uint64_t small_log = std::uint64_t{16} << 20;  // which is read in a moment

// The questions of all runs, one after the other.
struct List {
    std::string json;
    std::size_t count = 0;
    bool more = false;
};

// The log of a run that is running has its answers.
std::set<std::uint64_t> answered_tasks(const OpenedRun& run) {
    std::set<std::uint64_t> tasks;
    if (runs::is_living(run.state)) return tasks;
    auto read = runs::for_each_answer(run.follower->found().path,
                                      [&](const runs::KeptAnswer& kept) { tasks.insert(kept.answer.task); });
    if (!read) io::log::warn(read.error().message);
    return tasks;
}

void add_questions(List& list, const OpenedRun& run) {
    const Follower& follower = *run.follower;
    const runs::RunRecord& record = follower.found().record;
    auto answered = answered_tasks(run);
    auto read_line = [&follower](std::uint64_t offset) { return follower.line_at(offset); };
    for (trace::Row row : serve::asked_rows(follower.trace(), most_questions + 1)) {
        if (answered.contains(follower.trace().attempt(row).id)) continue;
        list.more = list.count >= most_questions || list.json.size() > most_bytes;
        if (list.more) return;
        auto json =
            serve::question_json(follower.trace(), read_line, row, record.id, record.name, statelog::now());
        if (!json) io::log::warn("a question is left out: ", json.error().message);
        if (!json || json->empty()) continue;
        list.json += (list.count++ == 0 ? "" : ",") + *json;
    }
}

std::uint64_t size_of(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

// The record of a living run may be older than its log, so the log is asked if that is known or small.
bool may_ask(const ServedRuns::Run& run, const ServeContext& context) {
    const runs::RunRecord& record = run.found.record;
    if (record.tasks.asked > 0) return runs::is_living(run.state) || is_resumable(record, run.state);
    if (!runs::is_living(run.state)) return false;
    return context.followers.has(record.id) || size_of(record.state_log) < small_log;
}

}  // namespace

asio::awaitable<http::Response> questions_response(ServeContext& context) {
    auto served = context.runs.now();
    if (!served) co_return error_reply(served.error());
    std::vector<std::string> ids;
    for (const ServedRuns::Run* run : (*served)->all())
        if (may_ask(*run, context)) ids.push_back(run->found.record.id);
    List list;
    for (std::size_t i = 0; i < ids.size() && !list.more; ++i) {
        auto opened = co_await open_run(context, ids[i]);
        if (opened)
            add_questions(list, *opened);
        else
            io::log::warn("the questions of the run ", ids[i], " are left out: ", opened.error().message);
    }
    co_return json_reply(
        base::concat("{\"questions\":[", list.json, "],\"more\":", list.more ? "true" : "false", "}"));
}

}  // namespace serve_shell
