"""The arrows between the rooms of libs/: what each may include, and which stay clear of Asio. The length of files."""

import re
import unittest

from harness.environment import SOURCE_DIR

# What each room may include besides itself.
ROOMS = {
    "base": set(),
    "version": set(),
    "json": {"base"},
    "cli": {"base", "json"},
    "terminal": {"base"},
    "progress": {"base", "json", "terminal"},
    "json_schema": {"base", "json"},
    "agent_driver": {"base", "json", "terminal"},
    "output": {"base", "json", "terminal"},
    "config": {"base", "json", "json_schema", "agent_driver"},
    "workflow": {"base", "json", "config", "pool_protocol"},
    "io": {"base", "json"},
    "screen": {"base", "terminal", "io"},
    "process": {"base", "io"},
    "pool": {"base"},
    "edge": {"base"},
    "pool_protocol": {"base", "json"},
    "edge_shell": {"base", "json", "edge", "pool_protocol", "io"},
    "pool_daemon": {"base", "json", "pool", "edge", "edge_shell", "pool_protocol", "io"},
    "pool_client": {"base", "json", "pool_protocol", "io"},
    "agents": {"base", "json", "json_schema", "agent_driver", "output", "pool_protocol", "pool_client", "io", "process"},
    "metrics": {"base"},
    "pool_view": {"base", "metrics", "pool_protocol", "terminal"},
    "http": {"base", "io"},
    "tls": {"base", "io", "http"},
    "web": {"base", "io", "http"},
    "mcp": {"base", "cli", "json", "terminal", "io"},
    "nats": {"base", "json", "io", "tls"},
    "nats_engine": {"base", "json", "edge", "edge_shell", "io", "nats", "terminal"},
    "statelog": {"base", "json", "config", "workflow", "pool_protocol", "io"},
    "reuse": {"base", "json", "json_schema", "config", "workflow", "statelog", "io"},
    "inspect": {"base", "json", "config", "terminal", "workflow", "statelog", "pool_protocol", "io"},
    "trace": {"base", "json", "json_schema", "config", "workflow", "statelog", "pool_protocol"},
    "serve": {"base", "json", "json_schema", "config", "workflow", "statelog", "metrics", "trace", "runs", "output", "pool_protocol"},
    "runs": {"base", "json", "terminal", "config", "workflow", "statelog", "pool_protocol", "io"},
    "samples": {"base", "json", "json_schema", "config"},
    "launch": {"base", "version", "json", "json_schema", "agent_driver", "output", "config", "workflow", "terminal", "progress", "statelog", "reuse", "runs", "samples", "pool_protocol", "io", "pool_client"},
    "kept_output": {"base", "json", "terminal", "output", "statelog", "inspect", "io"},
    "displays": {"base", "json", "config", "output", "progress", "terminal", "workflow", "pool_protocol", "runs", "io", "screen", "runner"},
    "people": {"base", "json", "json_schema", "config", "terminal", "workflow", "statelog", "inspect", "runs", "samples", "launch", "io", "screen"},
    "live_run": {"base", "version", "json", "agent_driver", "output", "config", "progress", "terminal", "workflow", "pool_protocol", "pool", "statelog", "inspect", "runs", "launch", "displays", "io", "process", "agents", "pool_client", "pool_daemon", "runner"},
    "removal": {"base", "json", "terminal", "pool_protocol", "statelog", "runs", "pool_daemon", "live_run"},
    "listings": {"base", "json", "config", "terminal", "inspect", "runs", "people", "io"},
    "candidates": {"base", "json", "cli", "config", "statelog", "inspect", "runs", "people", "pool_client"},
    "serve_shell": {"base", "version", "json", "http", "web", "trace", "runs", "serve", "statelog", "output", "kept_output", "metrics", "pool_view", "pool_protocol", "pool_client", "io", "process"},
    "run_tools": {"base", "version", "json", "config", "terminal", "mcp", "trace", "runs", "serve", "serve_shell", "statelog", "pool_protocol", "pool_client", "io", "process"},
    "report": {"base", "version", "json", "statelog", "trace", "runs", "output", "kept_output", "web", "io"},
    "pool_tools": {"base", "version", "json", "json_schema", "mcp", "pool_protocol", "pool_client", "agents", "io"},
    "runner": {"base", "json", "output", "config", "workflow", "statelog", "pool_protocol", "pool_client", "io", "process"},
}
PURE = {"base", "json", "terminal", "progress", "json_schema", "agent_driver", "output", "config", "workflow", "pool", "edge", "pool_protocol", "metrics", "pool_view", "web"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
ASIO = ("boost/asio", "boost/process")
# The files of libs/nats that do I/O; all others are pure.
NATS_SHELL = re.compile(r"libs/nats/(client\w*|connection|credentials|jetstream\w*)\.")
SYSTEM = ("sys/", "unistd.h", "fcntl.h", "poll.h", "signal.h", "thread", "fstream", "filesystem")

# The most lines that a file may have. A test's file may be longer: its cases are independent of each other and share the
# helpers at the top.
LONGEST = {"libs": 300, "apps": 300, "test": 420}


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in (".hpp", ".cpp", ".ipp", ".h"))


