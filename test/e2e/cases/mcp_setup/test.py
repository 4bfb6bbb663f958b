"""`troupe mcp --setup` and `barnum mcp --setup`: what is printed for each client, and what is put into its file. The hint
of a server on a terminal."""

import json
import shlex
import tomllib

from harness import Case
from harness.terminal import Terminal

FILES = {"claude": ".mcp.json", "gemini": "../.gemini/settings.json", "cursor": ".cursor/mcp.json", "vscode": ".vscode/mcp.json"}


class SetupCase(Case):
    def set_up(self, client, *options, program="troupe", **how):
        return self.run_program(program, "mcp", "--setup", client, *options, **how)

    def write(self, *args, **how):
        result = self.set_up(*args, "--write", **how)
        self.assert_exit(result, 0)
        return result.out

    def refuse(self, *args, **how):
        result = self.set_up(*args, "--write", **how)
        self.assert_exit(result, 1)
        return result.err


class Json(SetupCase):
    def test_what_is_written_starts_the_server_and_is_never_written_twice(self):
        for client, name in FILES.items():
            with self.subTest(client=client):
                file = self.work / name
                file.parent.mkdir(exist_ok=True)
                file.write_text('{\n  "mine": 1\n}\n')
                self.assertIn('"--name", "me"', self.write(client, "--name", "me"))
                content = json.loads(file.read_text())
                self.assertEqual(content["mine"], 1)
                server = content["servers" if client == "vscode" else "mcpServers"]["troupe"]
                ended = self.run_program(server["command"], *server["args"], env={"TROUPE_ROOT": "/nowhere"})
                self.assert_exit(ended, 0)
                before = file.read_bytes()
                self.assertIn("has it already", self.write(client, "--name", "me"))
                self.assertIn('has another server "troupe" already', self.refuse(client))
                self.assertEqual(file.read_bytes(), before)

    def test_those_that_are_set_up_at_the_same_time_are_all_there(self):
        for client, name in (("gemini", "../.gemini/settings.json"), ("codex", "../.codex/config.toml")):
            with self.subTest(client=client):
                pools = [f"p{number}" for number in range(8)]
                all_at_once = [self.start("troupe", "mcp", "--pool", pool, "--setup", client, "--write") for pool in pools]
                for process in all_at_once:
                    self.assert_exit(process.result(), 0)
                text = (self.work / name).read_text()
                servers = json.loads(text)["mcpServers"] if client == "gemini" else tomllib.loads(text)["mcp_servers"]
                self.assertEqual(set(servers), {f"troupe-{pool}" for pool in pools})

    def test_the_difference_is_shown_in_whole_lines(self):
        (self.work / ".mcp.json").write_text('{\n  "mcpServers": {\n    "b": {}\n  }\n}\n')
        shown = self.write("claude").splitlines()
        self.assertEqual(shown[0], f"{self.work.resolve()}/.mcp.json:")
        self.assertEqual([line for line in shown if line.startswith("-")], [])
        added = "\n".join(line[1:] for line in shown[2:] if line.startswith("+"))
        self.assertEqual(list(json.loads("{" + added.rstrip(",") + "}")), ["troupe"])
        self.assertIn('     "b": {}', shown)

    def test_a_project_file_is_for_all_and_one_at_home_for_its_owner(self):
        for client, umask, name, mode in (("claude", 0o022, ".mcp.json", 0o644), ("vscode", 0o077, ".vscode/mcp.json", 0o600),
                                          ("codex", 0o022, "../.codex/config.toml", 0o600),
                                          ("gemini", 0o022, "../.gemini/settings.json", 0o600)):
            with self.subTest(client=client):
                self.write(client, umask=umask)
                self.assertEqual((self.work / name).stat().st_mode & 0o777, mode)
        (self.work / ".mcp.json").chmod(0o640)
        self.write("claude", "--pool", "b")
        self.assertEqual((self.work / ".mcp.json").stat().st_mode & 0o777, 0o640)

    def test_links_are_followed_and_one_to_nothing_is_left_alone(self):
        link = self.work / ".mcp.json"
        link.symlink_to("other.json")
        self.assertIn("it is a link to other.json, and that file cannot be found", self.refuse("claude"))
        self.assertTrue(link.is_symlink())
        (self.work / "other.json").write_text("{}")
        self.write("claude")
        self.assertTrue(link.is_symlink())
        self.assertIn("troupe", json.loads((self.work / "other.json").read_text())["mcpServers"])


