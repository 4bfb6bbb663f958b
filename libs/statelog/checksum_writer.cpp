#include "statelog/checksum_writer.hpp"

#include "json/members.hpp"
#include "statelog/line_checksum.hpp"

namespace statelog {

namespace {

// The line up to its closing brace, or up to its checksum. An editor may have changed the white space around
// the checksum.
std::string_view without_end(std::string_view line) {
    std::size_t brace = line.find('{');
    json::Member last;
    json::for_each_member(line.substr(brace), [&](const json::Member& member) {
        last = member;
        return true;
    });
    const char* end = line.data() + line.rfind('}');
    if (last.key.is_string("checksum")) end = last.key.text().data();
    std::string_view content = line.substr(0, static_cast<std::size_t>(end - line.data()));
    return content.substr(0, content.find_last_not_of(" \t\r,") + 1);
}

}  // namespace

std::string ChecksumWriter::write(std::string_view bytes) {
    std::string lines;
    for (std::size_t newline = bytes.find('\n'); newline != std::string_view::npos;
         newline = bytes.find('\n')) {
        std::string_view line = bytes.substr(0, newline);
        append_line(lines, rest_.empty() ? line : rest_.append(line));
        rest_.clear();
        bytes.remove_prefix(newline + 1);
    }
    rest_.append(bytes);
    return lines;
}

void ChecksumWriter::append_line(std::string& out, std::string_view line) {
    Checksum found = checksum_of(line);
    if (found == Checksum::wrong) ++wrong_;
    if (found == Checksum::absent) ++missing_;
    std::size_t begin = out.size();
    out.append(without_end(line));
    end_line(out, begin);
}

}  // namespace statelog
