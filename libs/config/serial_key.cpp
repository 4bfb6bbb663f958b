#include "config/serial_key.hpp"

#include "json/canonical.hpp"
#include "json_schema/pointer.hpp"

namespace config {

std::optional<base::Fingerprint> serial_key(const StepOptions& options, std::string_view value) {
    if (!options.serial_key) return std::nullopt;
    auto part = json_schema::find_path(json::View::of(value), options.serial_key->tokens);
    if (!part) return std::nullopt;
    return base::fingerprint(json::canonical(*part));
}

}  // namespace config
