// How a new stream of records gets its first sequence. Versions are sequences, and those of a stream that was
// lost must not come again. Purging an empty stream "up to" a sequence makes that one the next. But a purge
// that the server carries out just when it gets a message takes that along. So one edge is chosen to do it,
// by a message under a fence, which goes with the purge; and nobody writes a record before.
#include "base/text.hpp"
#include "nats/api_error.hpp"
#include "nats/headers.hpp"
#include "nats_engine/engine.hpp"

namespace nats_engine {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr auto between_looks_at_numbers = 100ms;
// After so many looks, the edge that was chosen seems to have died, and another one is chosen.
constexpr int patient_looks = 50;

base::Error wrong_numbers(const std::string& stream) {
    return base::invalid(base::concat("the stream ", stream, " does not number its messages as it was told"));
}

}  // namespace

asio::awaitable<base::Result<void>> Engine::begin_versions(std::uint64_t first) {
    std::uint64_t awaited = 0;
    while (true) {
        auto begun = co_await have_begun(first);
        if (begun.has_error()) co_return begun.error();
        if (*begun) co_return base::Result<void>();
        auto choice = co_await jetstream_.last_by_leader(names_.record_stream(), names_.beginning());
        if (choice.has_error()) co_return choice.error();
        std::uint64_t sequence = *choice ? (*choice)->sequence : 0;
        if (sequence != awaited) {
            awaited = sequence;
            begun = co_await have_begun(first, patient_looks);
            continue;
        }
        auto chosen = co_await is_chosen(first, sequence);
        if (chosen.has_error()) co_return chosen.error();
        if (!*chosen) continue;
        auto numbered = co_await number_from(first);
        co_return numbered;
    }
}

asio::awaitable<base::Result<bool>> Engine::have_begun(std::uint64_t first, int looks) {
    while (true) {
        auto info = co_await jetstream_.stream_info(names_.record_stream());
        if (info.has_error()) co_return info.error();
        bool is_begun = info->last_sequence + 1 >= first;
        if (is_begun || --looks <= 0) co_return is_begun;
        co_await pause(between_looks_at_numbers);
    }
}

// `expected`: the sequence of the last choice.
asio::awaitable<base::Result<bool>> Engine::is_chosen(std::uint64_t first, std::uint64_t expected) {
    std::string subject = names_.beginning();
    std::string fence =
        nats::Headers().add(nats::expected_subject_sequence, std::to_string(expected)).block();
    nats::Outgoing message{subject, {}, fence};
    auto stored = co_await jetstream_.publish(message);
    if (stored.has_error() && stored.error().code == nats::ApiErrc::wrong_last_sequence) co_return false;
    if (stored.has_error()) co_return stored.error();
    if (stored->sequence < first) co_return true;
    // Another one has numbered them meanwhile.
    co_await jetstream_.delete_message(names_.record_stream(), stored->sequence);
    co_return false;
}

asio::awaitable<base::Result<void>> Engine::number_from(std::uint64_t first) {
    auto purged = co_await jetstream_.purge(names_.record_stream(), "", first);
    if (purged.has_error()) co_return purged.error();
    auto begun = co_await have_begun(first);
    if (begun.has_error()) co_return begun.error();
    if (!*begun) co_return wrong_numbers(names_.record_stream());
    co_return base::Result<void>();
}

}  // namespace nats_engine
