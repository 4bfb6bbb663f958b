#include "web/deflate.hpp"

#include <boost/beast/zlib/inflate_stream.hpp>
#include <catch2/catch.hpp>

#include <random>
#include <string>

namespace {

namespace zlib = boost::beast::zlib;

std::string inflated(const std::string& compressed, std::size_t size) {
    zlib::inflate_stream stream;
    std::string text(size + 1, '\0');
    zlib::z_params at;
    at.next_in = compressed.data();
    at.avail_in = compressed.size();
    at.next_out = text.data();
    at.avail_out = text.size();
    boost::system::error_code code;
    stream.write(at, zlib::Flush::finish, code);
    CHECK(code == zlib::error::end_of_stream);
    CHECK(at.avail_in == 0);
    text.resize(at.total_out);
    return text;
}

}  // namespace

TEST_CASE("what is deflated in pieces of any size is inflated to the same text") {
    std::mt19937 random(7);
    for (std::size_t size : {0U, 1U, 5'000U, 65'536U, 700'000U}) {
        std::string text;
        while (text.size() < size)
            text += random() % 9 == 0 ? static_cast<char>(random()) : 'a';
        web::Deflate deflate;
        for (std::size_t at = 0; at < size;) {
            std::size_t piece = random() % 100'000;
            deflate.add(std::string_view(text).substr(at, piece));
            at += piece;
        }
        std::string compressed = deflate.finish();
        CHECK(inflated(compressed, size) == text);
        CHECK(compressed.size() < size / 2 + 100);
        CHECK(inflated(web::deflated(text), size) == text);
    }
}
