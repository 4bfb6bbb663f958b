// The time from a publication to the server's answer that it is stored, one at a time:
//
//   nats_publish ADDRESS [--count N]
//
// Prints a line of JSON for our client, and, if the library libnats was there when this was built, two for
// that: with its default options, and with the one to send at once (natsOptions_SetSendAsap). With the
// library, too, the answer comes to a subscription's callback, because a program with an event loop cannot
// wait for it. The server needs JetStream; the stream HOP is made in it. Build it for Release.
#include "arguments.hpp"
#include "io/log.hpp"
#include "io/task_group.hpp"
#include "libnats_publish.hpp"
#include "nats/jetstream.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr const char* usage = "usage: nats_publish ADDRESS [--count N]\n";

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "nats_publish: %s\n", what.c_str());
    std::exit(1);
}

void print(const char* client, std::vector<double> times) {
    if (times.empty()) return;
    std::sort(times.begin(), times.end());
    std::printf("{\"client\":\"%s\",\"count\":%zu,\"p50_ms\":%.3f,\"p99_ms\":%.3f}\n", client, times.size(),
                times[times.size() / 2], times[times.size() * 99 / 100]);
}

void report(const nats::Notice& notice) {
    if (const auto* failed = std::get_if<nats::Failed>(&notice)) fail(failed->error.message);
}

asio::awaitable<void> publish(nats::Client& client, std::size_t count, std::vector<double>& times) {
    nats::JetStream jetstream(client);
    nats::StreamConfig config;
    config.name = "HOP";
    config.subjects = {"hop"};
    config.most_per_subject = 1;
    auto created = co_await jetstream.create_stream(config);
    if (created.has_error()) fail(created.error().message);
    const std::string payload(bench::payload_size, 'x');
    for (std::size_t i = 0; i < count; ++i) {
        nats::Outgoing message{"hop", payload};
        Clock::time_point begin = Clock::now();
        auto stored = co_await jetstream.publish(message);
        if (stored.has_error()) fail(stored.error().message);
        times.push_back(Milliseconds(Clock::now() - begin).count());
    }
}

asio::awaitable<void> run(io::TaskGroup& group, nats::Client& client, std::size_t count,
                          std::vector<double>& times) {
    group.spawn("the client", client.run());
    co_await publish(client, count, times);
    group.cancel();
    co_await group.join();
}

std::vector<double> times_of_ours(const std::string& address, std::size_t count) {
    auto servers = nats::parse_server_addresses(address);
    if (servers.has_error()) fail(servers.error().message);
    nats::Settings settings;
    settings.servers = *servers;
    asio::io_context loop(1);
    nats::Client client(loop.get_executor(), settings, {}, report);
    io::TaskGroup group(loop.get_executor(), io::log_exception);
    std::vector<double> times;
    asio::co_spawn(loop, run(group, client, count, times), [](std::exception_ptr exception) {
        if (exception) std::rethrow_exception(exception);
    });
    loop.run();
    return times;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2 && (argc != 4 || std::string(argv[2]) != "--count")) bench::fail_with(usage);
    std::size_t count = argc == 4 ? bench::positive(argv[3], usage) : 2000;
    print("ours", times_of_ours(argv[1], count));
    print("libnats", bench::libnats_times(argv[1], count, false));
    print("libnats, at once", bench::libnats_times(argv[1], count, true));
}
