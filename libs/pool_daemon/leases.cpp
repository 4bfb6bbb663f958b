#include "pool_daemon/leases.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "pool_protocol/names.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pool_daemon {

using pool_protocol::earlier_leases_name;
using pool_protocol::Lease;
using pool_protocol::lease_size;
using pool_protocol::leases_name;

namespace {

constexpr std::size_t max_file_bytes = std::size_t{256} << 20;
constexpr std::string_view free_mark =
    "-";  // replaces the first letter of the agent's id, which cannot be this character

using Slot = std::array<char, lease_size>;

// The text is padded, so that it overwrites the slot's previous content.
template<class Line>
Slot slot_of(const Line& line) {
    Slot slot;
    slot.fill(' ');
    to_line(line).copy(slot.data(), lease_size - 1);
    slot.back() = '\n';
    return slot;
}

std::string_view text_of(const Slot& slot) {
    return {slot.data(), slot.size()};
}

std::string_view line_in(std::string_view slot) {
    return slot.substr(0, slot.find_last_not_of(" \n") + 1);
}

// The name of the file that the last daemon has written. An earlier version's can be there only if it was the
// last one, or if the next one was killed before it had any leases of its own.
const char* current_name(const io::Directory& pool) {
    struct stat found {};
    bool is_earlier =
        ::fstatat(pool.fd(), earlier_leases_name, &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(found.st_mode);
    return is_earlier ? earlier_leases_name : leases_name;
}

// Empty, with a warning, if it cannot be read.
std::string leases_text(const io::Directory& pool) {
    auto text = pool.read(current_name(pool), max_file_bytes);
    if (text.has_value()) return std::move(*text);
    if (text.error().code != boost::system::errc::no_such_file_or_directory)
        io::log::warn(text.error().message);
    return {};
}

std::string_view first_line(std::string_view text) {
    return line_in(text.substr(0, text.find('\n')));
}

// Neither a lease nor a slot that is free, was never used, or has the format.
bool is_damaged(std::string_view line) {
    return !line.empty() && !line.starts_with(free_mark) && !pool_protocol::parse_leases_format(line);
}

base::Result<void> keep_earlier_versions_out(const io::Directory& pool) {
    auto make = [&] { return ::mkdirat(pool.fd(), earlier_leases_name, 0700) == 0; };
    if (make()) return {};
    struct stat found {};
    if (errno == EEXIST && ::fstatat(pool.fd(), earlier_leases_name, &found, AT_SYMLINK_NOFOLLOW) == 0) {
        if (S_ISDIR(found.st_mode)) return {};
        if (::unlinkat(pool.fd(), earlier_leases_name, 0) == 0 && make()) return {};
    }
    return base::system_error(base::concat("cannot create ", pool.path_of(earlier_leases_name)));
}

base::Result<void> write_at(int file, std::size_t slot, std::string_view text) {
    ssize_t written = ::pwrite(file, text.data(), text.size(), static_cast<off_t>(slot * lease_size));
    if (written == static_cast<ssize_t>(text.size())) return {};
    if (written >= 0) errno = ENOSPC;
    return base::system_error(base::concat("cannot write ", leases_name));
}

}  // namespace

base::Result<void> can_read_leases(const pool_protocol::PoolDirectory& directory, const PoolFiles& files,
                                   const std::string& version) {
    auto format = pool_protocol::parse_leases_format(first_line(leases_text(files.pool)));
    if (!format || format->number <= pool_protocol::leases_format) return {};
    return base::invalid(base::concat(
        "the pool in ", directory.path, " has the leases of a daemon of version ", format->version,
        " that was killed, in format ", format->number, ", and this is version ", version,
        ", which knows formats up to ", pool_protocol::leases_format,
        ": start the later version, and stop it with `troupe stop ", pool_protocol::options_of(directory),
        "`, before you start this one; or, if no agent of the pool has a task, remove ",
        files.pool.path_of(leases_name)));
}

std::vector<Lease> Leases::read() const {
    std::vector<Lease> found;
    const std::string text = leases_text(files_.pool);
    const std::string_view name = current_name(files_.pool);
    bool damaged = name == leases_name && files_.pool.contains(name) &&
                   !pool_protocol::parse_leases_format(first_line(text));
    // The text is read by lines, because the slots of older daemons are shorter.
    for (std::string_view rest = text; !rest.empty();) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        line = line_in(line);
        if (auto lease = pool_protocol::parse_lease(line))
            found.push_back(std::move(*lease));
        else
            damaged = damaged || is_damaged(line);
    }
    if (damaged)
        io::log::warn(files_.pool.path_of(std::string(name)),
                      " is damaged: an agent may be at work on a task that this daemon does not know of, and "
                      "another agent will get that task as well");
    return found;
}

base::Result<void> Leases::begin(const std::vector<Lease>& standing) {
    for (const Lease& lease : standing)
        held_[lease.agent] = {0, lease};
    return write_again();
}

base::Result<void> Leases::write_again() {
    std::string text(text_of(slot_of(pool_protocol::LeasesFormat{pool_protocol::leases_format, version_})));
    std::size_t slot = 1;
    for (auto& [agent, held] : held_) {
        held.slot = slot++;
        text += text_of(slot_of(held.lease));
    }
    if (auto written = files_.pool.write(files_.scratch, leases_name, text); written.has_error())
        return written;
    if (auto kept_out = keep_earlier_versions_out(files_.pool); kept_out.has_error()) return kept_out;
    file_ = io::UniqueFd(::openat(files_.pool.fd(), leases_name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
    if (!file_) return base::system_error(base::concat("cannot open ", files_.pool.path_of(leases_name)));
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
    // If the write fails and the daemon is killed, an answer is kept longer than necessary, nothing worse.
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
