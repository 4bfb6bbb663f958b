#include "pool_client/agent.hpp"

#include "base/text.hpp"
#include "io/directory.hpp"
#include "io/file_lock.hpp"
#include "io/log.hpp"
#include "json/json.hpp"
#include "pool_client/file_events.hpp"
#include "pool_client/new_id.hpp"
#include "pool_client/pool_end.hpp"
#include "pool_client/pool_wait.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/names.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <fcntl.h>
#include <sys/file.h>

namespace pool_client {

namespace asio = boost::asio;
using pool_protocol::file_name;
using pool_protocol::FileKind;
using pool_protocol::KickReason;
using pool_protocol::StatedKickReason;

namespace {

constexpr std::size_t largest_message = 64 * 1024;
constexpr std::chrono::milliseconds first_announcement_retry{100};
constexpr std::chrono::milliseconds last_announcement_retry{5000};

struct AgentDirectories {
    io::Directory agents;
    io::Directory scratch;
};

base::Result<AgentDirectories> open_files(const pool_protocol::PoolDirectory& directory) {
    auto agents = io::Directory::open(directory.agents());
    if (agents.has_error()) return agents.error();
    auto scratch = io::Directory::open(directory.scratch());
    if (scratch.has_error()) return scratch.error();
    return AgentDirectories{std::move(*agents), std::move(*scratch)};
}

// A ready file, which the destructor removes unless something was assigned. It is locked before the daemon
// can see it, and as long as this object lives.
class Announcement {
  public:
    static base::Result<std::unique_ptr<Announcement>> make(const AgentDirectories& files,
                                                            const std::string& uuid,
                                                            const AgentTraits& traits) {
        std::string file(file_name(uuid, FileKind::ready));
        pool_protocol::Ready ready;
        ready.name = traits.name;
        ready.session = traits.session;
        ready.locked = true;
        ready.keeps_lock = traits.keeps_lock;
        ready.ends_when_told = traits.ends_when_told;
        ready.labels = traits.labels;
        ready.wants_schema = traits.wants_schema;
        ready.reports = traits.reports;
        ready.account = traits.account;
        if (auto written = files.scratch.write(files.scratch, file, to_json(ready)); written.has_error())
            return written.error();
        auto lock = io::lock_file(files.scratch, file);
        if (lock.has_error()) return lock.error();
        if (::renameat(files.scratch.fd(), file.c_str(), files.agents.fd(), file.c_str()) != 0)
            return base::system_error(base::concat("cannot put ", files.agents.path_of(file)));
        return std::unique_ptr<Announcement>(new Announcement(files.agents, file, std::move(*lock)));
    }
    ~Announcement() {
        if (!assigned_) (void)agents_.remove(file_);
    }
    Announcement(const Announcement&) = delete;
    Announcement& operator=(const Announcement&) = delete;

    // The file stays, and its lock is the caller's.
    io::UniqueFd keep() {
        assigned_ = true;
        return std::move(lock_);
    }
    bool stands() const { return agents_.contains(file_); }

  private:
    Announcement(const io::Directory& agents, std::string file, io::UniqueFd lock)
        : agents_(agents), file_(std::move(file)), lock_(std::move(lock)) {}

