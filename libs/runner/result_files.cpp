#include "runner/result_files.hpp"

#include "base/line_splitter.hpp"
#include "base/text.hpp"
#include "io/file_pieces.hpp"
#include "json/json.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace runner {

namespace asio = boost::asio;
using workflow::TaskId;

namespace {

constexpr std::uint64_t read_at_once = std::uint64_t{1} << 19;
constexpr std::size_t longest_line = std::size_t{1} << 30;

std::string row_of(const config::WorkflowConfig& config, const statelog::Descendant& descendant) {
    std::string row = base::concat("{\"id\":", descendant.task.value, ",\"parent\":", descendant.parent.value,
                                   ",\"kind\":", json::quote(config.step(descendant.step).name),
                                   ",\"value\":", *descendant.value, ",\"outcome\":");
    if (descendant.failure == nullptr) return row + "\"done\"}";
    return row + base::concat("\"dropped\",\"error\":", json::quote(descendant.failure->message), "}");
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
      directory_(std::move(directory)) {}

ResultFiles::~ResultFiles() {
    ::rmdir(directory_.c_str());
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
    base::Result<void> read_all = co_await read(task, descendants);
    if (!read_all) co_return read_all.error();
    if (!added) co_return added.error();
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
    base::Result<void> read_all = co_await read(task, descendants);
    if (!read_all) co_return read_all.error();
    co_return results.take(descendants.is_task_dropped());
}

asio::awaitable<base::Result<void>> ResultFiles::read(TaskId task, statelog::Descendants& descendants) {
    if (!log_) co_return log_.error();
    if (!ends_.contains(task)) {
        base::Result<void> found = co_await find_end(task);
        if (!found) co_return found.error();
    }
    TakeLine take = [&](std::string_view line) { return descendants.take(line); };
    co_return co_await read_lines(ends_.at(task), std::move(take));
}

// Looks for all ends that are not known, so that a resumed run reads its log once for them.
asio::awaitable<base::Result<void>> ResultFiles::find_end(TaskId task) {
    unknown_.insert(task);
    std::uint64_t offset = 0;
    TakeLine take = [&](std::string_view line) -> base::Result<void> {
        auto completed = statelog::completed_in(line);
        if (completed && unknown_.erase(*completed) > 0) ends_[*completed] = offset;
        offset += line.size() + 1;
        return {};
    };
    base::Result<void> read_all = co_await read_lines(0, std::move(take));
    if (!read_all) co_return read_all.error();
    if (!ends_.contains(task))
        co_return base::invalid(base::concat("the state log does not contain the end of task ", task.value));
    co_return base::Result<void>();
}

asio::awaitable<base::Result<void>> ResultFiles::read_lines(std::uint64_t begin, TakeLine take) {
    base::LineSplitter lines(longest_line);
    base::Result<void> taken;
    auto take_piece = [&](std::string_view piece) {
        lines.add(piece, [&](std::string_view line) {
            if (taken) taken = take(line);
        });
        return taken;
    };
    for (std::uint64_t end = bytes_; begin < end; begin += read_at_once) {
        io::ByteRange range{begin, std::min(begin + read_at_once, end)};
        auto read_some = io::read_pieces(log_->fd.get(), range, take_piece);
        if (!read_some) co_return base::with_context("reading the state log", read_some.error());
        if (range.end < end) co_await asio::post(executor_, asio::use_awaitable);
    }
    co_return base::Result<void>();
}

}  // namespace runner
