// What the state log costs, beside the least that it could cost:
//
//   state_log append [--directory DIR] [--rounds N] [--seconds S]
//   state_log replay [--directory DIR] [--rounds N] [--json] [TASKS...]
//
// append: entries through the journal, with each --fsync policy and commits of 1, 32 and 1,000 entries,
// beside a plain loop of write (and, for `always`, fdatasync) of the same bytes in the same batches. The two
// take turns, --rounds times (5) each; a line has the median rate of both and their ratio.
//
// replay: a log of a fan-out of TASKS tasks (10,000 and 1,000,000), all of them completed, is replayed from
// its file, and each of its lines is parsed by Boost.JSON; then one of as many tasks that are all pending,
// for the memory that each of them takes.
//
// DIR is where the logs are made: the directory for temporary files, unless told. Build it for Release.
#include "base/exit_code.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "cli/option_table.hpp"
#include "io/unique_fd.hpp"
#include "statelog/journal.hpp"
#include "statelog/record.hpp"
#include "statelog/replay_file.hpp"
#include "tree_memory.hpp"
#include "workflow/machine.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/parser.hpp>
#include <boost/program_options/errors.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

namespace asio = boost::asio;
namespace po = boost::program_options;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

struct Settings {
    std::string directory = std::filesystem::temp_directory_path().string();
    double seconds = 1;
    std::size_t rounds = 5;
    bool json = false;
    std::vector<std::size_t> tasks;
};

[[noreturn]] void fail(const std::string& message) {
    std::fprintf(stderr, "state_log: %s\n", message.c_str());
    std::exit(1);
}

config::WorkflowConfig fan_out_config() {
    config::Step root, leaf;
    root.name = "ListFiles";
    root.action = config::Command{"ls"};
    root.next = {{1}};
    leaf.name = "Refactor";
    leaf.action = config::Command{"true"};
    config::WorkflowConfig config;
    config.steps = {root, leaf};
    config.by_name = {{"ListFiles", {0}}, {"Refactor", {1}}};
    config.directory = "/";
    config.resolved =
        R"({"entrypoint":"ListFiles","steps":[{"name":"ListFiles","action":{"kind":"Command","script":"ls"},)"
        R"("next":["Refactor"]},{"name":"Refactor","action":{"kind":"Command","script":"true"}}]})";
    return config;
}

double median(std::vector<double> figures) {
    std::sort(figures.begin(), figures.end());
    return figures[figures.size() / 2];
}

