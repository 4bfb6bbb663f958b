#include "trace_helper.hpp"

#include <cmath>
#include <cstring>

using namespace trace;

namespace {

// Reads a batch by its description alone.
class Reader {
  public:
    explicit Reader(std::string_view batch) : batch_(batch) {}

    template<class T>
    std::vector<T> column(std::size_t count) {
        std::vector<T> values(count);
        REQUIRE(at_ + count * sizeof(T) <= batch_.size());
        if (count > 0) std::memcpy(values.data(), batch_.data() + at_, count * sizeof(T));
        at_ = (at_ + count * sizeof(T) + 7) / 8 * 8;
        return values;
    }
    std::uint32_t number() {
        std::uint32_t value = 0;
        REQUIRE(at_ + sizeof value <= batch_.size());
        std::memcpy(&value, batch_.data() + at_, sizeof value);
        at_ += sizeof value;
        return value;
    }
    std::string name() {
        std::uint32_t size = number();
        std::string text(batch_.substr(at_, size));
        at_ += (std::size_t{size} + 3) / 4 * 4;
        return text;
    }
    bool is_at_end() const { return (at_ + 7) / 8 * 8 == batch_.size(); }

  private:
    std::string_view batch_;
    std::size_t at_ = 0;
};

struct Decoded {
    std::uint32_t first_row = 0;
    std::vector<double> submitted;
    std::vector<std::uint32_t> id, parent, of;
    std::vector<std::uint16_t> step;
    std::vector<std::uint8_t> origin;
    std::vector<double> started, ended;
    std::vector<float> usd;
    std::vector<std::uint32_t> row, pre, post, tokens;
    std::vector<std::uint16_t> agent;
    std::vector<std::uint8_t> outcome, reason, flags;
    std::vector<std::string> names;
};

Decoded decoded(std::string_view batch) {
    Reader reader(batch);
    Decoded all;
    REQUIRE(reader.number() == 0x31525442);
    std::uint32_t n = reader.number();
    std::uint32_t m = reader.number();
    all.first_row = reader.number();
    all.submitted = reader.column<double>(n);
    all.id = reader.column<std::uint32_t>(n);
    all.parent = reader.column<std::uint32_t>(n);
    all.of = reader.column<std::uint32_t>(n);
    all.step = reader.column<std::uint16_t>(n);
    all.origin = reader.column<std::uint8_t>(n);
    all.started = reader.column<double>(m);
    all.ended = reader.column<double>(m);
    all.usd = reader.column<float>(m);
    all.row = reader.column<std::uint32_t>(m);
    all.pre = reader.column<std::uint32_t>(m);
    all.post = reader.column<std::uint32_t>(m);
    all.tokens = reader.column<std::uint32_t>(m);
    all.agent = reader.column<std::uint16_t>(m);
    all.outcome = reader.column<std::uint8_t>(m);
    all.reason = reader.column<std::uint8_t>(m);
    all.flags = reader.column<std::uint8_t>(m);
    for (std::uint32_t left = reader.number(); left > 0; --left)
        all.names.push_back(reader.name());
    CHECK(reader.is_at_end());
    return all;
}

const std::string by_claude = R"({"kind":"claude","model":"opus","output_tokens":5})";
const std::string by_codex = R"({"kind":"codex"})";
const std::string with_agents = grown + reported(succeeded(1, "[]"), by_claude) +
                                reported(failed(2, R"(,"retry_task_id":3)"), by_codex) +
                                submitted(3, "B", "0", retry(2)) + reported(succeeded(3, "[]"), by_claude);

}  // namespace

