// What a state log tells of its run, from an open file of any size.
#pragma once

#include "base/error.hpp"
#include "inspect/inspection.hpp"
#include "statelog/replay_file.hpp"

#include <string>

namespace inspect {

struct InspectedFile {
    Inspection inspection;  // concluded
    statelog::ReplayedFile log;
};

// As replay_file() reads it, and with its errors.
base::Result<InspectedFile> inspect_file(int fd, const std::string& path);

}  // namespace inspect
