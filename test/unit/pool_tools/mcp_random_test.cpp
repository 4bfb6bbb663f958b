// What `troupe mcp` decides, under random interleavings of calls, cancellations, withdrawals and ends of
// clients and servers: no task is lost, none is answered twice, no lease is held by nobody, and a client
// learns of what it has.
#include "base/text.hpp"
#include "mcp_model.hpp"
#include "seeds.hpp"

#include <catch2/catch.hpp>

#include <memory>

namespace {

using mcp_model::must;
using workflow_test::Random;

constexpr std::size_t sessions = 3;
constexpr std::size_t operations = 150;

struct Session {
    Session(mcp_model::Pool& pool, Random& random) : server(pool, random), client(server, random) {}

    mcp_model::Server server;
    mcp_model::Client client;
};

class Sequence {
  public:
    explicit Sequence(std::uint32_t seed) : random_(seed) {
        for (auto& session : sessions_)
            begin(session);
    }

    void run() {
        for (std::size_t n = 0; n < operations; ++n) {
            step(*sessions_[random_.below(sessions)]);
            check();
        }
        for (auto& session : sessions_) {
            session->client.settle();
            end(*session);
        }
        pool_.check_nobody_has_one();
    }

  private:
    void begin(std::unique_ptr<Session>& session) { session = std::make_unique<Session>(pool_, random_); }

    void step(Session& session) {
        if (random_.one_in(4)) return client_step(session);
        switch (random_.below(24)) {
            case 0:
                return replace();
            case 1:
                return session.client.settle();
            case 2:
                return session.server.withdraw();
            case 3:
                return session.server.time_out();
            case 4:
            case 5:
            case 6:
                pool_.submit();
                return;
            default:
                return flow(session);
        }
    }

    void client_step(Session& session) {
        mcp_model::Client& client = session.client;
        switch (random_.below(13)) {
            case 0:
                return client.cancel();
            case 1:
                return client.cancel_answered();
            case 2:
                return client.give_back();
            case 3:
                return client.finish(true);
            case 4:
                return client.finish_late(agents_of_others(session));
            case 5:
                return client.give_up();
            case 6:
            case 7:
            case 8:
                return client.finish(false);
            default:
                return client.take();
        }
    }

    // What is under way moves on by a step.
    void flow(Session& session) {
        switch (random_.below(6)) {
            case 0:
                return session.server.carry_out();
            case 1:
                return session.server.assign();
            case 2:
                return session.server.wake();
            case 3:
                return session.client.read();
            default:
                return session.server.read();
        }
    }

    void replace() {
        auto& session = sessions_[random_.below(sessions)];
        end(*session);
        begin(session);
    }

    void end(Session& session) {
        switch (random_.below(3)) {
            case 0:
                session.server.kill();
                break;
            case 1:
                session.server.end(true);
                break;
            default:
                session.server.end(false);
        }
        session.client.check(pool_);
    }

    std::vector<std::string> agents_of_others(const Session& session) const {
        std::vector<std::string> others;
        for (const auto& [agent, lease] : pool_.leases())
            if (lease.server != &session.server) others.push_back(agent);
        return others;
    }

    void check() const {
        std::set<std::size_t> known;
        for (const auto& session : sessions_) {
            session->server.check();
            for (const auto& [agent, task] : session->client.tasks())
                must(known.insert(task).second, base::concat("task ", task, " is with one client"));
        }
    }

    Random random_;
    mcp_model::Pool pool_;
    std::unique_ptr<Session> sessions_[sessions];
};

}  // namespace

TEST_CASE("random calls, cancellations and ends of clients lose no task, and answer none twice") {
    workflow_test::for_each_seed(workflow_test::scaled(10'000, 1'000), {},
                                 [](std::uint32_t seed) { Sequence(seed).run(); });
}
