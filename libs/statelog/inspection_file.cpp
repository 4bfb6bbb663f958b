#include "statelog/inspection_file.hpp"

#include <utility>

namespace statelog {

base::Result<InspectedFile> inspect_file(int fd, const std::string& path) {
    Inspection inspection;
    auto observer = [&]() -> Replay::Observer {
        inspection = {};
        return [&](const Replay& replay, const Record& record) { inspection.add(replay, record); };
    };
    auto replayed = replay_file(fd, path, observer);
    if (!replayed) return replayed.error();
    inspection.conclude(replayed->replay);
    return InspectedFile{std::move(inspection), std::move(*replayed)};
}

}  // namespace statelog
