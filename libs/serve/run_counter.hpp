// Counts what happens in one run from its state log, which is read as it grows. Remembers only the tasks that
// are not over. Pure: the caller reads the file.
#pragma once

#include "base/error.hpp"
#include "serve/run_totals.hpp"
#include "statelog/entry_reader.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace serve {

class RunCounter {
  public:
    // `name`: the path of the log. Only what has ended at `since` or later counts.
    RunCounter(std::string name, statelog::Time since);

    // The next bytes of the log, in pieces of any size. Once the steps are known, the totals have all of
    // them. Only complete groups count. Must not be used after an error.
    base::Result<void> feed(std::string_view bytes, RunTotals& totals);

  private:
    struct Task {
        std::uint32_t step = 0;
        bool is_finally = false;
    };
    // The end of an attempt whose group is not complete.
    struct End {
        std::string step;
        AttemptOutcome outcome = AttemptOutcome::succeeded;
        std::shared_ptr<const pool_protocol::AgentReport> report;
    };

    void begin(RunTotals& totals);
    void take(const statelog::Record& record, RunTotals& totals);
    void note_end(const workflow::TaskCompleted& entry, const statelog::Record& record);
    void count(RunTotals& totals);

    statelog::EntryReader reader_;
    statelog::Time since_;
    bool has_begun_ = false;
    std::unordered_map<std::uint64_t, Task> open_;  // by their numbers
    bool was_finally_ = false;                      // the attempt whose group it is
    std::optional<End> end_;
};

}  // namespace serve
