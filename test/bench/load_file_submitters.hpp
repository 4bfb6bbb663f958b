// Submitters in a closed loop over files: each writes a request in scratch/ and renames it into submissions/,
// waits for the answer's file, and removes both. All of them share one inotify instance and the caller's
// thread.
#pragma once

#include "load_requests.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace load {

class FileSubmitters : public Requests {
  public:
    FileSubmitters(std::string pool_directory, std::size_t count);
    ~FileSubmitters() override;

    void start() override;
    // Readable when there is something for on_events() to do.
    int fd() const { return inotify_; }
    void on_events();

  private:
    struct Waiting {
        std::uint64_t number;
        Clock::time_point begun;
    };

    std::string file(const std::string& uuid, std::string_view suffix) const;
    void submit();
    void on_name(std::string_view name);

    std::string directory_;
    std::size_t count_;
    int inotify_ = -1;
    std::unordered_map<std::string, Waiting> waiting_;  // by the request's uuid
};

}  // namespace load
