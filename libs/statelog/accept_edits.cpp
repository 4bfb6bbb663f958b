#include "statelog/accept_edits.hpp"

#include "base/text.hpp"
#include "io/file_pieces.hpp"
#include "io/new_file.hpp"
#include "statelog/checksum_writer.hpp"
#include "statelog/log_file.hpp"
#include "statelog/replay.hpp"

#include <filesystem>

namespace statelog {

namespace {

// The file is read only once, so that the copy contains exactly what was replayed.
base::Result<AcceptedEdits> copy(const OldLog& log, int to, const io::FileCalls& calls) {
    Replay replay(log.path(), {}, Checksums::ignored);
    ChecksumWriter writer;
    auto copied = io::read_pieces(log.fd(), {}, [&](std::string_view piece) -> base::Result<void> {
        if (auto fed = replay.feed(piece); !fed) return fed;
        return io::write_all(calls, to, writer.write(piece));
    });
    if (!copied) return copied.error();
    if (auto tail = replay.finish(); !tail) return tail.error();
    if (auto written = io::write_all(calls, to, writer.rest()); !written) return written.error();
    return AcceptedEdits{writer.wrong(), writer.missing()};
}

}  // namespace

base::Result<AcceptedEdits> accept_edits(const std::string& path, const io::FileCalls& calls) {
    auto log = OldLog::open(path);
    if (!log) return log.error();
    std::error_code failed;
    auto place = std::filesystem::canonical(path, failed);  // if `path` is a link, its target is replaced
    if (failed) return base::Error{failed, base::concat("cannot find ", path, ": ", failed.message())};
    AcceptedEdits accepted;
    auto fill = [&](int fd) -> base::Result<void> {
        auto copied = copy(*log, fd, calls);
        if (!copied) return copied.error();
        accepted = *copied;
        return {};
    };
    auto replaced = io::replace_file(place.string(), log->fd(), fill, calls);
    if (replaced) return accepted;
    if (is_damage(replaced.error())) return replaced.error();
    return base::with_context(base::concat("cannot write the state log ", path, " anew"), replaced.error());
}

}  // namespace statelog
