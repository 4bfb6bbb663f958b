#include "agents/transcript_window.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <string>
#include <vector>

namespace {

using namespace agents;

// What the file contains, with records of a size of their own: "<number>xxx\n".
struct File {
    explicit File(TranscriptWindow::Limits of_window) : limits(of_window), window(of_window) {}

    void add(std::size_t size) {
        TranscriptRecord record;
        record.text = std::to_string(records.size()) + std::string(size, 'x') + "\n";
        record.line_bytes = size;
        records.push_back(record);
        text += record.text;
        window.add(record);
    }
    void shorten(const std::optional<TranscriptWindow::Shortening>& shortening) {
        if (!shortening) return;
        REQUIRE(shortening->head + shortening->tail <= text.size());
        text = text.substr(0, shortening->head) + shortening->omitted +
               text.substr(text.size() - shortening->tail);
        ++shortenings;
    }

    // The records at the beginning and the end that make up the file, with what was left out between them.
    std::string expected(std::size_t first, std::size_t last) const {
        std::string out;
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < records.size(); ++i) {
            if (i < first || i >= last) out += records[i].text;
            if (i >= first && i < last) bytes += records[i].line_bytes;
            if (i + 1 == last && last > first)
                out += "{\"omitted_bytes\":" + std::to_string(bytes) +
                       ",\"omitted_lines\":" + std::to_string(last - first) + "}\n";
        }
        return out;
    }
    // The number of records that fit at the beginning.
    std::size_t head_records() const {
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < records.size(); ++i) {
            bytes += records[i].text.size();
            if (bytes > limits.head) return i;
        }
        return records.size();
    }
    // The first record of the end.
    std::size_t tail_begin(std::size_t head) const {
        std::size_t bytes = 0;
        for (std::size_t i = records.size(); i > head; --i) {
            bytes += records[i - 1].text.size();
            if (bytes > limits.tail && i < records.size()) return i;
        }
        return head;
    }

    TranscriptWindow::Limits limits;
    TranscriptWindow window;
    std::vector<TranscriptRecord> records;
    std::string text;
    int shortenings = 0;
};

}  // namespace

TEST_CASE("a transcript within the limits is kept whole") {
    File file({100, 100});
    for (int i = 0; i < 18; ++i) {
        file.add(8);
        file.shorten(file.window.shortening());
    }
    file.shorten(file.window.last_shortening());
    CHECK(file.shortenings == 0);
    CHECK(file.text == file.expected(0, 0));
}

TEST_CASE("of a long transcript the beginning and the end are kept, and what was left out is counted") {
    File file({30, 40});
    for (int i = 0; i < 90; ++i) {
        file.add(8);
        file.shorten(file.window.shortening());
        CHECK(file.text.size() <= 30 + 50 + 2 * 40);
    }
    file.shorten(file.window.last_shortening());
    CHECK(file.text == file.expected(3, 87));
    CHECK(file.text.find("{\"omitted_bytes\":672,\"omitted_lines\":84}\n") != std::string::npos);
}

TEST_CASE("the last record is kept even if it is longer than the end may be") {
    File file({30, 40});
    for (std::size_t size : {8U, 8U, 8U, 500U}) {
        file.add(size);
        file.shorten(file.window.shortening());
    }
    CHECK(file.text == file.expected(0, 0));
    file.add(600);
    file.shorten(file.window.last_shortening());
    CHECK(file.text == file.expected(3, 4));
}

TEST_CASE("a record that does not fit into the beginning ends it") {
    File file({30, 40});
    for (std::size_t size : {8U, 25U, 1U, 1U})
        file.add(size);
    for (int i = 0; i < 20; ++i)
        file.add(8);
    file.shorten(file.window.last_shortening());
    CHECK(file.text == file.expected(1, 21));
}

TEST_CASE("random records leave the beginning and the end") {
    std::mt19937 random(5);
    for (int round = 0; round < 500; ++round) {
        File file({random() % 200, random() % 200});
        for (std::size_t count = random() % 200; count > 0; --count) {
            file.add(random() % 40);
            if (random() % 3 == 0) file.shorten(file.window.shortening());
        }
        file.shorten(file.window.last_shortening());
        const std::size_t head = file.head_records();
        REQUIRE(file.text == file.expected(head, file.tail_begin(head)));
    }
}