    const io::Directory& agents_;
    std::string file_;
    io::UniqueFd lock_;
    bool assigned_ = false;
};

Assignment kicked(std::string uuid, StatedKickReason reason) {
    Assignment assignment;
    assignment.kind = Assignment::Kind::kicked;
    assignment.uuid = std::move(uuid);
    assignment.reason = std::move(reason);
    return assignment;
}

// Why the daemon has removed the agent's files.
KickReason reason_without_message(const io::Directory& pool) {
    return pool.contains(pool_protocol::status_name) ? KickReason::timeout : KickReason::stopped;
}

// Nothing if the file is still empty. A message of the daemon is short: anything longer is a task.
base::Result<std::optional<Assignment>> read_assignment(const AgentDirectories& files,
                                                        const std::string& uuid, io::OpenFile file,
                                                        LargeContent large) {
    using Found = std::optional<Assignment>;
    Assignment assignment;
    assignment.kind = Assignment::Kind::task;
    assignment.uuid = uuid;
    assignment.response_file = files.agents.path_of(file_name(uuid, FileKind::response));
    if (file.size > largest_message && large == LargeContent::is_left) {
        assignment.content_file = std::move(file);
        return Found(std::move(assignment));
    }
    auto text = file.text(pool_protocol::longest_message);
    if (text.has_error() && text.error().code == boost::system::errc::file_too_large) return text.error();
    if (text.has_error() || text->empty()) return Found();
    std::optional<pool_protocol::DaemonMessage> message;
    if (text->size() <= largest_message) message = pool_protocol::parse_daemon_message(*text);
    if (message && message->kind == pool_protocol::DaemonMessage::Kind::kicked) {
        (void)files.agents.remove(file_name(uuid, FileKind::task));
        return Found(kicked(uuid, message->reason));
    }
    if (message) assignment.kind = Assignment::Kind::heartbeat;
    assignment.content = std::move(*text);
    return Found(std::move(assignment));
}

// The daemon has written it before the task.
void read_schema(const AgentDirectories& files, Assignment& assignment) {
    if (assignment.kind != Assignment::Kind::task) return;
    auto text =
        files.agents.read(file_name(assignment.uuid, FileKind::schema), pool_protocol::longest_message);
    if (text.has_value()) assignment.response_schema = std::move(*text);
}

std::string_view kind_text(Assignment::Kind kind) {
    if (kind == Assignment::Kind::task) return "Task";
    return kind == Assignment::Kind::heartbeat ? "Heartbeat" : "Kicked";
}

}  // namespace

std::string to_json(const Assignment& assignment, const std::string& agent_name) {
    if (assignment.kind == Assignment::Kind::kicked) return pool_protocol::kicked_message(assignment.reason);
    std::string name = agent_name.empty() ? "" : base::concat(",\"agent_name\":", json::quote(agent_name));
    return base::concat("{\"uuid\":", json::quote(assignment.uuid), ",\"kind\":\"",
                        kind_text(assignment.kind),
                        "\",\"response_file\":", json::quote(assignment.response_file), name,
                        ",\"content\":", json::compact(json::View::of(assignment.content)), "}");
}

base::Result<std::string> content_of(const Assignment& assignment) {
    if (assignment.content_file.fd) return assignment.content_file.text(pool_protocol::longest_message);
    return assignment.content;
}

namespace {

bool lacks_room(const base::Error& error) {
    namespace errc = boost::system::errc;
    return error.code == errc::no_space_on_device || error.code.value() == EDQUOT ||
           error.code == errc::file_too_large || io::is_temporary(error);
}

// Retries as long as the disk is full.
asio::awaitable<base::Result<std::unique_ptr<Announcement>>> announce(const AgentDirectories& files,
                                                                      std::string uuid, AgentTraits traits) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    std::chrono::milliseconds pause = first_announcement_retry;
    while (true) {
        auto made = Announcement::make(files, uuid, traits);
        if (made.has_value() || !lacks_room(made.error())) co_return made;
        if (pause == first_announcement_retry)
            io::log::warn(traits.name, traits.name.empty() ? "" : ": ", made.error().message,
                          "; trying again");
        timer.expires_after(pause);
        co_await timer.async_wait(asio::use_awaitable);
        pause = std::min(2 * pause, last_announcement_retry);
    }
}

}  // namespace

