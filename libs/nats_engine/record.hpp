// A record's entry as the payload of a message: a line with an object of JSON, and after its line feed the
// text of the outcome, unchanged. Pure.
//
//   {"kind":"claimed","edge":"h1","nonce":"8127368-12","owner":{"edge":"h1","nonce":"8127368-12"}}
//   {"kind":"outcome","edge":"h1","nonce":"8127368-12","outcome":"processed"}
#pragma once

#include "edge/engine.hpp"
#include "json/lenient_object.hpp"
#include "json/object_writer.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace nats_engine {

// `text`: of an outcome; otherwise empty.
std::string record_payload(const edge::Entry& entry, std::string_view text);

struct ReadRecord {
    edge::Entry entry;
    std::string text;
};
// The payload may be of any content. Empty if it cannot be read; members that are not known are passed over.
std::optional<ReadRecord> parse_record(std::string_view payload);

// "START-NUMBER", both decimal.
std::string nonce_text(edge::Nonce nonce);
std::optional<edge::Nonce> parse_nonce(std::string_view text);

}  // namespace nats_engine
