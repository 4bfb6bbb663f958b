// The names of files in a pool directory: "<id>.ready.json" and its like. Anything else there is somebody
// else's.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pool_protocol {

// Files of the pool directory itself.
inline constexpr const char* lock_name = "daemon.lock";
inline constexpr const char* socket_name = "daemon.sock";
inline constexpr const char* status_name = "status";
inline constexpr const char* leases_name = "daemon.leases";  // the daemon's own: who has which task

// What the status file tells a daemon to do: to stop (R4), or to stop when its agents have done what they are
// at.
inline constexpr const char* stop_word = "stop";
inline constexpr const char* drain_word = "drain";

// Whether `id` can be an agent's or a submission's: [A-Za-z0-9][A-Za-z0-9._-]{0,199}
bool is_id(std::string_view id);
// [A-Za-z0-9][A-Za-z0-9_-]{0,63} (R1)
bool is_pool_id(std::string_view id);

enum class FileKind { ready, task, request, response };

struct FileName {
    std::string id;
    FileKind kind;
};

std::string file_name(std::string_view id, FileKind kind);
std::optional<FileName> parse_file_name(std::string_view name);

}  // namespace pool_protocol
