#include "inspect/read_file.hpp"

#include <utility>

namespace inspect {

base::Result<InspectedFile> inspect_file(int fd, const std::string& path) {
    Inspection inspection;
    auto observer = [&]() -> statelog::Replay::Observer {
        inspection = {};
        return [&](const statelog::Replay& replay, const statelog::Record& record) {
            inspection.add(replay, record);
        };
    };
    auto replayed = statelog::replay_file(fd, path, observer);
    if (!replayed) return replayed.error();
    inspection.conclude(replayed->replay);
    return InspectedFile{std::move(inspection), std::move(*replayed)};
}

}  // namespace inspect
