// Reads the entries of a trace from the log. Internal to this room.
#pragma once

#include "statelog/record.hpp"
#include "trace/read_line.hpp"
#include "trace/trace.hpp"

#include <boost/system/errc.hpp>

#include <utility>
#include <variant>

namespace trace {

inline base::Error changed(const Trace& trace) {
    return {boost::system::errc::make_error_code(boost::system::errc::bad_message),
            trace.name() + " was changed while it was read, as no run does it; try again"};
}

// The entry of the kind that the trace has at this offset.
template<class Entry>
base::Result<Entry> read_entry(const Trace& trace, const ReadLine& read_line, std::uint64_t offset) {
    auto line = read_line(offset);
    if (!line) return line.error();
    auto record = statelog::read_record(*trace.config(), *line);
    if (!record) return changed(trace);
    auto* entry = std::get_if<Entry>(&record->entry);
    if (!entry) return changed(trace);
    return std::move(*entry);
}

}  // namespace trace
