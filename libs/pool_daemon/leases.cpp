#include "pool_daemon/leases.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "pool_protocol/names.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <unistd.h>

namespace pool_daemon {

using pool_protocol::Lease;
using pool_protocol::lease_size;

namespace {

constexpr std::size_t max_file_bytes = std::size_t{256} << 20;
constexpr std::string_view free_mark =
    "-";  // replaces the first letter of the agent's id, which cannot be this character

using Slot = std::array<char, lease_size>;

// Padded, so that it overwrites the slot's previous content.
Slot slot_of(const Lease& lease) {
    Slot slot;
    slot.fill(' ');
    to_line(lease).copy(slot.data(), lease_size - 1);
    slot.back() = '\n';
    return slot;
}

std::string_view text_of(const Slot& slot) {
    return {slot.data(), slot.size()};
}

std::optional<Lease> lease_in(std::string_view slot) {
    return pool_protocol::parse_lease(slot.substr(0, slot.find_last_not_of(" \n") + 1));
}

base::Result<void> write_at(int file, std::size_t slot, std::string_view text) {
    ssize_t written = ::pwrite(file, text.data(), text.size(), static_cast<off_t>(slot * lease_size));
    if (written == static_cast<ssize_t>(text.size())) return {};
    if (written >= 0) errno = ENOSPC;
    return base::system_error(base::concat("cannot write ", pool_protocol::leases_name));
}

}  // namespace

std::vector<Lease> Leases::read() const {
    std::vector<Lease> found;
    auto text = files_.pool.read(pool_protocol::leases_name, max_file_bytes);
    if (text.has_error()) {
        if (text.error().code != boost::system::errc::no_such_file_or_directory)
            io::log::warn(text.error().message);
        return found;
    }
    // By lines, because the slots of older daemons are shorter.
    for (std::string_view rest = *text; !rest.empty();) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        if (auto lease = lease_in(line)) found.push_back(std::move(*lease));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    }
    return found;
}

base::Result<void> Leases::begin(const std::vector<Lease>& standing) {
    for (const Lease& lease : standing)
        held_[lease.agent] = {0, lease};
    return write_again();
}

base::Result<void> Leases::write_again() {
    std::string text;
    std::size_t slot = 0;
    for (auto& [agent, held] : held_) {
        held.slot = slot++;
        text += text_of(slot_of(held.lease));
    }
    auto written = files_.pool.write(files_.scratch, pool_protocol::leases_name, text);
    if (written.has_error()) return written;
    file_ = io::UniqueFd(
        ::openat(files_.pool.fd(), pool_protocol::leases_name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
    if (!file_)
        return base::system_error(
            base::concat("cannot open ", files_.pool.path_of(pool_protocol::leases_name)));
    slots_ = slot;
    free_.clear();
    return {};
}

base::Result<void> Leases::take(Lease lease) {
    std::size_t slot = free_.empty() ? slots_ : free_.back();
    if (auto written = write_at(file_.get(), slot, text_of(slot_of(lease))); written.has_error())
        return written;
    if (free_.empty())
        ++slots_;
    else
        free_.pop_back();
    Held& held = held_[lease.agent];
    held = {slot, std::move(lease)};
    return {};
}

void Leases::mark_withdrawn(const std::string& agent) {
    auto found = held_.find(agent);
    if (found == held_.end()) return;
    Held& held = found->second;
    held.lease.submission.reset();
    // After a failure, and if the daemon is killed, an answer is kept longer than necessary, nothing worse.
    if (auto written = write_at(file_.get(), held.slot, text_of(slot_of(held.lease))); written.has_error())
        io::log::warn(written.error().message);
}

void Leases::give_back(const std::string& agent) {
    auto held = held_.extract(agent);
    if (held.empty()) return;
    std::size_t slot = held.mapped().slot;
    // A failure is harmless: a lease without files of its agent is ignored.
    if (auto written = write_at(file_.get(), slot, free_mark); written.has_error())
        io::log::warn(written.error().message);
    free_.push_back(slot);
}

}  // namespace pool_daemon
