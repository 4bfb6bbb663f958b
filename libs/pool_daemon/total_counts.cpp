#include "pool_daemon/total_counts.hpp"

#include "io/log.hpp"
#include "pool_protocol/names.hpp"

namespace pool_daemon {

void TotalCounts::begin() {
    constexpr std::size_t longest = 4096;
    is_kept_ = true;
    earlier_.since =
        std::chrono::floor<pool_protocol::UnixTime>(std::chrono::system_clock::now().time_since_epoch());
    auto text = files_.pool.read(pool_protocol::counts_name, longest);
    if (text.has_error() && text.error().code == std::errc::no_such_file_or_directory) return;
    auto read = text ? pool_protocol::parse_total_counts(*text) : std::nullopt;
    if (read)
        earlier_ = *read;
    else
        io::log::warn(files_.pool.path_of(pool_protocol::counts_name),
                      " cannot be read: the pool's counts begin anew",
                      text ? std::string() : ": " + text.error().message);
}

void TotalCounts::changed() {
    if (!is_kept_ || is_due_) return;
    is_due_ = true;
    timers_.after(delay, [this] {
        is_due_ = false;
        write();
    });
}

void TotalCounts::write() {
    auto own = own_();
    if (!is_kept_ || own == written_) return;
    auto done = files_.pool.write(files_.scratch, pool_protocol::counts_name, to_json(total()));
    if (done) written_ = own;
    if (!done && !has_failed_) io::log::warn(done.error().message, "; the pool's counts may be lost");
    has_failed_ = !done;
}

pool_protocol::TotalCounts TotalCounts::total() const {
    return {earlier_.since, sum_of(earlier_.counts, own_())};
}

}  // namespace pool_daemon
