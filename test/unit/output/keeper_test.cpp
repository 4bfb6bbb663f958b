#include "output/keeper.hpp"

#include "times.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <string>
#include <utility>

using namespace output;
using output_test::at;

namespace {

// The files that a keeper's batches make.
struct Files {
    explicit Files(std::optional<std::size_t> limit, const std::vector<std::string>& secrets = {})
        : keeper(limit, std::make_shared<const Redaction>(secrets)) {}

    std::uint64_t begin(std::uint64_t task = 1) { return keeper.begin({0, task, "Step", 1, "command", 0}); }
    void write() {
        if (!keeper.has_batch()) return;
        auto batch = keeper.take_batch();
        index += batch.index;
        segments[batch.segment] += batch.records;
        rewrite();
    }
    void rewrite() {
        while (auto segment = keeper.take_due()) {
            segments[*segment] = keeper.without_dropped(segments[*segment]);
            keeper.rewritten(*segment, segments[*segment].size());
        }
    }
    void finish() {
        write();
        keeper.finish();
        rewrite();
    }

    // What is kept of a stream; "…N…" for N bytes that are not.
    std::string kept(std::uint64_t source, Stream stream) const {
        std::string out;
        std::uint64_t offset = 0;
        for (const auto& [number, text] : segments)
            for (std::string_view rest = text; auto record = take_record(rest);) {
                if (record->source != source || record->stream != stream) continue;
                if (record->offset > offset) out += "…" + std::to_string(record->offset - offset) + "…";
                offset = record->offset + record->bytes.size();
                out += record->bytes;
            }
        return out;
    }
    std::size_t size() const {
        std::size_t size = 0;
        for (const auto& [number, text] : segments)
            size += text.size();
        return size;
    }

    Keeper keeper;
    std::string index;
    std::map<std::uint32_t, std::string> segments;
};

std::string random_text(std::mt19937& random, std::size_t size) {
    std::string text;
    while (text.size() < size)
        text += static_cast<char>('a' + random() % 26);
    return text;
}

}  // namespace

TEST_CASE("a source is in the index once it writes, with its segment") {
    Files files(100);
    auto silent = files.begin(1);
    auto source = files.begin(2);
    files.keeper.add(source, Stream::err, "oops\n", at(5));
    files.keeper.add(source, Stream::out, "[]", at(6));
    files.keeper.end(silent, at(7));
    files.keeper.end(source, at(8));
    files.write();
    CHECK(files.index == index_line({source, 2, "Step", 1, "command", 1, 100}));
    std::string expected;
    append_record(expected, {source, Stream::err, at(5), 0, "oops\n"});
    append_record(expected, {source, Stream::out, at(6), 0, "[]"});
    append_record(expected, {source, Stream::out, at(8), 2, ""});
    append_record(expected, {source, Stream::err, at(8), 5, ""});
    CHECK(files.segments[1] == expected);
    CHECK_FALSE(files.keeper.has_batch());
}

TEST_CASE("a secret is replaced, also if it comes in two pieces") {
    Files files(std::nullopt, {"hunter2hunter2"});
    auto source = files.begin();
    files.keeper.add(source, Stream::out, "it is hunter2", at(1));
    files.write();
    CHECK(files.kept(source, Stream::out) == "it is ");
    files.keeper.add(source, Stream::out, "hunter2, and hunter2h", at(2));
    files.keeper.end(source, at(3));
    files.write();
    CHECK(files.kept(source, Stream::out) == "it is ***, and hunter2h");
}

