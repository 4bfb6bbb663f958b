#include "agent_driver/images.hpp"

#include "base/text.hpp"
#include "json/json.hpp"

namespace agent_driver {

std::string_view image_type(std::string_view bytes) {
    using namespace std::string_view_literals;
    if (bytes.starts_with("\x89PNG\r\n\x1a\n"sv)) return "image/png";
    if (bytes.starts_with("\xff\xd8\xff"sv)) return "image/jpeg";
    if (bytes.starts_with("GIF87a"sv) || bytes.starts_with("GIF89a"sv)) return "image/gif";
    // Between these is the file's size.
    if (bytes.starts_with("RIFF"sv) && bytes.size() >= 12 && bytes.substr(8, 4) == "WEBP"sv)
        return "image/webp";
    return "";
}

std::string each_of(const Images& images, std::string_view before_type, std::string_view before_data,
                    std::string_view end) {
    std::string text;
    if (images)
        for (const Image& image : *images)
            text += base::concat(before_type, image.type, before_data, image.data, end);
    return text;
}

std::string images_note(const Images& images) {
    if (!images) return "";
    std::string note = "\n\nThe images of this task are with this message, in this order:\n";
    int number = 0;
    for (const Image& image : *images)
        note += base::concat("\n", ++number, ". ", json::quote(image.path));
    return note;
}

}  // namespace agent_driver
