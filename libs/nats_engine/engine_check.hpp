// Looks whether an engine is right for a pool: servers, permissions, limits, streams and queues. Without
// `mends` it changes nothing. What the parts mean is decided in findings and probes.
#pragma once

#include "edge_shell/finding.hpp"
#include "io/task_group.hpp"
#include "nats_engine/names.hpp"
#include "nats_engine/nats_engine.hpp"
#include "nats_engine/streams.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nats_engine {

class EngineCheck {
  public:
    // `mends`: streams that are not as they should be are changed, as far as the server allows it.
    // `on_finding`: is called for each thing that was looked at, in their order.
    EngineCheck(boost::asio::any_io_executor executor, Settings settings, bool mends,
                edge_shell::OnFinding on_finding);
    ~EngineCheck();
    EngineCheck(const EngineCheck&) = delete;
    EngineCheck& operator=(const EngineCheck&) = delete;

    // Once only. Takes some seconds for each server that does not answer. A terminal cancellation ends it,
    // and throws operation_aborted.
    boost::asio::awaitable<void> run();

  private:
    struct Connection;

    boost::asio::awaitable<void> look_at_all();
    boost::asio::awaitable<void> look_at_server(const nats::ServerAddress& address);
    boost::asio::awaitable<void> try_permissions();
    boost::asio::awaitable<void> look_at_account();
    boost::asio::awaitable<void> find(std::optional<nats::StreamInfo>& stream,
                                      const nats::StreamConfig& wanted);
    boost::asio::awaitable<void> mend(std::optional<nats::StreamInfo>& stream, const StreamChange& change);
    boost::asio::awaitable<void> look_at_streams();
    boost::asio::awaitable<void> look_at_queues();
    void found(const edge_shell::Finding& finding) { on_finding_(finding); }

    boost::asio::any_io_executor executor_;
    Settings settings_;
    Names names_;
    bool mends_;
    edge_shell::OnFinding on_finding_;
    io::TaskGroup tasks_;
    std::vector<std::unique_ptr<Connection>> connections_;
    Connection* usable_ = nullptr;  // with JetStream
    std::vector<nats::ServerInfo> servers_;
    std::optional<nats::StreamInfo> queue_;  // empty: it is not there, or cannot be seen
    std::optional<nats::StreamInfo> records_;
    bool can_create_ = true;  // what is missing is missing only because no host was started yet
};

}  // namespace nats_engine
