#pragma once
// What the log warns of.
#include "io/log.hpp"

#include <string>
#include <vector>

namespace test {

// The warnings of the log while it lives.
class Warnings {
  public:
    Warnings() {
        io::log::set_listener([this](const io::log::Line& line) {
            if (line.level == io::log::Level::warn) texts.emplace_back(line.text);
        });
    }
    ~Warnings() { io::log::set_listener({}); }
    Warnings(const Warnings&) = delete;
    Warnings& operator=(const Warnings&) = delete;

    std::vector<std::string> texts;
};

}  // namespace test
