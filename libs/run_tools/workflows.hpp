// The tools of `barnum mcp` that take a config: checking, planning, drawing, and starting a run of it.
#pragma once

#include "config/load.hpp"
#include "mcp/arguments.hpp"
#include "mcp/call.hpp"
#include "run_tools/allowed.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace run_tools {

// To be used from one thread only.
class McpWorkflows {
  public:
    // `options`: of every command that is run.
    McpWorkflows(AllowedDirectories allowed, std::vector<std::string> options)
        : allowed_(std::move(allowed)), options_(std::move(options)) {}

    // `given`: the arguments, as the text of an object.
    mcp::Outcome validate(const std::string& given) const;
    boost::asio::awaitable<mcp::Outcome> dry_run(std::string given) const;
    boost::asio::awaitable<mcp::Outcome> draw(std::string given);
    boost::asio::awaitable<mcp::Outcome> start(std::string given) const;

    // The last drawings, as resources.
    const std::deque<mcp::ResourceText>& drawings() const { return drawings_; }

  private:
    // A config as an argument of a command, which has no mistakes; or what to answer instead.
    struct Checked {
        std::string argument;
        config::LoadResult loaded = {};
        std::optional<mcp::Outcome> refusal = {};
    };
    Checked check(mcp::Arguments& arguments, bool must_be_file) const;
    std::string keep_drawing(std::string_view name, std::string mime_type, std::string text);

    AllowedDirectories allowed_;
    std::vector<std::string> options_;
    std::deque<mcp::ResourceText> drawings_;
    std::size_t drawn_ = 0;  // how many
};

// The options of `barnum run` that these arguments stand for. Notes mistakes. Pure.
std::vector<std::string> mcp_run_options(mcp::Arguments& arguments);

}  // namespace run_tools
