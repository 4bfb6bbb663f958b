// The names of files in a pool directory, such as "<id>.ready.json". Files with other names are ignored.
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
inline constexpr const char* leases_name = "leases";  // see lease.hpp
inline constexpr const char* counts_name = "counts";  // see status_counts.hpp
// The file of a run's own pool that has the path of the run's state log and a newline.
inline constexpr const char* owner_name = "owner";
// The file of leases of versions before formats had numbers. Now a directory: those versions put a file in
// its place before they serve the pool, which fails, so that they do not start where they know nothing of the
// tasks that agents have.
inline constexpr const char* earlier_leases_name = "daemon.leases";

// Written into the status file, they tell the daemon to stop, or to stop when its agents have finished their
// tasks.
inline constexpr const char* stop_word = "stop";
inline constexpr const char* drain_word = "drain";

// Whether `id` can be an agent's or a submission's: [A-Za-z0-9][A-Za-z0-9._-]{0,199}
bool is_id(std::string_view id);
// [A-Za-z0-9][A-Za-z0-9_-]{0,63}
bool is_pool_id(std::string_view id);

// [A-Za-z0-9][A-Za-z0-9_-]{0,63}
bool is_failure_name(std::string_view name);

// The ids of pools that a `barnum run` creates for itself begin with it.
inline constexpr const char* run_pool_prefix = "run-";

enum class FileKind { ready, task, request, response, schema, report };

// The name of such a file. Made several times for each task, so it does not allocate memory.
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
    std::string_view id;  // a part of the parsed name
    FileKind kind;
};

std::optional<FileName> parse_file_name(std::string_view name);

}  // namespace pool_protocol
