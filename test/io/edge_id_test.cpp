#include "edge_shell/edge_id.hpp"

#include "io_helper.hpp"

#include <filesystem>
#include <sys/stat.h>

using Catch::Matchers::Contains;
using edge_shell::own_edge_id;

namespace {

struct World {
    test::TemporaryDirectory temporary;
    io::Directory pool = *io::Directory::open(temporary.path());
    io::Directory scratch = *io::Directory::make(temporary / "scratch");
    std::string path = pool.path_of(edge_shell::edge_id_name);
};

}  // namespace

TEST_CASE("an edge has the same id after a restart") {
    World world;
    auto made = own_edge_id(world.pool, world.scratch);
    REQUIRE(made.has_value());
    CHECK(edge_shell::is_edge_id(made->text()));
    CHECK(test::content(world.path) == made->text() + "\n");
    struct stat status {};
    REQUIRE(::stat(world.path.c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0600);
    CHECK(*own_edge_id(world.pool, world.scratch) == *made);
    CHECK(std::filesystem::is_empty(world.scratch.path()));
    std::filesystem::remove(world.path);
    CHECK(*own_edge_id(world.pool, world.scratch) != *made);
}

TEST_CASE("a file with an id that was written by hand is taken, with any other content it is refused") {
    World world;
    for (const char* text : {"h1-0123abcd", "h1-0123abcd\n"}) {
        test::write(world.path, text);
        CHECK(own_edge_id(world.pool, world.scratch)->text() == "h1-0123abcd");
    }
    for (const std::string& text :
         {std::string(), std::string("\n"), std::string("a.b\n"), std::string("a\n\n"), std::string(49, 'a'),
          std::string(10'000, 'a'), std::string("\0", 1)}) {
        test::write(world.path, text);
        auto id = own_edge_id(world.pool, world.scratch);
        REQUIRE(id.has_error());
        CHECK_THAT(id.error().message, Contains(world.path) && Contains("remove the file"));
        CHECK(test::content(world.path) == text);
    }
}

TEST_CASE("an id that cannot be read or written is an error") {
    World world;
    std::filesystem::create_symlink("/etc/hostname", world.path);
    CHECK(own_edge_id(world.pool, world.scratch).has_error());
    std::filesystem::remove(world.path);
    std::filesystem::remove(world.scratch.path());
    CHECK(own_edge_id(world.pool, world.scratch).has_error());
    CHECK_FALSE(std::filesystem::exists(world.path));
}
