#include "cli/command_line.hpp"
#include "io/as_user.hpp"
#include "io/standard_streams.hpp"
#include "nats/server_address.hpp"
#include "nats_engine/engine_check.hpp"
#include "nats_engine/nats_engine.hpp"
#include "program.hpp"
#include "version/program_version.hpp"

namespace {

boost::asio::awaitable<void> check(std::shared_ptr<nats_engine::EngineCheck> engine) {
    co_await engine->run();
}

base::Result<troupe::EngineAccess> prepare_engine(const troupe::EngineSettings& settings) {
    auto servers = nats::parse_server_addresses(settings.servers);
    if (servers.has_error()) return base::with_context("--engine", servers.error());
    nats_engine::Settings engine;
    engine.servers = std::move(*servers);
    engine.files.credentials = {settings.user, settings.password_file, settings.creds};
    engine.files.tls = {settings.authorities, {settings.certificate, settings.key}};
    engine.replicas = static_cast<int>(settings.replicas);
    engine.times = edge::times_for(settings.lease);
    engine.version = version::program_version;
    auto of_pool = [engine](const std::string& pool, const edge::EdgeId& self) {
        nats_engine::Settings with_pool = engine;
        with_pool.pool = pool;
        with_pool.self = self;
        return with_pool;
    };
    troupe::EngineAccess access;
    access.make = [of_pool](boost::asio::any_io_executor executor, const std::string& pool,
                            const edge::EdgeId& self) {
        return nats_engine::make(std::move(executor), of_pool(pool, self));
    };
    access.check = [of_pool](boost::asio::any_io_executor executor, const std::string& pool, bool mends,
                             edge_shell::OnFinding on_finding) {
        return check(std::make_shared<nats_engine::EngineCheck>(std::move(executor), of_pool(pool, "check"),
                                                                mends, std::move(on_finding)));
    };
    return access;
}

}  // namespace

int main(int argc, char** argv) {
    io::open_missing_streams();
    io::take_over_limits();
    return cli::run(*troupe::program(prepare_engine), argc, argv);
}
