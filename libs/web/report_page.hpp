// A page in one file, which needs no server: the page itself, around the data of a report. Pure.
#pragma once

#include <string>
#include <string_view>

namespace web {

// The beginning of the document. The data follow: JSON without any '<'.
std::string report_head(std::string_view title);
// The end of the page.
std::string report_tail();

}  // namespace web
