// Measures the round trip of a task through a running pool daemon: submitters in a closed loop over its
// socket or over files, agents that answer at once over its files. Speaks the written protocol only and
// shares no code with the daemon, so that any daemon can be measured. One thread, to leave the machine to the
// daemon; what it used is reported.
#include "load_agents.hpp"
#include "load_file_submitters.hpp"
#include "load_files.hpp"
#include "load_submitters.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace {

using load::Clock;
using Seconds = std::chrono::duration<double>;

constexpr Seconds patience{120};  // for the answers that are left at the end

constexpr auto usage =
    "usage: pool_roundtrip --pool-dir DIR [--submitters N] [--agents M] [--seconds S] [--warmup S]\n"
    "                      [--keep-connection | --files] [--json]\n"
    "\n"
    "Measures tasks per second and latency through the daemon that serves the pool directory DIR\n"
    "(<root>/pools/<pool>). Each of N submitters (1) has one request in flight over the socket, each of M\n"
    "agents (1) answers at once over files, for S seconds (5) after a warm-up (1).\n"
    "  --submitters 0     only the agents are there, for the requests of others; nothing is measured\n"
    "  --agents 0         only the submitters are there; others are the agents\n"
    "  --keep-connection  one connection a submitter, with an id in each request; otherwise a new\n"
    "                     connection for each request\n"
    "  --files            the requests are files, not sent over the socket\n"
    "  --json             the result as one JSON object\n";

struct Options {
    std::string pool_directory;
    std::size_t submitters = 1;
    std::size_t agents = 1;
    Seconds seconds{5};
    Seconds warmup{1};
    bool keep_connection = false;
    bool files = false;
    bool json = false;
};

[[noreturn]] void usage_error(std::string_view message) {
    std::fprintf(stderr, "pool_roundtrip: %.*s\n%s", static_cast<int>(message.size()), message.data(), usage);
    std::exit(2);
}

double positive(const std::string& option, const char* text) {
    char* end = nullptr;
    double number = std::strtod(text, &end);
    if (end == text || *end != '\0' || !(number > 0 && number < 1e6))
        usage_error(option + " wants a number above 0");
    return number;
}

std::size_t count_or_none(const std::string& option, const char* text) {
    return std::string_view(text) == "0" ? 0 : static_cast<std::size_t>(positive(option, text));
}

void set_option(Options& options, const std::string& option, const char* value) {
    if (option == "--pool-dir") {
        options.pool_directory = value;
    } else if (option == "--submitters") {
        options.submitters = count_or_none(option, value);
    } else if (option == "--agents") {
        options.agents = count_or_none(option, value);
    } else if (option == "--seconds") {
        options.seconds = Seconds(positive(option, value));
    } else if (option == "--warmup") {
        options.warmup = Seconds(positive(option, value));
    } else {
        usage_error("unknown option " + option);
    }
}

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        std::string option = argv[i];
        if (option == "--help" || option == "-h") {
            std::fputs(usage, stdout);
            std::exit(0);
        }
        if (option == "--keep-connection") {
            options.keep_connection = true;
        } else if (option == "--files") {
            options.files = true;
        } else if (option == "--json") {
            options.json = true;
        } else if (i + 1 == argc) {
            usage_error(option + " is unknown or wants a value");
        } else {
            set_option(options, option, argv[++i]);
        }
    }
    if (options.pool_directory.empty()) usage_error("--pool-dir is missing");
    if (options.agents == 0 && options.submitters == 0) usage_error("at least one agent or submitter");
    return options;
}

// The event loop: one epoll set for the agents' inotify and the submitters' sockets, or their inotify.
class Load {
  public:
    explicit Load(const Options& options)
        : epoll_(::epoll_create1(EPOLL_CLOEXEC)), agents_(options.pool_directory, options.agents) {
        listen(agents_.fd(), agents_index);
        if (options.files) {
            files_.emplace(options.pool_directory, options.submitters);
            listen(files_->fd(), files_index);
        } else {
            sockets_.emplace(options.pool_directory, options.submitters, options.keep_connection, epoll_);
        }
    }
    ~Load() { ::close(epoll_); }
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;

    load::Requests& requests() {
        if (files_) return *files_;
        return *sockets_;
    }

    // Until `end`, or until nothing is in flight.
    void run_until(Clock::time_point end) {
        while (requests().in_flight() > 0 && Clock::now() < end) {
            turn(end);
        }
    }

    void serve_until(Clock::time_point end) {
        while (Clock::now() < end)
            turn(end);
    }

  private:
    static constexpr auto agents_index = std::numeric_limits<std::uint64_t>::max();
    static constexpr auto files_index = agents_index - 1;