class Codex(SetupCase):
    def test_the_file_is_at_home_or_where_its_variable_says(self):
        self.write("codex")
        self.assertIn("[mcp_servers.troupe]", (self.home / ".codex/config.toml").read_text())
        shown = self.write("codex", "--pool", "b", env={"CODEX_HOME": self.work / "codex"})
        self.assertIn("tool_timeout_sec = 60", (self.work / "codex/config.toml").read_text())
        self.assertIn("[mcp_servers.troupe-b]", shown)

    def test_what_is_in_the_file_stays_byte_for_byte(self):
        file = self.home / ".codex/config.toml"
        file.parent.mkdir()
        before = 'model = "m"\r\n# [mcp_servers.troupe]\nx = """\n[mcp_servers.troupe]\n"""\n[mcp_servers."a b"]\ncommand = \'c\''
        file.write_bytes(before.encode())
        self.write("codex")
        after = file.read_bytes()
        self.assertTrue(after.startswith(before.encode()))
        value, old = tomllib.loads(after.decode()), tomllib.loads(before)
        self.assertEqual(value["mcp_servers"].pop("troupe")["args"][:2], ["mcp", "--root"])
        self.assertEqual(value, old)
        self.assertIn("has it already", self.write("codex"))

    def test_a_file_to_which_nothing_can_be_added_stays_as_it_is(self):
        file = self.home / ".codex/config.toml"
        file.parent.mkdir()
        for text, message in (('[mcp_servers."troupe"]\ncommand = "x"\n', 'has another server "troupe" already'),
                              ('[ "mcp_servers" . troupe ]\n', 'has another server "troupe" already'),
                              ('[mcp_servers]\ntroupe.command = "x"\n', 'has another server "troupe" already'),
                              ('mcp_servers = { a = { command = "x" } }\n', "add to mcp_servers by hand:\n  troupe = { command ="),
                              ("a = 1\nmodel = \n", "config.toml: line 2, column 1: this is not valid TOML"),
                              ("[[[\n", "config.toml: line 1, column 1: this is not valid TOML")):
            with self.subTest(text=text):
                file.write_text(text)
                self.assertIn(message, self.refuse("codex"))
                self.assertEqual(file.read_text(), text)


class Barnum(SetupCase):
    def arguments(self, *options, **how):
        return json.loads(self.set_up("json", *options, program="barnum", **how).out)["mcpServers"]["barnum"]["args"]

    def test_its_pools_are_where_they_are_here(self):
        here = ["--allow-dir", str(self.work.resolve())]
        self.assertEqual(self.arguments(), ["mcp", "--root", str(self.root), *here])
        self.assertEqual(self.arguments("--root", "pools"), ["mcp", "--root", f"{self.work.resolve()}/pools", *here])

    def test_the_directories_are_written_down(self):
        self.write("gemini", "--allow-dir", ".", "--allow-answers", program="barnum")
        server = json.loads((self.home / ".gemini/settings.json").read_text())["mcpServers"]["barnum"]
        self.assertEqual(server["args"][3:], ["--allow-answers", "--allow-dir", str(self.work.resolve())])
        self.assertIn("has it already", self.write("gemini", "--allow-answers", program="barnum"))

    def test_a_server_for_all_projects_is_not_bound_to_this_directory(self):
        def for_all(*options):
            shown = self.set_up("claude", *options, program="barnum").out
            line, = [line for line in shown.splitlines() if "--scope user" in line]
            return shlex.split(line)
        self.assertEqual(for_all()[-2:], ["--root", str(self.root)])
        self.assertEqual(for_all("--allow-dir", "/")[-2:], ["--allow-dir", "/"])


class Terminals(SetupCase):
    def test_a_person_who_starts_a_server_is_told_what_it_is(self):
        for program in ("troupe", "barnum"):
            with self.subTest(program=program):
                terminal = Terminal(self, columns=200)
                try:
                    terminal.type(f"{program} mcp")
                    terminal.wait_for(f"`{program} mcp --setup CLIENT`")
                finally:
                    terminal.close()
                self.assertEqual(self.run_program(program, "mcp").err, "")
