// The images of a task, as an agent's program is given them. Pure: agents/task_images reads the files.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace agent_driver {

struct Image {
    std::string path;  // as the task names it
    std::string type;  // "image/png"
    std::string data;  // in Base64
};

// Images may be large, so all who need them share them. Null if there are none.
using Images = std::shared_ptr<const std::vector<Image>>;

// The media type of these bytes, by the first 12 of them; empty if they are no image that models see: PNG,
// JPEG, GIF or WebP.
std::string_view image_type(std::string_view bytes);

// The images as text: for each, its type and its data, with the texts around them.
std::string each_of(const Images& images, std::string_view before_type, std::string_view before_data,
                    std::string_view end);

// What a model is told beside its images: their paths, in their order. Empty if there are none.
std::string images_note(const Images& images);

}  // namespace agent_driver
