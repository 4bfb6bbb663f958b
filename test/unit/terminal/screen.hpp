// As much of a terminal as the tests need: takes the bytes that a program writes, and tells what can be read
// on it then. Breaks long lines; breaks them again on no resize.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

class Screen {
  public:
    explicit Screen(std::size_t columns) : columns_(columns) {}

    void write(std::string_view bytes) {
        while (!bytes.empty())
            bytes.remove_prefix(bytes.starts_with("\x1b[") ? obey(bytes) : show(bytes.front()));
    }

    std::vector<std::string> rows() const {
        auto rows = rows_;
        for (std::string& row : rows)
            row.erase(row.find_last_not_of(' ') + 1);
        return rows;
    }

  private:
    std::size_t show(char c) {
        if (c == '\r') {
            column_ = 0;
        } else if (c == '\n') {
            next_row();
            column_ = 0;
        } else {
            if (column_ == columns_) {
                next_row();
                column_ = 0;
            }
            std::string& row = rows_[row_];
            if (row.size() <= column_) row.resize(column_ + 1, ' ');
            row[column_++] = c;
        }
        return 1;
    }

    void next_row() {
        if (++row_ == rows_.size()) rows_.emplace_back();
    }

    std::size_t obey(std::string_view bytes) {
        auto end = bytes.find_first_not_of("0123456789;", 2);
        std::string number(bytes.substr(2, end - 2));
        if (bytes[end] == 'A') row_ -= std::stoul(number);
        if (bytes[end] == 'K') rows_[row_].resize(std::min(column_, rows_[row_].size()));
        if (bytes[end] == 'J') {
            rows_[row_].resize(std::min(column_, rows_[row_].size()));
            rows_.resize(row_ + 1);
        }
        return end + 1;
    }

    std::size_t columns_;
    std::vector<std::string> rows_{""};
    std::size_t row_ = 0;
    std::size_t column_ = 0;
};
