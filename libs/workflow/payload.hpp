// The JSON that an action gets. Values go in as they are. Pure text; sends nothing.
#pragma once

#include "base/spliced_text.hpp"
#include "config/workflow_config.hpp"
#include "workflow/entry.hpp"

namespace workflow {

// {"kind":"<step>","value":<value>}: the stdin of a Command.
base::SplicedText command_input(const config::Step& step, Value value);

// {"task":{…},"instructions":"…","timeout_seconds":N}: the content of a pool submission. The last only where
// the step has a timeout, in the digits of the config.
base::SplicedText pool_payload(const config::Step& step, Value value);

}  // namespace workflow
