// What NATS servers and the client of them can do at most for a pool over many hosts: tasks that are
// published, pulled, claimed, answered and acknowledged, and nothing else. The floor under any engine on
// JetStream.
//
//   nats_loop ADDRESSES [--workers N] [--tasks N | --seconds N] [--replicas N]
//
// Of N workers (64), each pulls one task at a time, writes a claim and an outcome, both under a fence, and
// acknowledges the task; as many submitters have one task each under way, and learn of the outcome by its
// republication. Workers have one connection, and submitters another. Prints a line of JSON with the tasks
// per second and the times from publication to outcome: of that many tasks (20,000), or of those that end
// within so many seconds, after one that does not count. The servers need JetStream; the streams LOOP_Q and
// LOOP_R are made in them, and emptied. Build it for Release.
#include "arguments.hpp"
#include "base/text.hpp"
#include "io/bell.hpp"
#include "io/log.hpp"
#include "io/task_group.hpp"
#include "nats/headers.hpp"
#include "nats/jetstream.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>

namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr const char* usage =
    "usage: nats_loop ADDRESSES [--workers N] [--tasks N | --seconds N] [--replicas N]\n";
constexpr auto patience = 60s;
constexpr auto warm_up = 1s;  // with --seconds

struct Arguments {
    std::string addresses;
    std::size_t workers = 64;
    std::size_t tasks = 20'000;
    std::size_t seconds = 0;  // instead of a number of tasks; 0: none
    std::size_t replicas = 1;
};

Arguments read_arguments(int argc, char** argv) {
    Arguments arguments;
    if (argc < 2) bench::fail_with(usage);
    arguments.addresses = argv[1];
    for (int i = 2; i + 1 < argc; i += 2) {
        std::string name = argv[i];
        std::size_t value = bench::positive(argv[i + 1], usage);
        if (name == "--workers")
            arguments.workers = value;
        else if (name == "--tasks")
            arguments.tasks = value;
        else if (name == "--seconds")
            arguments.seconds = value;
        else if (name == "--replicas")
            arguments.replicas = value;
        else
            bench::fail_with(usage);
    }
    return arguments;
}

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "nats_loop: %s\n", what.c_str());
    std::exit(1);
}

