#include "web/deflate.hpp"

#include <boost/beast/zlib/deflate_stream.hpp>

#include <array>
#include <utility>

namespace web {

namespace zlib = boost::beast::zlib;

namespace {

// The levels above it take up to three times as long, for a seventh less.
constexpr int level = 3;
constexpr int window_bits = 15;
constexpr int memory_level = 8;

}  // namespace

struct Deflate::State {
    zlib::deflate_stream stream;
    std::array<char, 16 * 1024> room;  // for what comes next
    std::string out;
};

Deflate::Deflate() : state_(std::make_unique<State>()) {
    state_->stream.reset(level, window_bits, memory_level, zlib::Strategy::normal);
}

Deflate::~Deflate() = default;
Deflate::Deflate(Deflate&& other) noexcept = default;
Deflate& Deflate::operator=(Deflate&& other) noexcept = default;

void Deflate::add(std::string_view piece) {
    if (!piece.empty()) run(piece, false);
}

std::string Deflate::finish() {
    run({}, true);
    return std::move(state_->out);
}

// Errors only say that the room is full, or that the end is written.
void Deflate::run(std::string_view piece, bool is_last) {
    zlib::z_params at;
    at.next_in = piece.data();
    at.avail_in = piece.size();
    do {
        at.next_out = state_->room.data();
        at.avail_out = state_->room.size();
        boost::system::error_code ignored;
        state_->stream.write(at, is_last ? zlib::Flush::finish : zlib::Flush::none, ignored);
        state_->out.append(state_->room.data(), state_->room.size() - at.avail_out);
    } while (at.avail_out == 0);
}

std::string deflated(std::string_view text) {
    Deflate deflate;
    deflate.add(text);
    return deflate.finish();
}

}  // namespace web
