#include "output/keeper.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace output {

namespace {

constexpr std::size_t header_size = 48;  // of a record in a segment, about

}  // namespace

Keeper::Keeper(std::optional<std::size_t> limit, std::shared_ptr<const Redaction> redaction)
    : limit_(limit), longest_record_(longest_record_with(limit)), redaction_(std::move(redaction)) {}

std::uint64_t Keeper::begin(Source source) {
    const std::uint64_t number = ++last_number_;
    source.number = number;
    source.limit = limit_.value_or(0);
    std::size_t limit = limit_.value_or(std::numeric_limits<std::size_t>::max());
    open_.emplace(number,
                  OpenSource{std::move(source), {Channel(limit, redaction_), Channel(limit, redaction_)}});
    return number;
}

void Keeper::add(std::uint64_t number, Stream stream, std::string_view piece, Time now) {
    OpenSource& source = open_.at(number);
    redacted_.clear();
    source.channels.at(static_cast<std::size_t>(stream)).redactor.add(piece, redacted_);
    append(source, stream, redacted_, now);
}

void Keeper::end(std::uint64_t number, Time now) {
    auto found = open_.find(number);
    OpenSource& source = found->second;
    for (Stream stream : {Stream::out, Stream::err}) {
        Channel& channel = source.channels.at(static_cast<std::size_t>(stream));
        redacted_.clear();
        channel.redactor.finish(redacted_);
        append(source, stream, redacted_, now);
        if (limit_) drop(source.source, stream, channel.parts, channel.parts.drop_last());
    }
    if (source.is_announced)
        for (Stream stream : {Stream::out, Stream::err})
            append_record(
                batch_.records,
                {number, stream, now, source.channels.at(static_cast<std::size_t>(stream)).size, {}});
    open_.erase(found);
}

void Keeper::append(OpenSource& source, Stream stream, std::string_view text, Time now) {
    if (text.empty()) return;
    if (!source.is_announced) announce(source);
    Channel& channel = source.channels.at(static_cast<std::size_t>(stream));
    while (!text.empty()) {
        std::size_t size = std::min(text.size(), longest_record_);
        if (std::size_t room = channel.parts.room_in_head(); limit_ && room > 0) size = std::min(size, room);
        append_piece(source, stream, text.substr(0, size), now);
        text.remove_prefix(size);
    }
    if (limit_) drop(source.source, stream, channel.parts, channel.parts.drop());
}

void Keeper::append_piece(OpenSource& source, Stream stream, std::string_view piece, Time now) {
    Channel& channel = source.channels.at(static_cast<std::size_t>(stream));
    append_record(batch_.records, {source.source.number, stream, now, channel.size, piece});
    channel.size += piece.size();
    if (limit_) channel.parts.add({piece.size(), piece.size(), segments_.current()});
}

void Keeper::announce(OpenSource& source) {
    source.is_announced = true;
    source.source.segment = segments_.current();
    batch_.index += index_line(source.source);
    batch_.announced.push_back(source.source.number);
}

void Keeper::drop(const Source& source, Stream stream, const KeptParts& parts,
                  const std::vector<KeptParts::Record>& dropped) {
    if (dropped.empty()) return;
    dropped_[key(source.number, stream)] = {parts.head(), parts.head() + parts.dropped_content()};
    for (const KeptParts::Record& record : dropped)
        segments_.dropped(record.place, record.size + header_size);
}

Keeper::Batch Keeper::take_batch() {
    batch_.segment = segments_.current();
    segments_.grown(batch_.records.size());
    return std::exchange(batch_, {});
}

void Keeper::lost(const Batch& batch) {
    for (std::uint64_t number : batch.announced)
        if (auto found = open_.find(number); found != open_.end()) found->second.is_announced = false;
}

std::string Keeper::without_dropped(std::string_view records) const {
    std::string kept;
    std::string_view rest = records;
    for (std::string_view before = rest; auto record = take_record(rest); before = rest)
        if (!is_dropped(*record)) kept += before.substr(0, before.size() - rest.size());
    return kept;
}

bool Keeper::is_dropped(const Record& record) const {
    auto found = dropped_.find(key(record.source, record.stream));
    if (found == dropped_.end() || record.bytes.empty()) return false;
    return record.offset >= found->second.begin && record.offset < found->second.end;
}

}  // namespace output