TEST_CASE("of each stream the first and the last bytes are kept") {
    std::mt19937 random(3);
    constexpr std::size_t limit = 10'000;
    Files files(limit);
    auto source = files.begin();
    std::map<Stream, std::string> written;
    for (int i = 0; i < 300; ++i)
        for (Stream stream : {Stream::out, Stream::err}) {
            std::string text = random_text(random, random() % 1000);
            written[stream] += text;
            files.keeper.add(source, stream, text, at(i));
            if (random() % 3 == 0) files.write();
        }
    files.keeper.end(source, at(300));
    files.finish();
    for (auto& [stream, text] : written) {
        std::string kept = files.kept(source, stream);
        CHECK(kept.starts_with(text.substr(0, limit) + "…"));
        std::string tail = kept.substr(kept.rfind("…") + std::string("…").size());
        CHECK(text.ends_with(tail));
        CHECK(tail.size() <= limit);
        CHECK(tail.size() > limit - limit / 16);
        CHECK(kept.find("…" + std::to_string(text.size() - limit - tail.size()) + "…") == limit);
    }
}

TEST_CASE("what is exactly within the limits is kept whole") {
    std::mt19937 random(4);
    Files files(1000);
    auto source = files.begin();
    const std::string text = random_text(random, 2000);
    files.keeper.add(source, Stream::out, text, at(1));
    files.keeper.end(source, at(2));
    files.finish();
    CHECK(files.kept(source, Stream::out) == text);
}

TEST_CASE("without a limit all is kept") {
    std::mt19937 random(5);
    Files files(std::nullopt);
    auto source = files.begin();
    const std::string text = random_text(random, 5'000'000);
    for (std::size_t from = 0; from < text.size(); from += 50'000) {
        files.keeper.add(source, Stream::out, text.substr(from, 50'000), at(1));
        files.write();
    }
    files.keeper.end(source, at(2));
    files.finish();
    CHECK(files.kept(source, Stream::out) == text);
    CHECK(files.segments.size() == 2);
}

TEST_CASE("the files stay small while a stream goes on, and other output stays whole") {
    std::mt19937 random(6);
    constexpr std::size_t limit = 64 * 1024;
    Files files(limit);
    auto loud = files.begin(1);
    std::map<std::uint64_t, std::string> quiet;
    const std::string piece = random_text(random, 60'000);
    std::size_t largest = 0;
    for (int i = 0; i < 1000; ++i) {
        files.keeper.add(loud, Stream::err, piece, at(i));
        auto source = files.begin(2);
        quiet[source] = random_text(random, 100);
        files.keeper.add(source, Stream::out, quiet[source], at(i));
        files.keeper.end(source, at(i));
        files.write();
        largest = std::max(largest, files.size());
    }
    CHECK(largest < 2 * Segments::full_size);
    files.keeper.end(loud, at(1000));
    files.finish();
    CHECK(files.size() < 1'000'000);
    for (const auto& [source, text] : quiet)
        CHECK(files.kept(source, Stream::out) == text);
}

TEST_CASE("what was lost is left out, and its sources are in the index when they write again") {
    Files files(1000);
    auto source = files.begin();
    files.keeper.add(source, Stream::out, "first\n", at(1));
    files.keeper.lost(files.keeper.take_batch());
    files.keeper.add(source, Stream::out, "second\n", at(2));
    files.write();
    CHECK(files.kept(source, Stream::out) == "…6…second\n");
    CHECK(parse_index_line(files.index));
    files.keeper.add(source, Stream::out, "third\n", at(3));
    files.keeper.lost(files.keeper.take_batch());
    files.keeper.end(source, at(4));
    files.write();
    CHECK(files.kept(source, Stream::out) == "…6…second\n…6…");
    CHECK(files.index.find('\n') + 1 == files.index.size());
}

TEST_CASE("where a quote was cut, the beginning of a secret is replaced") {
    Redaction redaction({"s3cret-value"});
    CHECK(redaction.redact_quotes("it began with: xxs3cret-va…") == "it began with: xx***…");
    CHECK(redaction.redact_quotes("it began with: xxs3c…") == "it began with: xxs3c…");
    CHECK(redaction.redact_quotes("s3cret-value and s3cr… and s3cret-value") == "*** and ***… and ***");
    CHECK(redaction.redact_quotes("left out]\n…t-value and more") == "left out]\n…*** and more");
    CHECK(redaction.redact_quotes("…lue, …alue") == "…lue, …***");
    CHECK(redaction.redact_quotes("no quote") == "no quote");
}
