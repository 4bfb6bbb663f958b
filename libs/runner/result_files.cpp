#include "runner/result_files.hpp"

#include "base/line_splitter.hpp"
#include "base/text.hpp"
#include "io/file_pieces.hpp"
#include "json/json.hpp"
#include "statelog/record.hpp"
#include "statelog/usage_note.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <iterator>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace runner {

namespace asio = boost::asio;
using workflow::TaskId;

namespace {

constexpr std::uint64_t read_at_once = std::uint64_t{1} << 19;
constexpr std::uint64_t least_kept = 64 * 1024;  // a smaller file is made from the log as quickly
constexpr std::size_t most_kept = 64;            // files, of which each is open

constexpr std::string_view row_begin = "{\"id\":";

std::string row_of(const config::WorkflowConfig& config, const statelog::Descendant& descendant) {
    std::string row = base::concat(row_begin, descendant.task.value, ",\"parent\":", descendant.parent.value,
                                   ",\"kind\":", json::quote(config.step(descendant.step).name),
                                   ",\"value\":", *descendant.value, ",\"outcome\":");
    if (descendant.failure == nullptr) return row + "\"done\"}";
    return row + base::concat("\"dropped\",\"error\":", json::quote(descendant.failure->message), "}");
}

// The number in a row of row_of().
TaskId number_of(std::string_view row) {
    std::uint64_t number = 0;
    std::string_view digits = row.substr(std::min(row.size(), row_begin.size()));
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return TaskId{number};
}

// The results that a `gather` asks for.
class Results {
  public:
    Results(const config::WorkflowConfig& config, const config::Gather& gather)
        : config_(config), gather_(gather) {}

    void add(const statelog::Descendant& descendant) {
        if (descendant.failure != nullptr)
            ++dropped_;
        else if (std::ranges::find(gather_.of, descendant.step) != gather_.of.end())
            results_.push_back({descendant.task, descendant.step, descendant.value});
    }

    workflow::Gathered take(bool is_task_dropped) {
        std::ranges::sort(results_, {}, &Result::task);
        std::string text = "[";
        for (Result& result : results_) {
            base::append_piece(
                text, base::concat(text.size() > 1 ? "," : "",
                                   "{\"kind\":", json::quote(config_.step(result.step).name), ",\"value\":"));
            text += *std::exchange(result.value, nullptr);
            text += '}';
        }
        return {text + "]", dropped_ + (is_task_dropped ? 1 : 0), is_task_dropped};
    }

  private:
    struct Result {
        TaskId task;
        config::StepId step;
        workflow::Value value;
    };

    const config::WorkflowConfig& config_;
    const config::Gather& gather_;
    std::vector<Result> results_;
    std::uint64_t dropped_ = 0;
};

}  // namespace

ResultFiles::ResultFiles(asio::any_io_executor executor, const config::WorkflowConfig& config,
                         base::Result<statelog::LogReading> log, std::string directory)
    : executor_(std::move(executor)),
      config_(config),
      log_(std::move(log)),
      bytes_(log_ ? log_->bytes : 0),
      directory_(std::move(directory)),
      index_(config) {}

ResultFiles::~ResultFiles() {
    kept_.clear();
    finished_.clear();
    ::rmdir(directory_.c_str());
}

// If a `finally` is to come, the log tells what it waits for.
void ResultFiles::begin(const workflow::State& state) {
    using Status = workflow::Task::Status;
    bool waits = std::ranges::any_of(state.tasks, [](const auto& entry) {
        const workflow::Task& task = entry.second;
        return task.finally_for || task.status == Status::waiting || task.status == Status::finally_due;
    });
    is_indexed_ = !waits || read_log_now().has_value();
    if (waits) return;
    for (const auto& [id, task] : state.tasks)
        index_.begin_with(id, task.step);
}

base::Result<void> ResultFiles::read_log_now() {
    if (!log_) return log_.error();
    base::LineSplitter lines(statelog::longest_line);
    std::uint64_t offset = 0;
    base::Result<void> added;
    auto add = [&](std::string_view line) {
        io::ByteRange range{offset, offset + line.size() + 1};
        bool is_entry = offset > 0 && !statelog::is_usage_note(line);  // the first line is the config
        offset = range.end;
        if (!is_entry || !added) return;
        auto record = statelog::read_record(config_, line);
        if (record)
            note(record->entry, range);
        else
            added = record.error();
    };
    is_indexed_ = true;
    auto read_all = io::read_pieces(log_->fd.get(), {0, bytes_}, [&](std::string_view piece) {
        lines.add(piece, add);
        return added;
    });
    return read_all ? base::Result<void>() : read_all.error();
}

void ResultFiles::note(const workflow::Entry& entry, io::ByteRange line) {
    if (!is_indexed_) return;
    if (auto ended = index_.add(entry, line)) end(std::move(*ended));
}

void ResultFiles::keep(TaskId task, ResultRows rows) {
    finished_.erase(task);
    bool is_worth_it = is_indexed_ && rows.bytes() >= least_kept && kept_files() < most_kept;
    if (is_worth_it) finished_.emplace(task, std::move(rows));
}

std::size_t ResultFiles::kept_files() const {
    std::size_t files = finished_.size();
    for (const auto& [task, kept] : kept_)
        files += kept.size();
    return files;
}

