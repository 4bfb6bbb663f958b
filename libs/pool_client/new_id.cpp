#include "pool_client/new_id.hpp"

#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace pool_client {

std::string new_id() {
    static boost::uuids::random_generator generator;
    return boost::uuids::to_string(generator());
}

}  // namespace pool_client
