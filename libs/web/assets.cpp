#include "web/assets.hpp"

#include "base/embed.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

BASE_EMBED(barnum_web_index, BARNUM_WEB_BUNDLE "/index.html");
BASE_EMBED(barnum_web_index_gz, BARNUM_WEB_BUNDLE "/index.html.gz");
BASE_EMBED(barnum_web_script, BARNUM_WEB_BUNDLE "/app.js");
BASE_EMBED(barnum_web_script_gz, BARNUM_WEB_BUNDLE "/app.js.gz");
BASE_EMBED(barnum_web_style, BARNUM_WEB_BUNDLE "/app.css");
BASE_EMBED(barnum_web_style_gz, BARNUM_WEB_BUNDLE "/app.css.gz");
BASE_EMBED(barnum_web_icon, BARNUM_WEB_BUNDLE "/icon.svg");
BASE_EMBED(barnum_web_icon_gz, BARNUM_WEB_BUNDLE "/icon.svg.gz");
BASE_EMBED(barnum_web_report_csp, BARNUM_WEB_BUNDLE "/report.csp");

namespace web {

std::span<const Asset> assets() {
    static const std::array<Asset, 4> all{{
        {"/", "text/html; charset=utf-8", BASE_EMBEDDED(barnum_web_index),
         BASE_EMBEDDED(barnum_web_index_gz)},
        {"/app.js", "text/javascript; charset=utf-8", BASE_EMBEDDED(barnum_web_script),
         BASE_EMBEDDED(barnum_web_script_gz)},
        {"/app.css", "text/css; charset=utf-8", BASE_EMBEDDED(barnum_web_style),
         BASE_EMBEDDED(barnum_web_style_gz)},
        {"/icon.svg", "image/svg+xml", BASE_EMBEDDED(barnum_web_icon), BASE_EMBEDDED(barnum_web_icon_gz)},
    }};
    return all;
}

const Asset* find_asset(std::string_view path) {
    auto found = std::ranges::find(assets(), path, &Asset::path);
    return found == assets().end() ? nullptr : &*found;
}

std::string_view report_policy() {
    return BASE_EMBEDDED(barnum_web_report_csp);
}

}  // namespace web
