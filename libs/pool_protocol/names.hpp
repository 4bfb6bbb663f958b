// The names of files in a pool directory: "<id>.ready.json" and its like. Anything else there is somebody
// else's.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace pool_protocol {

// Files of the pool directory itself.
inline constexpr const char* lock_name = "daemon.lock";
inline constexpr const char* socket_name = "daemon.sock";
inline constexpr const char* status_name = "status";
inline constexpr const char* leases_name = "daemon.leases";  // the daemon's own: who has which task

// What the status file tells a daemon to do: to stop, or to stop when its agents have done what they are
// at.
inline constexpr const char* stop_word = "stop";
inline constexpr const char* drain_word = "drain";

// Whether `id` can be an agent's or a submission's: [A-Za-z0-9][A-Za-z0-9._-]{0,199}
bool is_id(std::string_view id);
// [A-Za-z0-9][A-Za-z0-9_-]{0,63}
bool is_pool_id(std::string_view id);

// Begins the ids of pools that are a `barnum run`'s own.
inline constexpr const char* run_pool_prefix = "run-";

enum class FileKind { ready, task, request, response };

// The name of such a file. Made several times for each task, so it takes no memory but its own.
class FileNameText {
  public:
    FileNameText(std::string_view id, std::string_view suffix) {
        for (std::string_view piece : {id, suffix})
            size_ += piece.copy(text_.data() + size_, text_.size() - size_);
    }
    operator std::string_view() const { return {text_.data(), size_}; }

  private:
    std::array<char, 255> text_;
    std::size_t size_ = 0;
};

// `id` as of is_id().
FileNameText file_name(std::string_view id, FileKind kind);

struct FileName {
    std::string_view id;  // a part of the name that it was found in
    FileKind kind;
};

std::optional<FileName> parse_file_name(std::string_view name);

}  // namespace pool_protocol
