#include "libnats_publish.hpp"

#ifdef BARNUM_HAS_LIBNATS

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <nats.h>

namespace bench {

namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;

void must(natsStatus status) {
    if (status == NATS_OK) return;
    std::fprintf(stderr, "nats_publish: libnats: %s\n", natsStatus_GetText(status));
    std::exit(1);
}

// Counts the answers.
struct Answers {
    std::mutex mutex;
    std::condition_variable arrival;
    std::size_t count = 0;
};

void take(natsConnection*, natsSubscription*, natsMsg* message, void* closure) {
    auto& answers = *static_cast<Answers*>(closure);
    {
        std::lock_guard lock(answers.mutex);
        ++answers.count;
    }
    answers.arrival.notify_one();
    natsMsg_Destroy(message);
}

}  // namespace

std::vector<double> libnats_times(const std::string& address, std::size_t count, bool at_once) {
    natsOptions* options = nullptr;
    natsConnection* connection = nullptr;
    natsSubscription* subscription = nullptr;
    Answers answers;
    must(natsOptions_Create(&options));
    must(natsOptions_SetURL(options, address.c_str()));
    must(natsOptions_SetSendAsap(options, at_once));
    must(natsConnection_Connect(&connection, options));
    must(natsConnection_Subscribe(&subscription, connection, "answers.hop", take, &answers));
    must(natsConnection_Flush(connection));
    const std::string payload(payload_size, 'x');
    std::vector<double> times;
    for (std::size_t i = 0; i < count; ++i) {
        auto begin = std::chrono::steady_clock::now();
        must(natsConnection_PublishRequest(connection, "hop", "answers.hop", payload.data(),
                                           static_cast<int>(payload.size())));
        std::unique_lock lock(answers.mutex);
        answers.arrival.wait(lock, [&] { return answers.count > i; });
        times.push_back(Milliseconds(std::chrono::steady_clock::now() - begin).count());
    }
    natsSubscription_Destroy(subscription);
    natsConnection_Close(connection);
    natsConnection_Destroy(connection);
    natsOptions_Destroy(options);
    return times;
}

}  // namespace bench

#else

namespace bench {

std::vector<double> libnats_times(const std::string&, std::size_t, bool) {
    return {};
}

}  // namespace bench

#endif
