// Inspects a state log from an open file of any size.
#pragma once

#include "base/error.hpp"
#include "inspect/inspection.hpp"
#include "statelog/replay_file.hpp"

#include <string>

namespace inspect {

struct InspectedFile {
    Inspection inspection;  // conclude() was called
    statelog::ReplayedFile log;
};

// Reads the log as replay_file() does, with the same errors.
base::Result<InspectedFile> inspect_file(int fd, const std::string& path);

}  // namespace inspect