def includes(only_quoted=False):
    """(file, room, included path) of every include below libs/."""
    libs = SOURCE_DIR / "libs"
    for path in sources(libs):
        room = path.relative_to(libs).parts[0]
        for bracket, included in INCLUDE.findall(path.read_text()):
            if not only_quoted or bracket == '"':
                yield str(path.relative_to(SOURCE_DIR)), room, included


def circle(graph):
    """The files of a circle in a graph of names, in their order; None if there is none."""
    done, path = set(), []

    def visit(name):
        if name in path:
            return path[path.index(name):] + [name]
        if name in done:
            return None
        path.append(name)
        found = next((way for used in sorted(graph.get(name, ())) if (way := visit(used))), None)
        path.pop()
        done.add(name)
        return found

    return next((way for name in sorted(graph) if (way := visit(name))), None)


class Circles(unittest.TestCase):
    """A circle of files cannot be understood, tested or moved part by part."""

    def included_by(self, folder, names):
        """What each file of a folder includes of it: by `names`, which gives a file's name in the graph."""
        graph = {}
        for path in sources(folder):
            used = {names(folder / included) for _, included in INCLUDE.findall(path.read_text()) if (folder / included).is_file()}
            graph.setdefault(names(path), set()).update(used - {names(path)})
        return graph

    def test_headers_include_each_other_in_no_circle(self):
        for folder in ("libs", "apps/barnum", "apps/troupe"):
            self.assertIsNone(circle(self.included_by(SOURCE_DIR / folder, str)))

    def test_in_the_programs_no_two_units_need_each_other(self):
        """A unit is a header and the source of the same name."""
        for folder in ("apps/barnum", "apps/troupe"):
            self.assertIsNone(circle(self.included_by(SOURCE_DIR / folder, lambda path: str(path.with_suffix("")))), folder)

    def test_a_circle_is_found(self):
        self.assertEqual(circle({"a": {"b"}, "b": {"c", "d"}, "c": set(), "d": {"b"}}), ["b", "d", "b"])
        self.assertIsNone(circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}))


class Includes(unittest.TestCase):
    def test_every_folder_of_libs_is_a_known_room(self):
        found = {p.name for p in (SOURCE_DIR / "libs").iterdir() if p.is_dir()}
        self.assertEqual(found - set(ROOMS), set())
        self.assertGreater(len(list(includes())), 50)

    def test_rooms_include_only_what_they_may_use(self):
        wrong = [f"{file} includes {included}" for file, room, included in includes()
                 if "/" in included and (used := included.split("/")[0]) in ROOMS
                 and used != room and used not in ROOMS[room]]
        self.assertEqual(wrong, [])

    def test_our_own_headers_are_included_by_room_and_name(self):
        wrong = [f"{file} includes {included}" for file, _, included in includes(only_quoted=True)
                 if included.split("/")[0] not in ROOMS]
        self.assertEqual(wrong, [])

    def test_pure_rooms_stay_clear_of_asio(self):
        wrong = [f"{file} includes {included}" for file, room, included in includes()
                 if room in PURE and included.startswith(ASIO)]
        self.assertEqual(wrong, [])

    def test_the_state_machines_do_no_io(self):
        wrong = [f"{file} includes {included}" for file, room, included in includes()
                 if room in ("workflow", "pool", "edge", "agent_driver", "output") and included.startswith(SYSTEM)
                 or ("/submit_connection." in file or "libs/mcp/machine" in file
                     or room == "nats" and not NATS_SHELL.match(file)) and included.startswith((*SYSTEM, *ASIO, "io/"))]
        self.assertEqual(wrong, [])

    def test_runner_and_pool_daemon_never_include_each_other(self):
        wrong = [f"{file} includes {included}" for file, room, included in includes()
                 if (room, included.split("/")[0]) in (("runner", "pool_daemon"), ("pool_daemon", "runner"))]
        self.assertEqual(wrong, [])

    def test_links_between_targets_follow_the_same_arrows(self):
        for room, may_use in ROOMS.items():
            cmake = SOURCE_DIR / "libs" / room / "CMakeLists.txt"
            if cmake.exists():
                linked = re.search(r"barnum_library\(\w+(?: LINKS ([^)]*))?\)", cmake.read_text())
                used = set((linked and linked.group(1) or "").split()) & set(ROOMS)
                self.assertLessEqual(used, may_use, cmake)
                if room in PURE:
                    self.assertNotIn("asio_impl", linked and linked.group(1) or "", cmake)

    def test_nothing_in_libs_includes_a_file_of_apps_or_test(self):
        wrong = [f"{file} includes {included}" for file, _, included in includes()
                 if included.startswith(("..", "apps/", "test/"))]
        self.assertEqual(wrong, [])


class Lengths(unittest.TestCase):
    def test_no_file_is_too_long(self):
        lengths = {path.relative_to(SOURCE_DIR): len(path.read_text().splitlines())
                   for folder in LONGEST for path in sources(SOURCE_DIR / folder)}
        self.assertGreater(len(lengths), 500)
        self.assertEqual({str(file): lines for file, lines in lengths.items() if lines > LONGEST[file.parts[0]]}, {})