    void listen(int fd, std::uint64_t index) {
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.u64 = index;
        if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) != 0) load::die_errno("epoll_ctl");
    }

    void turn(Clock::time_point end) {
        auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
        auto timeout = sockets_ && sockets_->any_refused() ? 1 : std::max<long>(left, 0);
        epoll_event events[64];
        int count = ::epoll_wait(epoll_, events, 64, static_cast<int>(timeout));
        for (int i = 0; i < count; ++i)
            on_event(events[i].data.u64);
        if (sockets_) sockets_->connect_refused();
    }

    void on_event(std::uint64_t index) {
        if (index == agents_index)
            agents_.on_events();
        else if (index == files_index)
            files_->on_events();
        else
            sockets_->on_readable(index);
    }

    int epoll_;
    load::Agents agents_;
    std::optional<load::Submitters> sockets_;
    std::optional<load::FileSubmitters> files_;
};

struct Result {
    std::uint64_t sent = 0;  // with those before and after the window
    std::size_t tasks = 0;
    double tasks_per_second = 0;
    double active_seconds = 0;  // from the begin of the window to its last answer
    double p50_ms = 0;
    double p99_ms = 0;
    double load_cpu_percent = 0;  // of one core, by this process
};

double percentile(std::vector<double>& sorted, double share) {
    if (sorted.empty()) return 0;
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

// Counted is what ended in the window.
Result evaluate(const std::vector<load::Sample>& samples, Clock::time_point begin, Clock::time_point end) {
    std::vector<double> latencies;
    for (const auto& sample : samples) {
        if (sample.ended < begin || sample.ended >= end) continue;
        latencies.push_back(std::chrono::duration<double, std::milli>(sample.ended - sample.begun).count());
    }
    std::sort(latencies.begin(), latencies.end());
    Result result;
    if (!latencies.empty())
        result.active_seconds = Seconds(std::min(samples.back().ended, end) - begin).count();
    result.tasks = latencies.size();
    result.tasks_per_second = static_cast<double>(result.tasks) / Seconds(end - begin).count();
    result.p50_ms = percentile(latencies, 0.5);
    result.p99_ms = percentile(latencies, 0.99);
    return result;
}

double cpu_seconds() {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

void print(const Options& options, const Result& result) {
    if (options.json) {
        std::printf("{\"submitters\":%zu,\"agents\":%zu,\"sent\":%llu,\"tasks\":%zu,", options.submitters,
                    options.agents, static_cast<unsigned long long>(result.sent), result.tasks);
        std::printf("\"tasks_per_second\":%.1f,", result.tasks_per_second);
        std::printf("\"active_seconds\":%.3f,\"p50_ms\":%.4f,\"p99_ms\":%.4f,\"load_cpu_percent\":%.0f}\n",
                    result.active_seconds, result.p50_ms, result.p99_ms, result.load_cpu_percent);
        return;
    }
    std::printf("%zu submitters, %zu agents: %zu tasks, %.1f tasks/s, p50 %.3f ms, p99 %.3f ms ",
                options.submitters, options.agents, result.tasks, result.tasks_per_second, result.p50_ms,
                result.p99_ms);
    std::printf("(the load itself: %.0f%% of a core)\n", result.load_cpu_percent);
}

Clock::time_point after(Seconds span) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(span);
}

void complain(std::size_t count, const std::string& what) {
    if (count > 0) std::fprintf(stderr, "pool_roundtrip: %zu %s\n", count, what.c_str());
}

// Whether the figures mean what they say: every request answered, each with its own answer.
bool is_sound(const load::Requests& requests, const Result& result) {
    complain(requests.in_flight(), "requests were not answered within two minutes");
    complain(requests.lost(), "requests lost their connection: the daemon closed or refused it");
    complain(requests.wrong_answers(), "wrong answers, the first: " + requests.first_wrong_answer());
    return requests.in_flight() + requests.lost() + requests.wrong_answers() == 0 && result.tasks > 0;
}

}  // namespace

int main(int argc, char** argv) {
    auto options = parse(argc, argv);
    Load load(options);
    if (options.submitters == 0) {
        load.serve_until(after(options.seconds));
        return 0;
    }
    load.requests().start();
    load.run_until(after(options.warmup));

    auto begin = Clock::now();
    auto cpu_before = cpu_seconds();
    auto end = after(options.seconds);
    load.run_until(end);
    auto cpu_used = cpu_seconds() - cpu_before;
    load.requests().finish();
    load.run_until(after(patience));

    auto result = evaluate(load.requests().samples(), begin, end);
    result.sent = load.requests().sent();
    result.load_cpu_percent = 100 * cpu_used / options.seconds.count();
    print(options, result);
    return is_sound(load.requests(), result) ? 0 : 1;
}
