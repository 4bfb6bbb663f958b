// Frames on a socket: the same are found whatever the pieces in which the bytes come, they are what was sent,
// and what is found is what a plain reading of the framing finds.
#include "fuzz.hpp"
#include "io/local_socket.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace {

using fuzz::must;

constexpr std::size_t max_bytes = 300;

struct Read {
    std::vector<std::string> frames;
    bool is_bad = false;
    bool in_frame = false;

    bool operator==(const Read&) const = default;
};

// Takes what is there; false after an error.
bool drain(io::FrameReader& reader, Read& read) {
    while (true) {
        auto frame = reader.next();
        if (frame.has_error()) {
            must(!frame.error().message.empty(), "an error says what is wrong");
            read.is_bad = true;
            return false;
        }
        if (!*frame) return true;
        read.frames.push_back(std::move(**frame));
    }
}

Read read_in_pieces(std::string_view input) {
    io::FrameReader reader(max_bytes);
    Read read;
    for (fuzz::Pieces pieces(input); !pieces.done();) {
        reader.append(pieces.next());
        if (!drain(reader, read)) return read;
    }
    read.in_frame = reader.in_frame();
    return read;
}

Read read_whole(std::string_view input) {
    io::FrameReader reader(max_bytes);
    Read read;
    reader.append(input);
    if (drain(reader, read)) read.in_frame = reader.in_frame();
    return read;
}

// The digits that a header consists of, as a number; nothing if it is too long for a frame.
std::optional<std::size_t> length_of(std::string_view digits) {
    std::size_t length = 0;
    for (char digit : digits) {
        length = 10 * length + static_cast<std::size_t>(digit - '0');
        if (length > max_bytes) return std::nullopt;
    }
    return length;
}

Read as_the_rules_say(std::string_view rest) {
    constexpr std::size_t most_digits = 16;
    Read read;
    while (!rest.empty()) {
        std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
        bool is_header = digits > 0 && digits <= most_digits && digits < rest.size() && rest[digits] == '\n';
        bool may_become_one = digits == rest.size() && digits <= most_digits;
        auto length = is_header ? length_of(rest.substr(0, digits)) : std::nullopt;
        read.is_bad = !may_become_one && !length;
        read.in_frame = !read.is_bad;
        if (!length || rest.size() - digits - 1 < *length) return read;
        read.frames.emplace_back(rest.substr(digits + 1, *length));
        rest.remove_prefix(digits + 1 + *length);
        read.in_frame = false;
    }
    return read;
}

// The input as the payload of a frame, with another behind it.
void check_round_trip(std::string_view payload) {
    std::string stream = io::frame(payload) + io::frame("{}");
    Read read = read_in_pieces(stream);
    if (payload.size() > max_bytes) return must(read.is_bad, "a frame that is too long is refused");
    must(read.frames == std::vector<std::string>{std::string(payload), "{}"} && !read.in_frame,
         "what was sent arrives");
}

}  // namespace

void fuzz::target(std::string_view input) {
    Read whole = read_whole(input);
    must(whole == as_the_rules_say(input), "frames are read by the rules");
    must(whole == read_in_pieces(input), "pieces make no difference");
    check_round_trip(input);
}
