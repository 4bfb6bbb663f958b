// The options of `troupe start` and `troupe engine check` that connect a pool with an engine, and so with
// other hosts (docs/hosts.md).
#pragma once

#include "base/error.hpp"
#include "cli/option_table.hpp"
#include "edge_shell/engine.hpp"
#include "edge_shell/finding.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

struct EngineSettings {
    std::string servers;      // "nats://h1:4222,nats://h2"; empty: the pool has one host
    std::string authorities;  // file
    std::string certificate;  // file
    std::string key;          // file
    std::string creds;        // file
    std::string user;
    std::string password_file;
    std::size_t replicas = 1;
    std::chrono::milliseconds lease{30'000};
};

// What the program that can reach engines does with one.
struct EngineAccess {
    // Makes the engine of the pool for the edge `self`.
    std::function<std::unique_ptr<edge_shell::Engine>(boost::asio::any_io_executor executor,
                                                      const std::string& pool, const edge::EdgeId& self)>
        make;
    // Looks whether it is right for the pool. `mends`: changes streams that are not, where the server allows
    // it.
    std::function<boost::asio::awaitable<void>(boost::asio::any_io_executor executor, std::string pool,
                                               bool mends, edge_shell::OnFinding on_finding)>
        check;
};
// Reads the settings; an error says what is wrong with them.
using PrepareEngine = std::function<base::Result<EngineAccess>(const EngineSettings& settings)>;

// --engine, --engine-ca, …
std::vector<cli::Option> engine_options();
// What is not given is taken from the environment: TROUPE_ENGINE, TROUPE_ENGINE_CA, … An error says which of
// them does not fit the others, or is no valid value.
base::Result<EngineSettings> engine_settings(const cli::Options& given);

}  // namespace troupe
