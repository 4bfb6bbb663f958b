// Turns what happens in a run into the events of `--progress json` (docs/progress.md), one JSON object per
// line. Does not write them.
#pragma once

#include "displays/progress.hpp"
#include "io/log.hpp"
#include "progress/events.hpp"

#include <string>

namespace displays {

class EventProgress : public Progress {
  public:
    void begun(const workflow::State& state) override;
    void started(const runner::Attempt& attempt) override;
    void entered(const runner::Attempt& attempt, workflow::Phase phase) override;
    void activity(const runner::Attempt& attempt, const pool_protocol::AgentName& agent,
                  const std::optional<pool_protocol::AgentActivity>& activity) override;
    void put_back(const runner::Attempt& attempt) override;
    void decided(const runner::Decision& decision) override;

  protected:
    using Progress::Progress;

    // If it is false, no events are made.
    virtual bool wants_events() const = 0;
    // A line with its newline.
    virtual void put_event(const std::string& line) = 0;

    std::string summary_event() const;
    std::string end_event(const runner::Outcome& outcome) const;

  private:
    std::string ended(const runner::Decision& decision) const;
};

progress::WallTime wall_time();

// A line of the log as an event; empty if other events say the same.
std::string log_event(const io::log::Line& line);

}  // namespace displays
