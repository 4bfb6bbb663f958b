// What the engine itself costs for a task, with everything that a run has but the work: the runner, the
// workflow's rules, and the state log on a disk. A stand-in ends each attempt at the loop's next turn.
//
//   engine rate [--directory DIR] [--rounds N] [--in-flight N] [TASKS]
//   engine fan-out [--directory DIR] [--rounds N] [--in-flight N] [TASKS...]
//
// rate: a fan-out of TASKS tasks (200,000), log with --fsync always; beside it a plain loop of write and
// fdatasync of the same bytes in the same batches. They take turns.
// fan-out: the time for each task, and in a run of its own the memory that a pending one takes, for each
// number of TASKS (10,000 and 1,000,000), log with --fsync interval.
//
// A line of JSON for each round of each. 512 tasks are in flight, and DIR, where the logs are made, is the
// directory for temporary files, unless told otherwise. Build it for Release.
#include "arguments.hpp"
#include "base/text.hpp"
#include "io/file_calls.hpp"
#include "io/log.hpp"
#include "io/unique_fd.hpp"
#include "runner/runner.hpp"
#include "statelog/record.hpp"
#include "tree_memory.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

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
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr config::StepId root{0}, leaf{1};

struct Settings {
    std::filesystem::path directory = std::filesystem::temp_directory_path();
    std::size_t rounds = 3;
    std::size_t in_flight = 512;
    std::vector<std::size_t> tasks;
};

[[noreturn]] void fail(const std::string& message) {
    std::fprintf(stderr, "engine: %s\n", message.c_str());
    std::exit(1);
}

config::WorkflowConfig fan_out_config() {
    config::WorkflowConfig config;
    config.steps.resize(2);
    config.steps[0].name = "ListFiles";
    config.steps[0].action = config::Command{"ls"};
    config.steps[0].next = {leaf};
    config.steps[1].name = "Refactor";
    config.steps[1].action = config::Command{"true"};
    config.by_name = {{"ListFiles", root}, {"Refactor", leaf}};
    config.directory = "/";
    config.resolved =
        R"({"entrypoint":"ListFiles","steps":[{"name":"ListFiles","action":{"kind":"Command","script":"ls"},)"
        R"("next":["Refactor"]},{"name":"Refactor","action":{"kind":"Command","script":"true"}}]})";
    return config;
}

// The root's answer are all the leaves, made beforehand; a leaf's, none.
class StandIn : public runner::AttemptRunner {
  public:
    explicit StandIn(std::size_t leaves) {
        leaves_.reserve(leaves);
        for (std::size_t i = 0; i < leaves; ++i)
            leaves_.push_back(
                {leaf, base::concat(R"({"file":"src/module/file-)", i, R"(.cpp","lines":120})")});
    }

    asio::awaitable<base::Result<workflow::AttemptEnd>> run(runner::Attempt attempt,
                                                            runner::Job /*job*/) override {
        co_await asio::post(asio::deferred);
        std::vector<config::NewTask> next;
        if (attempt.step == root) next = std::move(leaves_);
        co_return workflow::AttemptEnd(std::move(next));
    }

  private:
    std::vector<config::NewTask> leaves_;
};

// Where the log's writes ended, each of which is a commit.
using Batches = std::vector<std::size_t>;

class Log {
  public:
    Log(const Settings& settings, Batches* batches)
        : path_((settings.directory / base::concat("engine-", ::getpid(), ".ndjson")).string()),
          batches_(batches) {}
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;
    ~Log() { ::unlink(path_.c_str()); }

    const std::string& path() const { return path_; }

    statelog::LogFile create(const config::WorkflowConfig& config) {
        std::string head;
        statelog::append_header(head, {config.resolved, "/", "bench", 1}, statelog::now());
        io::FileCalls calls = io::FileCalls::real();
        if (batches_)
            calls.write = [this, write = calls.write](int fd, const void* data, std::size_t size) {
                batches_->push_back(size);
                return write(fd, data, size);
            };
        auto file = statelog::LogFile::create(path_, head, std::move(calls));
        if (!file) fail(file.error().message);
        return std::move(*file);
    }

  private:
    std::string path_;
    Batches* batches_;
};

asio::awaitable<void> run_to_end(runner::Runner& runner, statelog::Journal& journal,
                                 runner::Outcome& outcome) {
    outcome = co_await runner.run();
    base::Result<void> closed = co_await journal.close();
    if (!closed) fail(closed.error().message);
}

