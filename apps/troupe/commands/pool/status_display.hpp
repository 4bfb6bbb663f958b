// The output of `troupe status`: a status that is printed once or repeatedly.
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

    // `answer` is the unchanged text of the daemon's answer. Fails if it is not a status, or if the reader of
    // the output has gone (errc::broken_pipe).
    virtual base::Result<void> show(const std::string& answer) = 0;
    // There is no status at the moment; `problem` is the reason.
    virtual base::Result<void> outage(const std::string& problem) = 0;
};

// Prints blocks with an empty line between them; or, if the terminal allows it, redraws one block in place.
std::unique_ptr<StatusDisplay> text_display(bool again_and_again);
// Prints a line for each status; outages go to stderr.
std::unique_ptr<StatusDisplay> json_display();

}  // namespace troupe