// A path in the directory that is free, and is removed in the end.
class ScratchFile {
  public:
    explicit ScratchFile(const Settings& settings)
        : path_(base::concat(settings.directory, "/state_log-", ::getpid(), ".ndjson")) {}
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
    ~ScratchFile() { ::unlink(path_.c_str()); }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

// --- append

struct Load {
    std::string batch;
    std::size_t entries;
    statelog::Fsync policy;
    Clock::duration time;
};

std::string batch_of(std::size_t entries) {
    auto config = fan_out_config();
    std::string text;
    for (std::size_t i = 0; i < entries; ++i)
        statelog::append_record(text, config, workflow::TaskCompleted{{i}, workflow::Succeeded{}},
                                statelog::now(), statelog::now());
    return text;
}

double rate(const Load& load, std::size_t batches, Clock::time_point began) {
    return static_cast<double>(batches * load.entries) / Seconds(Clock::now() - began).count();
}

double raw_rate(const Settings& settings, const Load& load) {
    ScratchFile file(settings);
    io::UniqueFd fd(::open(file.path().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (!fd) fail("cannot write " + file.path());
    auto began = Clock::now();
    std::size_t batches = 0;
    for (; Clock::now() - began < load.time; ++batches) {
        if (::write(fd.get(), load.batch.data(), load.batch.size()) !=
            static_cast<ssize_t>(load.batch.size()))
            fail("a short write");
        if (load.policy == statelog::Fsync::always && ::fdatasync(fd.get()) != 0) fail("fdatasync failed");
    }
    return rate(load, batches, began);
}

asio::awaitable<void> commit_all(statelog::Journal& journal, const Load& load, double& result) {
    auto began = Clock::now();
    std::size_t batches = 0;
    for (; Clock::now() - began < load.time; ++batches) {
        std::string lines = load.batch;
        base::Result<void> written = co_await journal.commit(std::move(lines));
        if (!written) fail(written.error().message);
    }
    result = rate(load, batches, began);
    base::Result<void> closed = co_await journal.close();
    if (!closed) fail(closed.error().message);
}

double journal_rate(const Settings& settings, const Load& load) {
    ScratchFile file(settings);
    auto log = statelog::LogFile::create(file.path(), "");
    if (!log) fail(log.error().message);
    asio::io_context context(1);
    statelog::Journal journal(context.get_executor(), std::move(*log), load.policy, [](base::Error) {});
    double result = 0;
    asio::co_spawn(context, commit_all(journal, load, result), [](std::exception_ptr exception) {
        if (exception) std::rethrow_exception(exception);
    });
    context.run();
    return result;
}

void append(const Settings& settings) {
    struct Policy {
        const char* name;
        statelog::Fsync policy;
    };
    std::printf("%-9s %8s %15s %15s %7s\n", "fsync", "entries", "journal/s", "raw/s", "ratio");
    for (Policy policy :
         {Policy{"always", statelog::Fsync::always}, Policy{"interval", statelog::Fsync::interval},
          Policy{"never", statelog::Fsync::never}}) {
        for (std::size_t entries : {1U, 32U, 1000U}) {
            Load load{batch_of(entries), entries, policy.policy,
                      std::chrono::duration_cast<Clock::duration>(
                          Seconds(settings.seconds / static_cast<double>(settings.rounds)))};
            std::vector<double> ours, raw;
            for (std::size_t round = 0; round < settings.rounds; ++round) {
                ours.push_back(journal_rate(settings, load));
                raw.push_back(raw_rate(settings, load));
            }
            std::printf("%-9s %8zu %15.0f %15.0f %7.2f\n", policy.name, entries, median(ours), median(raw),
                        median(ours) / median(raw));
            std::fflush(stdout);
        }
    }
}

// --- replay

void write_log(const std::string& path, std::size_t tasks, bool completed) {
    auto config = fan_out_config();
    std::string text;
    statelog::append_header(text, {config.resolved, "/", "bench", 1}, statelog::now());
    workflow::State state(config);
    auto add = [&](const workflow::Group& group) {
        for (const auto& entry : group) {
            workflow::apply(config, state, entry).value();
            statelog::append_record(text, config, entry, statelog::now());
        }
    };
    add(workflow::decide_initial(state, {{{0}, "{}"}}));
    std::vector<config::NewTask> children;
    for (std::size_t i = 0; i < tasks; ++i)
        children.push_back({{1}, base::concat(R"({"file":"src/module/file-)", i, R"(.cpp","lines":120})")});
    add(workflow::decide(config, state, {0}, std::move(children)));
    for (std::uint64_t id = 1; completed && id <= tasks; ++id)
        add(workflow::decide(config, state, {id}, std::vector<config::NewTask>()));
    std::ofstream file(path, std::ios::binary);
    if (!file.write(text.data(), static_cast<std::streamsize>(text.size())).flush())
        fail("cannot write " + path);
}

double seconds_to_replay(const std::string& path) {
    io::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    auto began = Clock::now();
    auto replayed = statelog::replay_file(fd.get(), path);
    if (!replayed) fail(replayed.error().message);
    return Seconds(Clock::now() - began).count();
}

// What the state of a log of pending tasks takes, for each of them.
double bytes_per_pending_task(const std::string& path, std::size_t tasks) {
    io::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    tree::MemoryCount memory;
    auto replayed = statelog::replay_file(fd.get(), path);
    if (!replayed) fail(replayed.error().message);
    if (replayed->replay.state().tasks.size() != tasks) fail("the replay has lost tasks");
    return static_cast<double>(memory.bytes()) / static_cast<double>(tasks);
}

// Each line to a value, as its documentation has it: one parser, used again and again.
double parse_lines(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    boost::json::parser parser;
    std::size_t kinds = 0;
    auto began = Clock::now();
    for (std::string_view rest = text; !rest.empty();) {
        std::size_t newline = rest.find('\n');
        parser.reset();
        parser.write(rest.substr(0, newline));
        kinds += parser.release().as_object().at("kind").as_string().size();
        rest.remove_prefix(newline + 1);
    }
    if (kinds == 0) fail("no entries");
    return Seconds(Clock::now() - began).count();
}

struct Comparison {
    std::size_t tasks;
    double log_mib;
    double replay_seconds;
    double parse_seconds;
    double bytes_per_pending_task;
};

Comparison compare_replay(const Settings& settings, std::size_t tasks) {
    ScratchFile file(settings);
    write_log(file.path(), tasks, true);
    auto size = static_cast<double>(std::filesystem::file_size(file.path())) / 1048576;
    std::vector<double> ours, theirs;
    for (std::size_t round = 0; round < settings.rounds; ++round) {
        ours.push_back(seconds_to_replay(file.path()));
        theirs.push_back(parse_lines(file.path()));
    }
    write_log(file.path(), tasks, false);
    return {tasks, size, median(ours), median(theirs), bytes_per_pending_task(file.path(), tasks)};
}

void print(const Comparison& row, bool json) {
    double ratio = row.replay_seconds / row.parse_seconds;
    if (json)
        std::printf(R"({"tasks":%zu,"log_mib":%.1f,"replay_seconds":%.3f,"parse_seconds":%.3f,)"
                    R"("ratio":%.3f,"bytes_per_pending_task":%.0f})"
                    "\n",
                    row.tasks, row.log_mib, row.replay_seconds, row.parse_seconds, ratio,
                    row.bytes_per_pending_task);
    else
        std::printf("%9zu %9.1f %10.3f %10.3f %7.2f %14.0f\n", row.tasks, row.log_mib, row.replay_seconds,
                    row.parse_seconds, ratio, row.bytes_per_pending_task);
    std::fflush(stdout);
}

void replay(const Settings& settings) {
    if (!settings.json)
        std::printf("%9s %9s %10s %10s %7s %14s\n", "tasks", "log MiB", "replay s", "parse s", "ratio",
                    "B/pending task");
    for (std::size_t tasks : settings.tasks)
        print(compare_replay(settings, tasks), settings.json);
}

std::size_t task_count(const std::string& text) {
    auto count = base::parse_number<std::size_t>(text);
    if (!count || *count == 0)
        throw po::error("TASKS must be whole numbers greater than 0 (for example 10000), not '" + text + "'");
    return *count;
}

using Table = cli::OptionTable<Settings>;

Table common_options() {
    return {{{"directory", cli::directory("DIR", "the directory in which the logs are written"),
              "where the logs are written (default: that of temporary files)"},
             cli::into(&Settings::directory)},
            {{"rounds", cli::whole_number("N", 1), "how often; the median counts (default: 5)"},
             cli::into(&Settings::rounds)}};
}

Table append_options() {
    Table table = common_options();
    table.push_back(
        {{"seconds", cli::seconds("S", cli::Zero::refused), "how long each round takes (default: 1)"},
         [](Settings& settings, const std::string& text) { settings.seconds = std::stod(text); }});
    return table;
}

Table replay_options() {
    Table table = common_options();
    table.push_back({{"json", cli::none(), "a line of JSON for each log"}, cli::into(&Settings::json)});
    cli::Option tasks{"tasks", cli::text("TASKS", "numbers of tasks").as_list(),
                      "how many tasks each log has (default: 10000 1000000)"};
    tasks.is_positional = true;
    table.push_back({std::move(tasks), [](Settings& settings, const std::string& text) {
                         settings.tasks.push_back(task_count(text));
                     }});
    return table;
}

cli::Command measurement(const char* name, const char* summary, const Table& table,
                         void (*measure)(const Settings&)) {
    cli::Command command{name, summary, "", cli::options_of(table)};
    command.run = [table, measure](const cli::Options& given) {
        auto settings = cli::read(table, given);
        if (settings.tasks.empty()) settings.tasks = {10'000, 1'000'000};
        measure(settings);
        return base::ExitCode::ok;
    };
    return command;
}

}  // namespace

int main(int argc, char** argv) {
    cli::Program program;
    program.name = "state_log";
    program.summary = "Measures the state log.";
    program.global_options = {{"help", cli::none(), "print help", 'h'}};
    program.commands = {
        measurement("append", "Writes entries, beside raw writes.", append_options(), append),
        measurement("replay", "Replays logs, beside a plain parse.", replay_options(), replay)};
    return cli::run(program, argc, argv);
}