template<class T>
T must(base::Result<T> result) {
    if (result.has_error()) fail(result.error().message);
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

void report(const nats::Notice& notice) {
    if (const auto* failed = std::get_if<nats::Failed>(&notice)) fail(failed->error.message);
    if (const auto* lost = std::get_if<nats::Lost>(&notice)) fail(lost->error.message);
    if (const auto* refused = std::get_if<nats::Refused>(&notice)) fail(refused->error.message);
}

nats::Settings settings(const Arguments& arguments, const char* name) {
    nats::Settings settings;
    settings.servers = must(nats::parse_server_addresses(arguments.addresses));
    settings.name = name;
    settings.version = "1";
    return settings;
}

nats::StreamConfig stream(std::string name, std::string subject, std::size_t replicas) {
    nats::StreamConfig config;
    config.name = std::move(name);
    config.subjects = {std::move(subject)};
    config.refuses_new = config.refuses_new_per_subject = true;
    config.most_per_subject = 1;
    config.replicas = static_cast<int>(replicas);
    return config;
}

class Loop {
  public:
    Loop(asio::io_context& context, Arguments arguments)
        : arguments_(std::move(arguments)),
          executor_(context.get_executor()),
          worker_client_(executor_, settings(arguments_, "workers"), {}, report),
          submitter_client_(executor_, settings(arguments_, "submitters"), {}, report),
          workers_(worker_client_, patience),
          submitters_(submitter_client_, patience),
          clients_(executor_, io::log_exception),
          work_(executor_, io::log_exception),
          submission_(executor_, io::log_exception) {}

    asio::awaitable<void> run() {
        clients_.spawn("workers' client", worker_client_.run());
        clients_.spawn("submitters' client", submitter_client_.run());
        co_await prepare();
        auto take = [this](nats::Message message) { outcome_arrived(message.subject); };
        auto outcomes = must(submitter_client_.subscribe("loopev.res.>", take));
        must(co_await submitter_client_.flush(patience));
        begin_ = Clock::now();
        if (arguments_.seconds > 0) {
            begin_ += warm_up;
            end_ = begin_ + std::chrono::seconds(arguments_.seconds);
        }
        for (std::size_t i = 0; i < arguments_.workers; ++i) {
            work_.spawn("a worker", work());
            submission_.spawn("a submitter", submit());
        }
        co_await submission_.join();
        print(Milliseconds(std::min(Clock::now(), end_) - begin_).count() / 1000);
        work_.cancel();
        co_await work_.join();
        clients_.cancel();
        co_await clients_.join();
    }

  private:
    asio::awaitable<void> prepare() {
        nats::StreamConfig queue = stream("LOOP_Q", "loop.q.>", arguments_.replicas);
        queue.is_queue = true;
        must(co_await submitters_.create_stream(queue));
        nats::StreamConfig records = stream("LOOP_R", "loop.ev.>", arguments_.replicas);
        records.republish_from = "loop.ev.>";
        records.republish_to = "loopev.>";
        must(co_await submitters_.create_stream(records));
        nats::ConsumerConfig consumer{"c", "loop.q.>", 30s, -1, 200'000, 10'000};
        must(co_await submitters_.create_consumer("LOOP_Q", consumer));
        must(co_await submitters_.purge("LOOP_Q", "loop.q.>"));
        must(co_await submitters_.purge("LOOP_R", "loop.ev.>"));
    }

    asio::awaitable<void> work() {
        while (true) {
            std::string reply, subject;
            nats::PullRequest request{1, 30s, 10s};
            auto take = [&](nats::Message message) {
                reply = std::move(message.reply);
                subject = std::move(message.subject);
            };
            must(co_await workers_.pull("LOOP_Q", "c", request, take));
            if (reply.empty()) continue;
            std::string id = subject.substr(subject.rfind('.') + 1);
            must(co_await write("loop.ev.claim." + id));
            must(co_await write("loop.ev.res." + id));
            must(workers_.acknowledge(reply));
        }
    }

    asio::awaitable<base::Result<nats::Stored>> write(std::string subject) {
        nats::Outgoing message{subject, payload_, fence_};
        return workers_.publish(message);
    }

    asio::awaitable<void> submit() {
        while (arguments_.seconds > 0 ? Clock::now() < end_ : started_ < arguments_.tasks) {
            std::string id = std::to_string(++started_);
            io::Bell done(executor_);
            waiting_.emplace(id, &done);
            std::string subject = "loop.q." + id;
            nats::Outgoing message{subject, payload_};
            Clock::time_point begin = Clock::now();
            must(co_await submitters_.publish(message));
            co_await done.wait();
            Clock::time_point end = Clock::now();
            if (end >= begin_ && end < end_) times_.push_back(Milliseconds(end - begin).count());
        }
    }

    void outcome_arrived(const std::string& subject) {
        auto found = waiting_.extract(subject.substr(subject.rfind('.') + 1));
        if (!found.empty()) found.mapped()->ring();
    }

    void print(double seconds) {
        if (times_.empty()) fail("no task has ended in that time");
        std::sort(times_.begin(), times_.end());
        std::printf("{\"workers\":%zu,\"sent\":%zu,\"tasks\":%zu,\"replicas\":%zu,\"tasks_per_second\":%.0f,",
                    arguments_.workers, started_, times_.size(), arguments_.replicas,
                    static_cast<double>(times_.size()) / seconds);
        std::printf("\"p50_ms\":%.2f,\"p99_ms\":%.2f}\n", times_[times_.size() / 2],
                    times_[times_.size() * 99 / 100]);
    }

    Arguments arguments_;
    asio::any_io_executor executor_;
    nats::Client worker_client_;
    nats::Client submitter_client_;
    nats::JetStream workers_;
    nats::JetStream submitters_;
    io::TaskGroup clients_;
    io::TaskGroup work_;
    io::TaskGroup submission_;
    const std::string payload_ = std::string(256, 'x');
    const std::string fence_ = nats::Headers().add(nats::expected_subject_sequence, "0").block();
    Clock::time_point begin_;
    Clock::time_point end_ = Clock::time_point::max();
    std::size_t started_ = 0;
    std::unordered_map<std::string, io::Bell*> waiting_;
    std::vector<double> times_;
};

}  // namespace

int main(int argc, char** argv) {
    asio::io_context context(1);
    Loop loop(context, read_arguments(argc, argv));
    asio::co_spawn(context, loop.run(), [](std::exception_ptr exception) {
        if (exception) std::rethrow_exception(exception);
    });
    context.run();
}