// The seconds that it takes.
double run_engine(const Settings& options, Log& log, statelog::Fsync fsync, std::size_t tasks) {
    config::WorkflowConfig config = fan_out_config();
    StandIn stand_in(tasks);
    asio::io_context context(1);
    statelog::Journal journal(context.get_executor(), log.create(config), fsync, [](base::Error) {});
    auto began = Clock::now();
    runner::Settings settings;
    settings.run_id = "bench";
    settings.jobs = options.in_flight;
    settings.journal = &journal;
    settings.stand_in = &stand_in;
    statelog::Start start{workflow::State(config), {}, 0};
    for (const auto& entry : workflow::decide_initial(start.state, {{root, "{}"}}))
        workflow::apply(config, start.state, entry).value();
    runner::Runner runner(context.get_executor(), config, std::move(settings), std::move(start));
    runner::Outcome outcome;
    asio::co_spawn(context, run_to_end(runner, journal, outcome), [](std::exception_ptr exception) {
        if (exception) std::rethrow_exception(exception);
    });
    context.run();
    if (!outcome.all_well() || outcome.steps[leaf.value].done != tasks) fail("tasks are left undone");
    return Seconds(Clock::now() - began).count();
}

std::string read_all(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

double write_batches(const Settings& settings, std::string_view text, const Batches& batches) {
    Log log(settings, nullptr);
    io::UniqueFd fd(::open(log.path().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (!fd) fail("cannot write " + log.path());
    auto began = Clock::now();
    for (std::size_t size : batches) {
        if (::write(fd.get(), text.data(), size) != static_cast<ssize_t>(size)) fail("a short write");
        if (::fdatasync(fd.get()) != 0) fail("fdatasync failed");
        text.remove_prefix(size);
    }
    return Seconds(Clock::now() - began).count();
}

void rate(const Settings& settings) {
    std::size_t tasks = settings.tasks.front();
    for (std::size_t round = 0; round < settings.rounds; ++round) {
        Batches batches;
        std::string text;
        double engine = 0;
        {
            Log log(settings, &batches);
            engine = run_engine(settings, log, statelog::Fsync::always, tasks);
            text = read_all(log.path());
        }
        double raw = write_batches(settings, text, batches);
        auto count = static_cast<double>(tasks);
        std::printf(R"({"tasks":%zu,"in_flight":%zu,"batches":%zu,"engine_per_second":%.0f,)"
                    R"("raw_per_second":%.0f,"ratio":%.3f})"
                    "\n",
                    tasks, settings.in_flight, batches.size(), count / engine, count / raw, raw / engine);
        std::fflush(stdout);
    }
}

double seconds_of_fan_out(const Settings& settings, std::size_t tasks) {
    Log log(settings, nullptr);
    return run_engine(settings, log, statelog::Fsync::interval, tasks);
}

void fan_out(const Settings& settings) {
    for (std::size_t round = 0; round < settings.rounds; ++round) {
        for (std::size_t tasks : settings.tasks) {
            auto count = static_cast<double>(tasks);
            double seconds = seconds_of_fan_out(settings, tasks);
            tree::MemoryCount memory;
            seconds_of_fan_out(settings, tasks);
            std::printf(R"({"tasks":%zu,"us_per_task":%.3f,"peak_bytes_per_task":%.0f})"
                        "\n",
                        tasks, 1e6 * seconds / count, static_cast<double>(memory.peak()) / count);
            std::fflush(stdout);
        }
    }
}

constexpr auto usage =
    "usage: engine rate [--directory DIR] [--rounds N] [--in-flight N] [TASKS]\n"
    "       engine fan-out [--directory DIR] [--rounds N] [--in-flight N] [TASKS...]\n";

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.empty()) bench::fail_with(usage);
    Settings settings;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        if (arguments[i] == "--directory" && i + 1 < arguments.size())
            settings.directory = arguments[++i];
        else if (arguments[i] == "--rounds" && i + 1 < arguments.size())
            settings.rounds = bench::positive(arguments[++i], usage);
        else if (arguments[i] == "--in-flight" && i + 1 < arguments.size())
            settings.in_flight = bench::positive(arguments[++i], usage);
        else
            settings.tasks.push_back(bench::positive(arguments[i], usage));
    }
    io::log::set_level(io::log::Level::error);
    if (arguments[0] == "rate") {
        if (settings.tasks.empty()) settings.tasks = {200'000};
        rate(settings);
    } else if (arguments[0] == "fan-out") {
        if (settings.tasks.empty()) settings.tasks = {10'000, 1'000'000};
        fan_out(settings);
    } else {
        bench::fail_with(usage);
    }
}
