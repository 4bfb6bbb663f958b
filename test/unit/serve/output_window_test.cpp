#include "serve/output_window.hpp"

#include "serve/event_text.hpp"

#include <catch2/catch.hpp>

using output::Line;
using output::Stream;
using serve::OutputWindow;

namespace {

const output::Source source{1, 7, "A", 2, "command", 1};

Line line(std::string_view text, Stream stream = Stream::out) {
    return {1, stream, output::Time(std::chrono::milliseconds(5)), text, 0};
}

}  // namespace

TEST_CASE("lines of output are told with their attempt, phase, stream and time") {
    OutputWindow window(1000);
    CHECK(window.empty());
    window.add(source, line("a <b> \"c\""));
    window.add(source, line("d", Stream::err));
    window.add(source, {1, Stream::err, {}, "", 300});
    CHECK(window.take() ==
          R"({"lines":[{"attempt":2,"phase":"command","stream":"out","time":5,"text":"a <b> \"c\""},)"
          R"({"attempt":2,"phase":"command","stream":"err","time":5,"text":"d"},)"
          R"({"attempt":2,"phase":"command","stream":"err","omitted":300}]})");
    CHECK(window.empty());
    CHECK(window.take() == R"({"lines":[]})");
}

TEST_CASE("of too many lines the newest are told, and how much is left out") {
    OutputWindow window(1000);
    for (int i = 0; i < 100'000; ++i)
        window.add(source, line("line " + std::to_string(100'000 + i)));
    std::string told = window.take();
    CHECK(told.size() < 1100);
    CHECK(told.find("line 199999") != std::string::npos);
    std::size_t lines = 0;
    for (std::size_t at = told.find("\"text\""); at != told.npos; at = told.find("\"text\"", at + 1))
        ++lines;
    std::string omitted = std::to_string((100'000 - lines) * 12);
    CHECK(told.starts_with(R"({"lines":[{"attempt":2,"phase":"command","stream":"out","omitted":)" + omitted +
                           "},"));
}

TEST_CASE("a line that is too long alone is told") {
    OutputWindow window(10);
    window.add(source, line("first"));
    window.add(source, line(std::string(100, 'x')));
    std::string told = window.take();
    CHECK(told.find(std::string(100, 'x')) != std::string::npos);
    CHECK(told.find(R"("omitted":6)") != std::string::npos);
}

TEST_CASE("an event is a name, data, and an id") {
    CHECK(serve::event_text("trace", "AAAA", "1.2") == "event: trace\ndata: AAAA\nid: 1.2\n\n");
    CHECK(serve::event_text("end", "{}") == "event: end\ndata: {}\n\n");
    CHECK(serve::event_text("a", "{\n}\n") == "event: a\ndata: {\ndata: }\ndata: \n\n");
}
