#include "statelog/line_reader.hpp"

#include "base/text.hpp"
#include "io/file_pieces.hpp"
#include "statelog/log_use.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace statelog {

namespace {

constexpr std::size_t part_size = std::size_t{64} << 10;  // bytes

// So much of a part is before the line that was asked for.
constexpr std::uint64_t back = part_size / 4;

bool contains(std::uint64_t begin, std::string_view text, std::uint64_t offset) {
    return offset >= begin && offset - begin < text.size();
}

}  // namespace

base::Result<std::string> LineReader::read(std::uint64_t offset) {
    Part& part = part_for(offset);
    part.used = ++uses_;
    for (bool is_filled : {false, true}) {
        if (contains(part.begin, part.text, offset)) {
            std::string_view rest = std::string_view(part.text).substr(offset - part.begin);
            auto end = rest.find('\n');
            if (end != std::string_view::npos) return std::string(rest.substr(0, end));
        }
        if (is_filled) break;
        if (auto filled = fill(part, offset); !filled) return filled.error();
    }
    return read_line(fd_, path_, offset);
}

LineReader::Part& LineReader::part_for(std::uint64_t offset) {
    for (Part& part : parts_)
        if (contains(part.begin, part.text, offset)) return part;
    return *std::ranges::min_element(parts_, {}, &Part::used);
}

base::Result<void> LineReader::fill(Part& part, std::uint64_t offset) {
    part.begin = offset > back ? offset - back : 0;
    part.text.clear();
    auto read = io::read_pieces(fd_, {part.begin, part.begin + part_size}, [&](std::string_view piece) {
        part.text += piece;
        return base::Result<void>();
    });
    if (!read) return base::with_context(base::concat("the state log ", path_), read.error());
    return {};
}

}  // namespace statelog