void ResultFiles::end(ResultIndex::Ended ended) {
    auto finished = finished_.extract(ended.task);
    auto below = kept_.extract(ended.task);
    if (!ended.awaited_by) return;
    std::vector<Kept>& kept = kept_[*ended.awaited_by];
    if (finished.empty()) {
        index_.give(*ended.awaited_by, std::move(ended.lines));
        if (below) std::ranges::move(below.mapped(), std::back_inserter(kept));
        return;
    }
    if (below)
        for (const Kept& one : below.mapped())
            ended.lines.insert(ended.lines.end(), one.lines.begin(), one.lines.end());
    kept.push_back({std::move(finished.mapped()), merged(std::move(ended.lines))});
}

asio::awaitable<base::Result<ResultRows>> ResultFiles::write(TaskId task, TaskId finally) {
    if (::mkdir(directory_.c_str(), 0700) != 0 && errno != EEXIST)
        co_return base::system_error(base::concat("cannot create ", directory_));
    auto rows = ResultRows::create(base::concat(directory_, "/", finally.value, ".ndjson"));
    if (!rows) co_return rows.error();
    base::Result<void> added;
    statelog::Descendants descendants(config_, task);
    descendants.on_ended = [&](const statelog::Descendant& descendant) {
        if (added) added = rows->add(descendant.task, row_of(config_, descendant));
    };
    auto lines = co_await lines_of(task, true);
    if (!lines) co_return lines.error();
    base::Result<void> read_all = co_await read(std::move(*lines), descendants);
    if (!read_all) co_return read_all.error();
    if (!added) co_return added.error();
    base::Result<void> copied = co_await copy_kept(task, *rows);
    if (!copied) co_return copied.error();
    while (true) {
        base::Result<bool> finished = rows->finish_some();
        if (!finished) co_return finished.error();
        if (*finished) co_return std::move(*rows);
        co_await asio::post(executor_, asio::use_awaitable);
    }
}

asio::awaitable<base::Result<workflow::Gathered>> ResultFiles::gather(TaskId task,
                                                                      const config::Gather& gather) {
    Results results(config_, gather);
    statelog::Descendants descendants(config_, task);
    descendants.on_ended = [&](const statelog::Descendant& descendant) { results.add(descendant); };
    auto lines = co_await lines_of(task, false);
    if (!lines) co_return lines.error();
    base::Result<void> read_all = co_await read(std::move(*lines), descendants);
    if (!read_all) co_return read_all.error();
    co_return results.take(descendants.is_task_dropped());
}

// A file that a script has changed is made from the log again.
asio::awaitable<base::Result<LogRanges>> ResultFiles::lines_of(TaskId task, bool with_files) {
    if (!log_) co_return log_.error();
    if (!index_.knows(task)) {
        auto found = co_await find_end(task);
        co_return found;
    }
    LogRanges lines = index_.lines_of(task);
    for (const Kept& kept : kept_[task])
        if (!with_files || !kept.rows.is_unchanged())
            lines.insert(lines.end(), kept.lines.begin(), kept.lines.end());
    co_return merged(std::move(lines));
}

asio::awaitable<base::Result<void>> ResultFiles::copy_kept(TaskId task, ResultRows& rows) {
    TakeLine add = [&rows](std::string_view row) { return rows.add(number_of(row), row); };
    auto kept = kept_.find(task);
    if (kept == kept_.end() || !index_.knows(task)) co_return base::Result<void>();
    for (const Kept& one : kept->second) {
        if (!one.rows.is_unchanged()) continue;
        LogRanges all{{0, one.rows.bytes()}};
        base::Result<void> copied = co_await read_lines(one.rows.fd(), std::move(all), add);
        if (!copied) co_return base::with_context(one.rows.path(), copied.error());
    }
    co_return base::Result<void>();
}

asio::awaitable<base::Result<void>> ResultFiles::read(LogRanges ranges, statelog::Descendants& descendants) {
    TakeLine take = [&](std::string_view line) { return descendants.take(line); };
    auto read_all = co_await read_lines(log_->fd.get(), std::move(ranges), std::move(take));
    if (!read_all) co_return base::with_context("reading the state log", read_all.error());
    co_return read_all;
}

// Finds all that follows the end of a task that was not seen to end.
asio::awaitable<base::Result<LogRanges>> ResultFiles::find_end(TaskId task) {
    std::optional<std::uint64_t> end;
    std::uint64_t offset = 0;
    TakeLine take = [&](std::string_view line) -> base::Result<void> {
        if (statelog::completed_in(line) == task) end = offset;
        offset += line.size() + 1;
        return {};
    };
    LogRanges all{{0, bytes_}};
    base::Result<void> read_all = co_await read_lines(log_->fd.get(), std::move(all), std::move(take));
    if (!read_all) co_return base::with_context("reading the state log", read_all.error());
    if (!end)
        co_return base::invalid(base::concat("the state log does not contain the end of task ", task.value));
    LogRanges found{{*end, bytes_}};
    co_return found;
}

asio::awaitable<base::Result<void>> ResultFiles::read_lines(int fd, LogRanges ranges, TakeLine take) {
    base::LineSplitter lines(statelog::longest_line);
    base::Result<void> taken;
    auto take_piece = [&](std::string_view piece) {
        lines.add(piece, [&](std::string_view line) {
            if (taken) taken = take(line);
        });
        return taken;
    };
    std::uint64_t left = read_at_once;  // until the event loop goes on
    for (io::ByteRange range : ranges) {
        while (range.begin < range.end) {
            io::ByteRange part{range.begin, std::min(range.end, range.begin + left)};
            auto read_some = io::read_pieces(fd, part, take_piece);
            if (!read_some) co_return read_some.error();
            range.begin = part.end;
            left -= part.end - part.begin;
            if (left > 0) continue;
            left = read_at_once;
            co_await asio::post(executor_, asio::use_awaitable);
        }
    }
    co_return base::Result<void>();
}

}  // namespace runner
