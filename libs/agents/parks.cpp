#include "agents/parks.hpp"

#include "base/state_home.hpp"
#include "base/text.hpp"
#include "base/text_parts.hpp"
#include "io/log.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <random>
#include <unistd.h>

namespace agents {

namespace asio = boost::asio;

namespace {

// More than a variable and a command, which are at most 128 KiB each, can make.
constexpr std::size_t longest_file = 4 << 20;
constexpr std::chrono::seconds longest_pause{30};  // the system's clock may be set meanwhile
constexpr std::size_t longest_reason = 500;

Park::Time system_time() {
    return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

double random_fraction() {
    static std::minstd_rand generator(std::random_device{}());
    return std::uniform_real_distribution<double>(0, 1)(generator);
}

}  // namespace

Parks::Parks() {
    std::string home = base::state_home();
    if (!home.empty()) path_ = home + "/barnum/parks";
}

base::Result<io::Directory> Parks::open() const {
    if (path_.empty()) return base::invalid("there is no home directory for the parks of accounts");
    return io::Directory::open(path_, io::choose_state_home);
}

std::optional<Park> Parks::read(const Account& account) const {
    auto directory = open();
    if (directory.has_error()) return std::nullopt;
    return read(*directory, park_file_name(account));
}

std::optional<Park> Parks::read(const io::Directory& directory, const std::string& name) const {
    auto text = directory.read(name, longest_file);
    if (text.has_error()) return std::nullopt;
    auto park = parse_park(*text, system_time());
    if (!park && disbelieved_.insert(name).second)
        io::log::warn(path_, "/", name,
                      " is not believed, and parks no account: it is damaged, or its times are wrong: a park "
                      "has begun and lasts 8 days at most. It was written under another clock, or by another "
                      "program. The next usage limit replaces it; you may remove it");
    return park;
}

std::optional<Park> Parks::current(const Account& account) const {
    auto park = read(account);
    if (park && park->until > system_time()) return park;
    bool is_parked = unkept_ && unkept_->account == account && is_possible(*unkept_, system_time());
    return is_parked && unkept_->until > system_time() ? unkept_ : std::nullopt;
}

// Each process writes into a directory of its own first, so that others see the old park or the new one.
base::Result<void> Parks::write(const Park& park) const {
    auto directory = path_.empty() ? open() : io::Directory::make(path_, io::choose_state_home);
    if (directory.has_error()) return directory.error();
    auto scratch = io::Directory::make(base::concat(path_, "/writing-", ::getpid()));
    if (scratch.has_error()) return scratch.error();
    auto written = directory->write(*scratch, park_file_name(park.account), to_json(park));
    ::rmdir(scratch->path().c_str());
    return written;
}

Park Parks::park(std::string_view agent, const Account& account, std::string reason,
                 std::optional<Park::Time> told) {
    reason.resize(base::cut_to(reason, longest_reason).size());
    std::optional<Park> last = current(account);
    if (!last) last = read(account);
    Park park = next_park(account, last, std::move(reason), told, system_time(), random_fraction());
    auto written = write(park);
    unkept_.reset();
    if (written.has_error()) {
        io::log::warn(agent, ": the park of ", account.kind,
                      " is known to this agent only: ", written.error().message);
        unkept_ = park;
    }
    return park;
}

void Parks::succeeded(const Account& account) {
    unkept_.reset();
    if (read(account) && !current(account)) (void)lift(account);
}

base::Result<std::vector<Park>> Parks::all() const {
    std::vector<Park> parks;
    auto directory = open();
    const bool is_none_there =
        directory.has_error() &&
        (path_.empty() || directory.error().code == std::errc::no_such_file_or_directory);
    if (is_none_there) return parks;
    if (directory.has_error()) return directory.error();
    auto names = directory->names();
    if (names.has_error()) return names.error();
    for (const std::string& name : *names) {
        if (!name.ends_with(".json")) continue;
        auto park = read(*directory, name);
        if (park && park->until > system_time()) parks.push_back(std::move(*park));
    }
    std::ranges::sort(parks, {}, &Park::until);
    return parks;
}

base::Result<void> Parks::lift(const Account& account) {
    auto directory = open();
    if (directory.has_error()) return directory.error();
    return directory->remove(park_file_name(account));
}

asio::awaitable<void> Parks::wait(io::DirectoryWatch& watch, Account account) const {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    auto changed = [&timer](const io::DirectoryEvent&) { timer.cancel(); };
    auto subscription = watch.watch(path_, changed);
    while (auto park = current(account)) {
        timer.expires_after(std::min<std::chrono::seconds>(park->until - system_time(), longest_pause));
        boost::system::error_code ignored;
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() != asio::cancellation_type::none)
            throw boost::system::system_error(asio::error::operation_aborted);
    }
}

}  // namespace agents
