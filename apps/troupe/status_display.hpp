// Where `troupe status` puts what it has learnt: once, or again and again.
#pragma once

#include "base/error.hpp"

#include <memory>
#include <string>

namespace troupe {

class StatusDisplay {
  public:
    virtual ~StatusDisplay() = default;
    StatusDisplay() = default;
    StatusDisplay(const StatusDisplay&) = delete;
    StatusDisplay& operator=(const StatusDisplay&) = delete;

    // The daemon's answer as it came. An error when it is none, or when nobody reads the output any more
    // (errc::broken_pipe).
    virtual base::Result<void> show(const std::string& answer) = 0;
    // There is no status now, for this reason.
    virtual base::Result<void> outage(const std::string& problem) = 0;
};

// Prints blocks with an empty line between them, or draws one block again in place on a terminal that can.
std::unique_ptr<StatusDisplay> text_display(bool again_and_again);
// Prints a line for each status; outages go to stderr.
std::unique_ptr<StatusDisplay> json_display();

}  // namespace troupe
