#include "runs/kept_answers.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "io/directory.hpp"
#include "io/file_calls.hpp"
#include "io/log.hpp"
#include "io/new_file.hpp"
#include "workflow/machine.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace runs {

namespace {

constexpr std::string_view answer_suffix = ".json";

std::string directory_of(const std::string& run) {
    return run + "/answers";
}

// Whose name has the number of its task.
base::Result<KeptAnswer> read(const std::filesystem::path& path) {
    auto text = io::read_regular_file(path.string(), 2 * longest_request);
    if (!text) return text.error();
    auto kept = parse_kept_answer(*text);
    if (kept && path.stem() != std::to_string(kept->answer.task))
        return base::invalid("it is the answer to another task");
    return kept;
}

// Files in the place of answers, of which the first are told one by one.
class Unusable {
  public:
    void add(const std::string& path, std::string_view why) {
        if (++count_ <= most_told) io::log::warn(path, ": the answer cannot be used: ", why);
    }
    void conclude(const std::string& directory) const {
        if (count_ > most_told)
            io::log::warn(directory, ": ", base::counted(count_ - most_told, "more answer"),
                          " cannot be used");
    }

  private:
    static constexpr std::size_t most_told = 10;
    std::size_t count_ = 0;
};

// The files in the directory of answers. A run may have none, and a log that has no directory has none,
// either.
base::Result<std::vector<std::filesystem::path>> answer_files(const std::string& run) {
    const std::string directory = directory_of(run);
    std::vector<std::filesystem::path> files;
    struct stat found {};
    if (::lstat(directory.c_str(), &found) != 0 && (errno == ENOENT || errno == ENOTDIR)) return files;
    std::error_code failed;
    std::filesystem::directory_iterator entry(directory, failed);
    while (!failed && entry != std::filesystem::directory_iterator()) {
        files.push_back(entry->path());
        entry.increment(failed);
    }
    if (!failed) return files;
    return base::Error{
        failed,
        base::concat(directory, ": the answers that are kept there cannot be read: ", failed.message())};
}

base::Result<std::vector<std::uint64_t>> answered_tasks(const std::string& run, Unusable& unusable) {
    auto files = answer_files(run);
    if (!files) return files.error();
    std::vector<std::uint64_t> tasks;
    for (const std::filesystem::path& file : *files) {
        if (file.extension() != answer_suffix) continue;
        auto task = base::parse_number<std::uint64_t>(file.stem().string());
        if (task && file == answer_path(run, *task))
            tasks.push_back(*task);
        else
            unusable.add(file.string(), "its name is not the number of a task");
    }
    std::ranges::sort(tasks);
    return tasks;
}

}  // namespace

std::string answer_path(const std::string& run, std::uint64_t task) {
    return base::concat(directory_of(run), "/", task, answer_suffix);
}

base::Result<void> keep_answer(const std::string& run, const KeptAnswer& kept) {
    std::string directory = directory_of(run);
    if (::mkdir(directory.c_str(), S_IRWXU) != 0 && errno != EEXIST)
        return base::system_error("cannot create " + directory);
    auto calls = io::FileCalls::real();
    auto fill = [&](int fd) { return io::write_all(calls, fd, to_json(kept)); };
    std::string path = answer_path(run, kept.answer.task);
    auto file = io::create_file(path, fill, calls);
    if (!file) return base::with_context(path, file.error());
    return {};
}

base::Result<void> for_each_answer(const std::string& run, const std::function<void(KeptAnswer)>& use) {
    Unusable unusable;
    auto tasks = answered_tasks(run, unusable);
    if (!tasks) return tasks.error();
    for (std::uint64_t task : *tasks) {
        auto kept = read(answer_path(run, task));
        if (kept)
            use(std::move(*kept));
        else
            unusable.add(answer_path(run, task), kept.error().message);
    }
    unusable.conclude(directory_of(run));
    return {};
}

std::optional<KeptAnswer> read_answer(const std::string& run, std::uint64_t task) {
    auto kept = read(answer_path(run, task));
    return kept ? std::optional(std::move(*kept)) : std::nullopt;
}

workflow::PersonsAnswer persons_answer(HumanAnswer answer) {
    return {{answer.task}, std::move(answer.user), std::move(answer.response), std::move(answer.reason)};
}

base::Result<std::string> take_answers(const config::WorkflowConfig& config, statelog::Start& start,
                                       const std::string& run) {
    std::string lines;
    auto taken = for_each_answer(run, [&](KeptAnswer kept) {
        workflow::TaskId id{kept.answer.task};
        if (!start.state.asked.contains(id)) return;
        const workflow::Task& task = *start.state.find(id);
        workflow::PersonsAnswer answer = persons_answer(std::move(kept.answer));
        auto result = workflow::result_of(config, config.step(task.step), answer);
        if (!result) {
            io::log::warn("the answer to task ", id.value, " does not count: ", result.error().message);
            return;
        }
        if (const auto* failure = std::get_if<workflow::Failure>(&*result)) {
            ++start.dropped_count;
            start.dropped.push_back({id, task.step, false, *failure});
        }
        auto group =
            workflow::decide_answered(config, start.state, id, std::move(*result), {std::move(answer.user)});
        for (const workflow::Entry& entry : group) {
            workflow::apply(config, start.state, entry).value();
            bool is_answer = std::holds_alternative<workflow::TaskCompleted>(entry);
            statelog::append_record(lines, config, entry, is_answer ? kept.time : statelog::now());
        }
        start.asked_since.erase(id);
        io::log::info("task ", id.value, " was answered while no run lived");
    });
    if (!taken) return taken.error();
    return lines;
}

}  // namespace runs
