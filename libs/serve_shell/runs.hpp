// The list of this user's runs for `barnum serve`, kept up to date at little cost: only what may have changed
// is read again. Does not watch by itself: whoever wants to know calls refresh().
#pragma once

#include "base/error.hpp"
#include "runs/run_directories.hpp"
#include "runs/run_state.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace serve_shell {

struct ServedRun {
    runs::FoundRun found;
    runs::RunState state = runs::RunState::finished;
    std::string json;           // as `barnum ps --json` prints it, and "resumed_by": an id or null
    std::uint64_t version = 0;  // of the list when it has changed last
};

class ServedRuns {
  public:
    using Run = ServedRun;

    // Looks at the directories. Takes some microseconds for each run that is running, and for the others next
    // to nothing unless a run was added or removed. Fails if they cannot be listed.
    base::Result<void> refresh();

    // Grows with each change.
    std::uint64_t version() const { return version_; }

    // What has changed since the list had this version, in the order of the runs' starts; all for 0.
    struct Changes {
        std::vector<const Run*> changed;
        std::vector<std::string> removed;  // ids
    };
    Changes since(std::uint64_t version) const;

    // Null if there is none. Valid until the next refresh().
    const Run* find(std::string_view id) const;
    // All of them, in the order of their starts.
    std::vector<const Run*> all() const { return since(0).changed; }

  private:
    // Distinguishes a replaced file from the one before.
    using Signature = std::array<std::int64_t, 4>;

    struct Entry {
        std::optional<Run> run;  // none while it has no readable record
        Signature signature{};
        bool is_settled = false;  // its process has ended, so that nothing changes any more
        bool is_dirty = false;    // its state or its JSON is to be made anew
    };
    using Entries = std::map<std::string, Entry>;  // by path

    base::Result<void> list(const std::string& path);
    void look(const std::string& path, Entry& entry);
    void read(const std::string& path, Entry& entry);
    void remove(Entries::iterator entry);
    void forget(const runs::RunRecord& record);
    void note_successor(const runs::RunRecord& record, bool is_there);
    void mark_dirty(const std::set<std::string>& paths);
    void make_anew(Entry& entry);
    std::string successor_of(const std::string& id) const;

    Entries entries_;
    // The paths of runs, by id. An id has more than one if somebody has copied the directory of a run: the
    // first one counts.
    std::unordered_map<std::string, std::set<std::string>> paths_of_;
    // The runs that resume another one, by its id: the one that was started last counts.
    std::map<std::string, std::map<std::pair<runs::Time, std::string>, std::string>> successors_;
    Signature directory_{};
    bool must_list_ = true;
    std::uint64_t version_ = 0;
    std::deque<std::pair<std::uint64_t, std::string>> removed_;  // versions and ids
};

}  // namespace serve_shell
