// The JSON input of actions. Values are inserted unchanged. Pure text processing; sends nothing.
#pragma once

#include "base/spliced_text.hpp"
#include "config/workflow_config.hpp"
#include "workflow/entry.hpp"
#include "workflow/feedback.hpp"

#include <string_view>

namespace workflow {

// {"kind":"<step>","value":<value>}: the stdin of a Command.
base::SplicedText command_input(const config::Step& step, Value value);

// {"task":{…},"instructions":"…","timeout_seconds":N}: the content of a pool submission. timeout_seconds is
// only present if the step has a timeout, and has the same digits as the config. If there are previous
// attempts, the instructions end with what failed them, and "previous_attempts" contains the same. `images`
// is the member of that name (config/image_paths); there is none if it is empty.
base::SplicedText pool_payload(const config::Step& step, Value value,
                               const PreviousAttempts& previous = nullptr, std::string_view images = {});

}  // namespace workflow
