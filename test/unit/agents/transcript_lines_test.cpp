#include "agents/transcript_lines.hpp"

#include "json/json.hpp"

#include <catch2/catch.hpp>

#include <random>

namespace {

using namespace agents;
using Source = TranscriptLines::Source;
using Time = TranscriptLines::Time;

std::shared_ptr<const output::Redaction> redaction(const std::vector<std::string>& secrets = {}) {
    return std::make_shared<const output::Redaction>(secrets);
}

struct Lines {
    explicit Lines(const std::vector<std::string>& secrets = {}) : lines(redaction(secrets)) {}

    // What was recorded since the last call.
    std::string take() {
        std::string text;
        for (const TranscriptRecord& record : records) {
            CHECK_FALSE(json::check(record.text));
            text += record.text;
        }
        records.clear();
        return text;
    }
    std::string add(Source source, std::string_view piece) {
        lines.add(source, piece, Time(7), records);
        return take();
    }
    std::string finish() {
        lines.finish(Time(9), records);
        return take();
    }

    TranscriptLines lines;
    std::vector<TranscriptRecord> records;
};

}  // namespace

TEST_CASE("JSON stays JSON in a transcript, and any other line is a text") {
    Lines lines;
    CHECK(lines.add(Source::agent, "{\"a\": 1.0}\n") == R"({"time":7,"from":"agent","line":{"a": 1.0}})"
                                                        "\n");
    CHECK(lines.add(Source::program, "[1]\nhello \"you\"\n") ==
          R"({"time":7,"from":"program","line":[1]})"
          "\n"
          R"({"time":7,"from":"program","line":"hello \"you\""})"
          "\n");
    CHECK(lines.add(Source::error_output, "{half\n17\n\"text\"\n\xff\n") ==
          R"({"time":7,"from":"stderr","line":"{half"})"
          "\n"
          R"({"time":7,"from":"stderr","line":"17"})"
          "\n"
          R"({"time":7,"from":"stderr","line":"\"text\""})"
          "\n"
          "{\"time\":7,\"from\":\"stderr\",\"line\":\"\xef\xbf\xbd\"}\n");
}

TEST_CASE("JSON that is nested as deeply as can be is a text, so that its record can be read") {
    Lines lines;
    const std::string deep = std::string(json::max_depth, '[') + std::string(json::max_depth, ']');
    CHECK(lines.add(Source::program, deep + "\n").find("\"line\":\"[[") != std::string::npos);
}

TEST_CASE("lines are recorded when they are complete, each stream by itself") {
    Lines lines;
    CHECK(lines.add(Source::program, "on").empty());
    CHECK(lines.add(Source::error_output, "tw").empty());
    CHECK(lines.add(Source::program, "e\n\n\nrest") == R"({"time":7,"from":"program","line":"one"})"
                                                       "\n");
    CHECK(lines.finish() == R"({"time":9,"from":"program","line":"rest"})"
                            "\n"
                            R"({"time":9,"from":"stderr","line":"tw"})"
                            "\n");
    CHECK(lines.finish().empty());
}

TEST_CASE("of a long line the beginning is kept, and it is no JSON any more") {
    Lines lines;
    const std::string line = "[\"" + std::string(TranscriptLines::longest_line, 'x') + "\"]";
    for (std::size_t at = 0; at < line.size(); at += 1000)
        CHECK(lines.add(Source::program, line.substr(at, 1000)).empty());
    lines.lines.add(Source::program, "\nnext\n", Time(7), lines.records);
    REQUIRE(lines.records.size() == 2);
    CHECK(lines.records[0].line_bytes == line.size());
    std::string record = lines.take();
    CHECK(record.starts_with(R"({"time":7,"from":"program","line":"[\"xxx)"));
    CHECK(record.find(R"(xxx","omitted_bytes":4})") != std::string::npos);
    CHECK(record.ends_with("{\"time\":7,\"from\":\"program\",\"line\":\"next\"}\n"));
    CHECK(record.size() < TranscriptLines::longest_line + 200);
}

TEST_CASE("a long line is no JSON even if its beginning is") {
    Lines lines;
    CHECK(lines.add(Source::program, "[1]" + std::string(TranscriptLines::longest_line, ' ') + "\n")
              .starts_with(R"({"time":7,"from":"program","line":"[1] )"));
}

TEST_CASE("what looks like the beginning of a secret at the end is kept") {
    Lines lines({"swordfish"});
    CHECK(lines.add(Source::program, "a swordf").empty());
    CHECK(lines.finish() == "{\"time\":9,\"from\":\"program\",\"line\":\"a swordf\"}\n");
}

TEST_CASE("secrets are replaced in all streams, also where a line is cut") {
    Lines lines({"swordfish"});
    CHECK(lines.add(Source::agent, "{\"swordfish\":1}\n") == R"({"time":7,"from":"agent","line":{"***":1}})"
                                                             "\n");
    CHECK(lines.add(Source::error_output, "sword").empty());
    CHECK(lines.add(Source::error_output, "fish\n") == R"({"time":7,"from":"stderr","line":"***"})"
                                                       "\n");
    std::string line(TranscriptLines::longest_line - 4, 'x');
    CHECK(lines.add(Source::program, line + "swordfish\n").find("swo") == std::string::npos);
}

TEST_CASE("JSON that a replaced secret has made invalid is a text") {
    Lines lines({"123456"});
    CHECK(lines.add(Source::program, "{\"a\":123456}\n") ==
          R"({"time":7,"from":"program","line":"{\"a\":***}"})"
          "\n");
}

TEST_CASE("the pieces of the output make no difference to the records") {
    std::mt19937 random(23);
    const std::string text = "{\"a\":\"swordfish\"}\n\nplain swordfish text\n[1,2]\n" +
                             std::string(70'000, 'y') + "swordfish\nend";
    Lines whole({"swordfish"});
    std::string expected = whole.add(Source::program, text);
    expected += whole.finish();
    for (int round = 0; round < 200; ++round) {
        Lines lines({"swordfish"});
        std::string found;
        for (std::string_view rest = text; !rest.empty();) {
            std::string_view piece = rest.substr(0, 1 + random() % (random() % 2 == 0 ? 7 : 5000));
            found += lines.add(Source::program, piece);
            rest.remove_prefix(piece.size());
        }
        found += lines.finish();
        REQUIRE(found == expected);
    }
}

TEST_CASE("the parts of messages, which are repeated as a whole, are left out") {
    Lines lines;
    CHECK(lines.add(Source::program, "{\"type\":\"stream_event\",\"event\":{}}\n").empty());
    CHECK(lines.add(Source::program, "{\"method\":\"item/agentMessage/delta\",\"params\":{}}\n").empty());
    CHECK_FALSE(lines.add(Source::program, "{\"type\":\"assistant\"}\n").empty());
}