TEST_CASE("a batch has the columns of all rows and of all ends") {
    std::string batch = "12345";  // what stands before it does not matter
    Trace made = traced(over);
    CHECK(made.append_batch(batch, {}) == Position{5, 5});
    Decoded all = decoded(std::string_view(batch).substr(5));
    CHECK(all.first_row == 0);
    CHECK(all.submitted == std::vector<double>{1, 2000, 2000, 4500, 6000});
    CHECK(all.id == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
    CHECK(all.parent == std::vector<std::uint32_t>{absent, 0, 0, 0, absent});
    CHECK(all.of == std::vector<std::uint32_t>{absent, absent, absent, 2, 0});
    CHECK(all.step == std::vector<std::uint16_t>{0, 1, 1, 1, 0});
    CHECK(all.origin == std::vector<std::uint8_t>{0, 1, 1, 2, 3});
    CHECK(all.row == std::vector<std::uint32_t>{0, 2, 1, 3, 4});
    CHECK(all.started == std::vector<double>{1000, 2500, 4000, 5000, 6500});
    CHECK(all.ended == std::vector<double>{2000, 4500, 5000, 6000, 7000});
    CHECK(all.outcome == std::vector<std::uint8_t>{1, 2, 3, 1, 1});
    CHECK(all.reason == std::vector<std::uint8_t>{0, 1, 5, 0, 0});
    CHECK(all.agent == std::vector<std::uint16_t>(5, no_agent));
    CHECK(std::isnan(all.usd[0]));
}

TEST_CASE("a batch begins where the one before it has ended, and has only the new names of agents") {
    Trace made = traced(with_agents);
    std::string batch;
    made.append_batch(batch, {});
    CHECK(decoded(batch).names == std::vector<std::string>{"claude opus", "codex"});
    batch.clear();
    made.append_batch(batch, {3, 2});
    Decoded rest = decoded(batch);
    CHECK(rest.first_row == 3);
    CHECK(rest.id == std::vector<std::uint32_t>{3});
    CHECK(rest.row == std::vector<std::uint32_t>{2, 3});
    CHECK(rest.agent == std::vector<std::uint16_t>{1, 0});
    CHECK(rest.names == std::vector<std::string>{"codex"});
    batch.clear();
    CHECK(made.append_batch(batch, made.position()) == made.position());
    CHECK(decoded(batch).id.empty());
}

TEST_CASE("an agent is named by its name, its program and its model, as far as they are known") {
    auto by = [](std::string line, const std::string& name) {
        return line.insert(line.size() - 2, R"(,"agent":")" + name + "\"");
    };
    Trace made = traced(grown + by(reported(succeeded(1, "[]"), by_claude), "mine") +
                        by(failed(2, R"(,"retry_task_id":3)"), "mine") + submitted(3, "B", "0", retry(2)) +
                        by(succeeded(3, "[]"), "mine"));
    CHECK(made.agents() == std::vector<std::string>{"mine (claude opus)", "mine"});
    CHECK(made.completion(1).agent == 0);
    CHECK(made.completion(2).agent == 1);
    CHECK(made.completion(3).agent == 1);
    CHECK(made.completion(3).flags == 0);
    CHECK(made.completion(0).agent == no_agent);
}

TEST_CASE("a large batch comes in pieces, rows first") {
    Trace made = traced(with_agents);
    std::vector<std::uint32_t> ids;
    std::vector<std::uint32_t> ends;
    std::vector<std::string> names;
    for (Position at; at != made.position();) {
        std::string batch;
        at = made.append_batch(batch, at, 3);
        Decoded piece = decoded(batch);
        CHECK(piece.id.size() + piece.row.size() <= 3);
        ids.insert(ids.end(), piece.id.begin(), piece.id.end());
        for (std::uint32_t row : piece.row)
            CHECK(row < ids.size());
        ends.insert(ends.end(), piece.row.begin(), piece.row.end());
        names.insert(names.end(), piece.names.begin(), piece.names.end());
    }
    CHECK(ids == std::vector<std::uint32_t>{0, 1, 2, 3});
    CHECK(ends == std::vector<std::uint32_t>{0, 1, 2, 3});
    CHECK(names == std::vector<std::string>{"claude opus", "codex"});
}

TEST_CASE("a batch of chosen rows numbers them anew, and forgets those that are left out") {
    Trace made = traced(over);
    const std::vector<Row> rows{2, 3, 4};
    std::string batch;
    made.append_chosen(batch, rows);
    Decoded chosen = decoded(batch);
    CHECK(chosen.first_row == 0);
    CHECK(chosen.id == std::vector<std::uint32_t>{2, 3, 4});
    CHECK(chosen.parent == std::vector<std::uint32_t>(3, absent));
    CHECK(chosen.of == std::vector<std::uint32_t>{absent, 0, absent});
    CHECK(chosen.row == std::vector<std::uint32_t>{0, 1, 2});
    CHECK(chosen.ended == std::vector<double>{4500, 6000, 7000});
}
