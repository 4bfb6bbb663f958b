// What somebody asks and wants of the queue of a pool, and the daemon's answers (docs/troupe-protocol.md,
// "The queue"). Pure.
#pragma once

#include "base/error.hpp"
#include "base/labels.hpp"
#include "pool_protocol/unix_time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pool_protocol {

// {"kind":"Queue","at_most":N}
struct ListQueue {
    std::size_t at_most = 0;
};
// {"kind":"Cancel","submissions":[…]}
struct CancelQueued {
    std::vector<std::string> submissions;  // each an id, or the beginning of one
};
// {"kind":"Move","submissions":[…],"before":…}
struct MoveQueued {
    std::vector<std::string> submissions;
    std::optional<std::string> before;  // none: before all
};
using QueueRequest = std::variant<ListQueue, CancelQueued, MoveQueued>;

inline constexpr std::size_t max_listed = 1000;

std::string to_json(const QueueRequest& request);
// Nothing if the frame is no such request.
std::optional<QueueRequest> parse_queue_request(std::string_view frame);

struct QueuedTask {
    std::string id;
    std::string title;
    UnixTime since{};  // when it was queued
    base::Labels labels = {};
    std::int32_t priority = 0;
    bool by_file = false;  // its request is a file
    // The processes of its submitters on the socket, and the name of the first one's program; may be empty.
    std::vector<int> processes = {};
    std::string program = {};
};

struct Queue {
    std::size_t length = 0;
    bool over_hosts = false;  // the pool has an engine, in which tasks wait: only those are told that wait
                              // for an agent of this host
    std::vector<QueuedTask> tasks;  // the first ones, in their order
};

std::string to_json(const Queue& queue);
base::Result<Queue> parse_queue(std::string_view text);

// What has become of a task that is named in a request.
struct QueueChange {
    enum class How {
        cancelled,
        moved,
        unknown,    // no task in the queue has this id
        ambiguous,  // several begin with it
        kept,       // it is that of a pool over many hosts
        same,       // it is the task before which it was to be put
    };
    std::string id;  // the whole id; if that is not known, what was named
    How how = How::unknown;
};

std::string to_json(const std::vector<QueueChange>& changes);
base::Result<std::vector<QueueChange>> parse_queue_changes(std::string_view text);

// The beginning of a task's content on one line, in at most 80 bytes of UTF-8: of what Barnum submits, the
// step's name and the beginning of the value.
std::string task_title(std::string_view content);

}  // namespace pool_protocol
