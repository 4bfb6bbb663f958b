// Agents that answer at once, over the file protocol: announce by a ready file, wait for the task file, write
// the response, announce anew under a fresh id. All of them share one inotify instance and the caller's
// thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>

namespace load {

class Agents {
  public:
    // Announces `count` agents in the pool.
    Agents(std::string pool_directory, std::size_t count);
    // Takes back what is announced.
    ~Agents();
    Agents(const Agents&) = delete;
    Agents& operator=(const Agents&) = delete;

    // Readable when there is something for on_events() to do.
    int fd() const { return inotify_; }
    void on_events();

  private:
    std::string file(const std::string& uuid, std::string_view suffix) const;
    void announce();
    void on_name(std::string_view name);
    void look_for_all();
    void answer(const std::string& uuid);

    std::string directory_;
    int inotify_ = -1;
    std::unordered_set<std::string> waiting_;  // uuids with a ready file and no task yet
};

}  // namespace load
