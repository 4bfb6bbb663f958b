#include "serve/output_window.hpp"

#include "base/text.hpp"
#include "json/json.hpp"

#include <utility>

namespace serve {

namespace {

std::string members_of(const output::Source& source, output::Stream stream) {
    return base::concat("{\"attempt\":", source.attempt, ",\"phase\":", json::quote(source.phase),
                        ",\"stream\":\"", stream == output::Stream::out ? "out" : "err", "\"");
}

}  // namespace

void OutputWindow::add(const output::Source& source, const output::Line& line) {
    std::string members = members_of(source, line.stream);
    Line added;
    added.members = members.size();
    added.json = line.omitted > 0 ? base::concat(members, ",\"omitted\":", line.omitted, "}")
                                  : base::concat(members, ",\"time\":", line.time.time_since_epoch().count(),
                                                 ",\"text\":", json::quote(line.text), "}");
    added.bytes = line.omitted > 0 ? line.omitted : line.text.size() + 1;
    size_ += added.json.size();
    lines_.push_back(std::move(added));
    while (size_ > most_ && lines_.size() > 1) {
        size_ -= lines_.front().json.size();
        omitted_ += lines_.front().bytes;
        omitted_of_ = lines_.front().json.substr(0, lines_.front().members);
        lines_.pop_front();
    }
}

std::string OutputWindow::take() {
    std::string text = "{\"lines\":[";
    if (omitted_ > 0) text += base::concat(omitted_of_, ",\"omitted\":", omitted_, "}");
    for (const Line& line : lines_)
        text += (text.back() == '[' ? "" : ",") + line.json;
    lines_.clear();
    size_ = 0;
    omitted_ = 0;
    return text + "]}";
}

}  // namespace serve
