#include "pool_client/new_id.hpp"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace pool_client {

std::string new_id() {
    static boost::uuids::random_generator generator;
    return boost::uuids::to_string(generator());
}

std::string id_of(std::string_view name) {
    constexpr boost::uuids::uuid space{
        {0x5d, 0x0e, 0x4c, 0x27, 0x8a, 0x3b, 0x4f, 0x61, 0x9c, 0x12, 0x77, 0xd4, 0x06, 0xbe, 0x2a, 0x93}};
    return boost::uuids::to_string(boost::uuids::name_generator_sha1(space)(name.data(), name.size()));
}

}  // namespace pool_client