asio::awaitable<base::Result<Assignment>> get_task(io::DirectoryWatch& watch,
                                                   pool_protocol::PoolDirectory directory, AgentTraits traits,
                                                   LargeContent large) {
    auto pool = co_await wait_for_pool(directory);
    if (pool.has_error()) co_return pool.error();
    auto files = open_files(directory);
    if (files.has_error()) co_return files.error();
    std::string uuid = new_id();
    std::string task_name(file_name(uuid, FileKind::task));
    std::vector<std::string> names{task_name, std::string(file_name(uuid, FileKind::ready))};
    FileEvents events(co_await asio::this_coro::executor, watch, directory.agents(), std::move(names));
    auto announcement = co_await announce(*files, uuid, traits);
    if (announcement.has_error()) co_return announcement.error();
    // Nobody may have seen the announcement.
    if (has_stopped(*pool)) co_return kicked(uuid, KickReason::stopped);
    while (true) {
        bool announced = (*announcement)->stands();
        auto file = files->agents.open_file(task_name);
        base::Result<std::optional<Assignment>> found = std::optional<Assignment>();
        if (file.has_value()) found = read_assignment(*files, uuid, std::move(*file), large);
        if (found.has_error()) co_return found.error();
        if (std::optional<Assignment>& assignment = *found) {
            if (assignment->kind != Assignment::Kind::kicked) {
                io::UniqueFd lock = (*announcement)->keep();
                if (traits.keeps_lock) assignment->lock = std::move(lock);
                if (traits.wants_schema) read_schema(*files, *assignment);
            }
            co_return std::move(*assignment);
        }
        // An agent without its ready file was kicked, and the message was removed before it was read.
        if (!announced) co_return kicked(uuid, reason_without_message(*pool));
        co_await events.next();
    }
}

base::Result<void> respond(const pool_protocol::PoolDirectory& directory, const Assignment& assignment,
                           std::string_view response,
                           const std::optional<pool_protocol::AgentReport>& report) {
    auto files = open_files(directory);
    if (files.has_error()) return files.error();
    if (report) {
        auto written = files->agents.write(files->scratch, file_name(assignment.uuid, FileKind::report),
                                           to_json(*report));
        if (written.has_error()) io::log::debug(written.error().message, "; responding without the report");
    }
    return files->agents.write(files->scratch, file_name(assignment.uuid, FileKind::response), response);
}

bool is_assigned(const pool_protocol::PoolDirectory& directory, const Assignment& assignment) {
    auto agents = io::Directory::open(directory.agents());
    return agents.has_value() && agents->contains(file_name(assignment.uuid, FileKind::ready));
}

std::optional<StatedKickReason> kick_reason(const pool_protocol::PoolDirectory& directory,
                                            const Assignment& assignment) {
    auto pool = io::Directory::open(directory.path);
    auto agents = io::Directory::open(directory.agents());
    if (agents.has_error() || pool.has_error()) return std::nullopt;  // the daemon will recreate them
    if (!agents->contains(file_name(assignment.uuid, FileKind::ready))) return reason_without_message(*pool);
    auto text = agents->read(file_name(assignment.uuid, FileKind::task), largest_message);
    if (text.has_error()) return std::nullopt;
    auto message = pool_protocol::parse_daemon_message(*text);
    if (!message || message->kind != pool_protocol::DaemonMessage::Kind::kicked) return std::nullopt;
    return message->reason;
}

base::Result<void> release(const pool_protocol::PoolDirectory& directory, const Assignment& assignment,
                           std::string_view agent_name, pool_protocol::Release release) {
    auto files = open_files(directory);
    if (files.has_error()) return files.error();
    auto name = file_name(assignment.uuid, FileKind::ready);
    if (!files->agents.contains(name))
        return base::Error{
            boost::system::errc::make_error_code(boost::system::errc::no_such_file_or_directory),
            "the task is not this agent's any more: it was kicked, or the pool has stopped"};
    if (release.reason == pool_protocol::Release::Reason::ended) return files->agents.remove(name);
    pool_protocol::Ready ready;
    ready.name = agent_name;
    ready.release = std::move(release);
    auto written = files->agents.write(files->scratch, name, to_json(ready));
    return written.has_value() ? written : files->agents.remove(name);
}

}  // namespace pool_client
