#include "base/line_splitter.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

TEST_CASE("output in pieces of any size gives the same lines") {
    const std::string text = "one\n\ntwo three\nfour";
    for (std::size_t size = 1; size <= text.size(); ++size) {
        base::LineSplitter splitter;
        std::vector<std::string> lines;
        for (std::size_t at = 0; at < text.size(); at += size)
            splitter.add(std::string_view(text).substr(at, size),
                         [&](std::string_view line) { lines.emplace_back(line); });
        CHECK(lines == std::vector<std::string>{"one", "", "two three"});
        CHECK(splitter.take_rest() == "four");
    }
}

TEST_CASE("of a line that is too long only the beginning is kept") {
    base::LineSplitter splitter(std::size_t{64} << 20);
    const std::string piece(std::size_t{8} << 20, 'x');
    for (int i = 0; i < 20; ++i)
        splitter.add(piece, [](std::string_view) { FAIL("no line is complete"); });
    std::size_t size = 0;
    splitter.add("\nnext\n", [&](std::string_view line) {
        if (size == 0) size = line.size();
    });
    CHECK(size == std::size_t{64} << 20);
}
