// Compression as browsers undo it: raw deflate (RFC 1951). Pure.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace web {

// Takes a text in pieces, and keeps only what it has been compressed to.
class Deflate {
  public:
    Deflate();
    ~Deflate();
    Deflate(Deflate&& other) noexcept;
    Deflate& operator=(Deflate&& other) noexcept;

    void add(std::string_view piece);
    // Returns everything, compressed. To be called once, after the last piece.
    std::string finish();

  private:
    struct State;
    void run(std::string_view piece, bool is_last);

    std::unique_ptr<State> state_;
};

std::string deflated(std::string_view text);

}  // namespace web
