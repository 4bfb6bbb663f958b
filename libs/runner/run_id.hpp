// The id of a run, which is also in the environment of its commands.
#pragma once

#include "base/id.hpp"

namespace runner {

using RunId = base::TextId<struct RunTag>;

}  // namespace runner
