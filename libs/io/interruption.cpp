#include "io/interruption.hpp"

#include "io/active_timer.hpp"
#include "io/signals.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>

#include <csignal>

namespace io {

namespace asio = boost::asio;

namespace {

// Enough turns of the event loop to read all data in a socket and to pass it on.
constexpr int last_turns = 64;

}  // namespace

struct Interruption::State : std::enable_shared_from_this<State> {
    explicit State(const asio::any_io_executor& executor) : timer(executor), signals(executor) {}

    // Data that completes the work may have arrived already, but not be processed yet, because the process
    // was delayed. So the event loop gets some more turns first.
    void time_is_over(int turns) {
        if (cancelled) return;
        if (turns == 0) return interrupt(0);
        asio::post(signals.get_executor(), [weak = weak_from_this(), turns] {
            if (auto state = weak.lock()) state->time_is_over(turns - 1);
        });
    }

    void interrupt(int number) {
        happened = true;
        signal_number = number;
        signal.emit(asio::cancellation_type::terminal);
    }

    ActiveTimer timer;
    asio::signal_set signals;
    asio::cancellation_signal signal;
    bool happened = false;
    bool cancelled = false;
    int signal_number = 0;
};

// A wait that has completed can no longer be cancelled, and its handler runs later; so the handlers hold weak
// pointers.
Interruption::Interruption(asio::any_io_executor executor, std::initializer_list<int> signals,
                           std::optional<std::chrono::milliseconds> timeout)
    : state_(std::make_shared<State>(executor)) {
    for (int signal : signals)
        if (signal != SIGHUP || !is_ignored(SIGHUP)) state_->signals.add(signal);
    state_->signals.async_wait([weak = std::weak_ptr(state_)](boost::system::error_code ec, int number) {
        if (auto state = weak.lock(); state && !ec) state->interrupt(number);
    });
    if (!timeout) return;
    state_->timer.expires_after(*timeout);
    state_->timer.async_wait([weak = std::weak_ptr(state_)](boost::system::error_code ec) {
        if (auto state = weak.lock(); state && !ec) state->time_is_over(last_turns);
    });
}

Interruption::~Interruption() = default;

asio::cancellation_slot Interruption::slot() {
    return state_->signal.slot();
}
bool Interruption::happened() const {
    return state_->happened;
}
int Interruption::signal_number() const {
    return state_->signal_number;
}
void Interruption::cancel() {
    state_->cancelled = true;
    state_->timer.cancel();
    state_->signals.cancel();
    block_ending_signals();
}

}  // namespace io
