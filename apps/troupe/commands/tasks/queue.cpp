#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "context.hpp"
#include "interruptible.hpp"
#include "pool_client/status_query.hpp"
#include "pool_protocol/queue_request.hpp"
#include "terminal/color.hpp"
#include "terminal/size.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

namespace troupe {

namespace asio = boost::asio;

namespace {

using pool_protocol::QueueChange;
using pool_protocol::QueuedTask;

constexpr const char* queue_details = R"(Examples:
  troupe queue --pool reviews
      Lists the tasks that wait, the first one first.
  troupe queue --first 7d1c9a52
      Puts the task whose id begins with 7d1c9a52 before all others.
  troupe queue --move 7d1c9a52 --before 0f96a4bc
  troupe queue --cancel 7d1c9a52
      Its submitter is told that it was cancelled; no agent gets it, and `barnum` makes no further attempt.

--first, --move and --cancel may be given several times. A task that is moved takes the priority of the task before
which it is put. A task that an agent has is not in the queue: `troupe kick` takes it from the agent, and `barnum
cancel` ends a run.

In a pool over many hosts (docs/hosts.md), tasks wait in the engine. The list contains only those that wait for an
agent of this host, and they cannot be changed.

Exit codes: 0 the tasks were listed, or all that were named were changed; 1 one of them is not in the queue, or no
daemon answers; 2 the command line is invalid.
)";

struct QueueArguments {
    std::vector<std::string> cancelled;
    std::vector<std::string> first;
    std::vector<std::string> moved;
    std::optional<std::string> before;
    std::optional<std::size_t> limit;
    bool json = false;
};

constexpr std::size_t usual_limit = 50;

const cli::OptionTable<QueueArguments>& queue_option_table() {
    using cli::into;
    static const cli::Value id = cli::text("ID", "the id of a task, or its beginning");
    static const cli::OptionTable<QueueArguments> table{
        {pool_option(PoolChoice::served), {}},
        {{"cancel", cli::Value(id).as_list(), "take the task out of the queue, and tell its submitter"},
         into(&QueueArguments::cancelled)},
        {{"first", cli::Value(id).as_list(), "put the task before all others"}, into(&QueueArguments::first)},
        {{"move", cli::Value(id).as_list(), "with --before: put the task before that one"},
         into(&QueueArguments::moved)},
        {{"before", id, "where --move puts the task"}, into(&QueueArguments::before)},
        {{"limit", cli::whole_number("N", 1, pool_protocol::max_listed),
          base::concat("list at most N tasks (default: ", usual_limit, ")")},
         into(&QueueArguments::limit)},
        {{"json", cli::none(), "print the tasks, or what became of them, as one line of JSON"},
         into(&QueueArguments::json)}};
    return table;
}

// What is named twice is meant once.
void name_once(std::vector<std::string>& ids) {
    std::set<std::string> seen;
    std::erase_if(ids, [&](const std::string& id) { return !seen.insert(id).second; });
}

base::Result<void> check_together(const QueueArguments& arguments) {
    int changes = !arguments.cancelled.empty() + !arguments.first.empty() + !arguments.moved.empty();
    if (changes > 1) return base::invalid("give only one of --cancel, --first and --move");
    if (!arguments.moved.empty() != arguments.before.has_value())
        return base::invalid(arguments.before ? "--before needs --move" : "--move needs --before");
    if (arguments.before && std::ranges::count(arguments.moved, *arguments.before) > 0)
        return base::invalid("--move and --before name the same task; name another one with --before");
    if (changes > 0 && arguments.limit)
        return base::invalid("--limit is for the list: leave it out, or --cancel, --first or --move");
    return {};
}

std::string submitter_of(const QueuedTask& task) {
    std::string text = task.by_file ? "file" : "";
    if (task.processes.empty()) return text.empty() ? "-" : text;
    text += base::concat(text.empty() ? "" : ", ", terminal::printable(task.program), " ",
                         task.processes.front());
    if (task.processes.size() > 1) text += base::concat(" and ", task.processes.size() - 1, " more");
    return text;
}

std::string labels_text(const base::Labels& labels) {
    std::string text;
    for (const std::string& label : labels.texts())
        text += base::concat(text.empty() ? "" : " ", label);
    return text.empty() ? "-" : text;
}

void print(const pool_protocol::Queue& queue) {
    if (queue.tasks.empty()) {
        std::cout << (queue.over_hosts ? "no task waits for an agent of this host\n" : "no task waits\n");
        return;
    }
    bool has_labels = std::ranges::any_of(queue.tasks, [](const auto& task) { return !task.labels.empty(); });
    bool has_priorities =
        std::ranges::any_of(queue.tasks, [](const auto& task) { return task.priority != 0; });
    std::vector<terminal::Table::Column> columns{{"task"}, {"waiting", terminal::Table::Align::right}};
    if (has_priorities) columns.push_back({"priority", terminal::Table::Align::right});
    if (has_labels) columns.push_back({"labels"});
    columns.insert(columns.end(), {{"submitter"}, {"title"}});
    terminal::Table table(std::move(columns));
    auto now =
        std::chrono::floor<pool_protocol::UnixTime>(std::chrono::system_clock::now().time_since_epoch());
    for (const QueuedTask& task : queue.tasks) {
        std::vector<std::string> cells{
            terminal::printable(task.id),
            terminal::age_text(std::max(now - task.since, pool_protocol::UnixTime()))};
        if (has_priorities) cells.push_back(std::to_string(task.priority));
        if (has_labels) cells.push_back(labels_text(task.labels));
        cells.insert(cells.end(), {submitter_of(task), terminal::printable(task.title)});
        table.add(std::move(cells));
    }
    const bool is_terminal = terminal::is_terminal(STDOUT_FILENO);
    const std::size_t width = is_terminal ? terminal::size_of(STDOUT_FILENO).columns : 0;
    for (const std::string& line : table.lines(false))
        std::cout << (is_terminal ? terminal::cut(line, width) : line) << "\n";
    if (queue.length > queue.tasks.size())
        std::cout << "and " << queue.length - queue.tasks.size() << " more; --limit N lists more of them\n";
}

asio::awaitable<int> list(pool_protocol::PoolDirectory directory, QueueArguments arguments) {
    pool_protocol::QueueRequest request = pool_protocol::ListQueue{arguments.limit.value_or(usual_limit)};
    auto text = co_await pool_client::ask_daemon(directory, answer_wait, to_json(request));
    if (text.has_error()) co_return fail(text.error());
    auto queue = pool_protocol::parse_queue(*text);
    if (queue.has_error()) co_return fail(queue.error());
    if (arguments.json)
        std::cout << to_json(*queue) << "\n";
    else
        print(*queue);
    co_return base::ExitCode::ok;
}

pool_protocol::QueueRequest change_of(const QueueArguments& arguments) {
    if (!arguments.cancelled.empty()) return pool_protocol::CancelQueued{arguments.cancelled};
    if (!arguments.first.empty()) return pool_protocol::MoveQueued{arguments.first, std::nullopt};
    return pool_protocol::MoveQueued{arguments.moved, arguments.before};
}

std::string told(QueueChange::How how, const pool_protocol::PoolDirectory& directory) {
    switch (how) {
        case QueueChange::How::cancelled:
            return "was cancelled";
        case QueueChange::How::moved:
            return "was moved";
        case QueueChange::How::ambiguous:
            return "is the beginning of several ids in the queue: give more of it";
        case QueueChange::How::kept:
            return "is that of a pool over many hosts, whose engine has the queue";
        case QueueChange::How::same:
            return "is the task that --before names: it stays where it is; name another one";
        case QueueChange::How::unknown:
            break;
    }
    std::string pool = pool_protocol::options_of(directory);
    return base::concat("is not in the queue; `troupe queue ", pool,
                        "` lists the tasks that wait, `troupe status ", pool, "` those that agents have");
}

asio::awaitable<int> change(pool_protocol::PoolDirectory directory, QueueArguments arguments) {
    auto text = co_await pool_client::ask_daemon(directory, answer_wait, to_json(change_of(arguments)));
    if (text.has_error()) co_return fail(text.error());
    auto changes = pool_protocol::parse_queue_changes(*text);
    if (changes.has_error()) co_return fail(changes.error());
    if (arguments.json) std::cout << to_json(*changes) << "\n";
    int code = base::ExitCode::ok;
    for (const QueueChange& one : *changes) {
        bool is_done = one.how == QueueChange::How::cancelled || one.how == QueueChange::How::moved;
        std::string line = base::concat(terminal::printable(one.id), " ", told(one.how, directory));
        if (!is_done)
            code = fail(base::invalid(line));
        else if (!arguments.json)
            std::cout << line << "\n";
    }
    co_return code;
}

int run_queue(const cli::Options& given) {
    QueueArguments arguments = cli::read(queue_option_table(), given);
    for (auto* ids : {&arguments.cancelled, &arguments.first, &arguments.moved})
        name_once(*ids);
    if (auto fits = check_together(arguments); fits.has_error())
        return fail(fits.error(), base::ExitCode::usage);
    auto directory = pool_of(given);
    if (directory.has_error()) return fail(directory.error(), base::ExitCode::usage);
    bool is_list = arguments.cancelled.empty() && arguments.first.empty() && arguments.moved.empty();
    return run_interruptible([=](io::DirectoryWatch&) {
        return is_list ? list(*directory, arguments) : change(*directory, arguments);
    });
}

}  // namespace

cli::Command queue_command() {
    return {"queue", "List the tasks that wait for an agent; cancel or move them.", queue_details,
            cli::options_of(queue_option_table()), run_queue};
}

}  // namespace troupe
