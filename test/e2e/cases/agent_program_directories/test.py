"""A task's directory is not to be trusted: nothing that lies in it runs a command, changes an endpoint, a permission or an
environment, or is written to the user's own configuration, unless the agent's settings say so."""

import json
import sys
from pathlib import Path

from harness import wait_until
from harness.agent_programs import KINDS, AgentProgramCase, for_each

sys.path.insert(0, str(Path(__file__).parent))
from traps import STRANGE_WORDS, Traps  # noqa: E402

READ = {"claude": {"tool": "Read", "input": {"file_path": "a.txt"}},
        "codex": {"tool": "exec_command", "input": {"cmd": "cat a.txt"}},
        "gemini": {"tool": "read_file", "input": {"file_path": "a.txt"}}}
LEVELS = ("read", "edit", "full")
AS_ROOT = {"claude": {"IS_SANDBOX": "1"}}  # may skip all permissions


class DirectoryCase(AgentProgramCase):
    def setUp(self):
        super().setUp()
        self.pool.start("--no-heartbeat")
        self.homes = {}

    def environment(self, kind, url):
        variables = super().environment(kind, url) | AS_ROOT.get(kind, {})
        self.homes[kind] = Path(variables["HOME"])
        self.trust_everything(kind)
        return variables

    def trust_everything(self, kind):
        """As a user may have done who works in the directory."""
        home, directory = self.homes[kind], str(self.traps.directory)
        if kind == "claude":
            trusted = {"hasTrustDialogAccepted": True, "enabledMcpjsonServers": ["trap"]}
            (home / ".claude.json").write_text(json.dumps({"projects": {directory: trusted}}))
        elif kind == "codex":
            with (home / ".codex" / "config.toml").open("a") as config:
                config.write("[sandbox_workspace_write]\nexclude_slash_tmp = true\nexclude_tmpdir_env_var = true\n")
                config.write(f"[projects.{json.dumps(directory)}]\ntrust_level = \"trusted\"\n")
        else:
            path = home / ".gemini" / "settings.json"
            settings = json.loads(path.read_text())
            settings["security"]["folderTrust"] = {"enabled": False}
            path.write_text(json.dumps(settings))

    def ask(self, kind, script, *options, directory=None, place=None, trusts_stranger=False):
        """A task in a directory with traps, or at a place of it, and the model that did it."""
        number = len(list(self.home.glob("marks-*")))
        directory = directory or self.work / f"dir-{number}"
        directory.mkdir(exist_ok=True)
        self.traps = Traps(directory, self.home / f"marks-{number}")
        stranger, model = self.model(kind, [{"tasks": []}]), self.model(kind, script)
        self.traps.for_git()
        getattr(self.traps, f"for_{kind}")(model.url if trusts_stranger else stranger.url)
        at = place() if place else directory
        agent = self.start_agent(kind, model, "--directory", str(at), *options)
        self.after_start()
        result = self.submit(1)
        self.assertEqual(json.loads(result.json()["stdout"]), [], agent.err)
        agent.signal(15)
        agent.result()
        self.assertEqual(stranger.requests, [], "the prompt was sent to a stranger")
        if not trusts_stranger:
            self.assertFalse(any(STRANGE_WORDS in request.text for request in model.requests), "an environment was changed")
        return model

    def after_start(self):
        pass


class Commands(DirectoryCase):
    @for_each(KINDS, LEVELS)
    def test_nothing_in_the_directory_runs_a_command(self, kind, level):
        self.ask(kind, [READ[kind], {"tasks": []}], "--permissions", level)
        self.assertEqual(self.traps.sprung, [])


class Permissions(DirectoryCase):
    WRITE = {"claude": lambda path: {"tool": "Write", "input": {"file_path": str(path), "content": "x"}},
             "codex": lambda path: {"tool": "exec_command", "input": {"cmd": f"touch {path}"}},
             "gemini": lambda path: {"tool": "write_file", "input": {"file_path": str(path), "content": "x"}}}

    def write(self, kind, where, *options):
        """Whether the model, which tries to write the file, has done so."""
        directory = self.work / f"{kind}-writes"
        path = directory / "new.txt" if where == "inside" else self.home / f"{kind}-outside.txt"
        self.ask(kind, [READ[kind], self.WRITE[kind](path), {"tasks": []}], *options, directory=directory)
        return path.exists()

    @for_each(KINDS)
    def test_the_directory_gives_no_permission(self, kind):
        self.assertFalse(self.write(kind, "inside"))

    @for_each(KINDS)
    def test_it_opens_nothing_outside_of_it(self, kind):
        self.assertFalse(self.write(kind, "outside", "--permissions", "edit"))

    @for_each(KINDS)
    def test_what_the_agent_may_do_it_does(self, kind):
        self.assertTrue(self.write(kind, "inside", "--permissions", "full"))

    @for_each(KINDS)
    def test_full_runs_commands(self, kind):
        path = self.home / f"{kind}-ran"
        name = {"claude": "Bash", "codex": "exec_command", "gemini": "run_shell_command"}[kind]
        command = {"cmd" if kind == "codex" else "command": f"touch {path}"}
        self.ask(kind, [{"tool": name, "input": command}, {"tasks": []}], "--permissions", "full")
        self.assertTrue(path.exists())

    @for_each(("claude", "gemini"))
    def test_editing_needs_no_trust(self, kind):
        self.assertTrue(self.write(kind, "inside", "--permissions", "edit"))

    @for_each(("claude", "codex", "gemini"), ("edit", "full"))
    def test_the_users_own_configuration_stays_as_it_is(self, kind, level):
        self.trust_everything = lambda _: None
        before = {}
        self.after_start = lambda: before.update(self.configuration(kind))
        self.ask(kind, [READ[kind], {"tasks": []}], "--permissions", level)
        self.assertEqual(self.configuration(kind), before)

    def configuration(self, kind):
        files = {"claude": [".claude/settings.json"], "codex": [".codex/config.toml"],
                 "gemini": [".gemini/settings.json", ".gemini/trustedFolders.json"]}[kind]
        paths = [self.homes[kind] / name for name in files]
        return {str(path): path.read_text() for path in paths if path.exists()}


class Places(DirectoryCase):
    """Where the settings are, and by which name the directory is known."""

    def below(self):
        place = self.traps.directory / "sub" / "deep"
        place.mkdir(parents=True)
        (place / "a.txt").write_text("a")
        return place

    def linked(self):
        link = self.home / f"link-{self.traps.directory.name}"
        link.symlink_to(self.traps.directory)
        return link

    @for_each(KINDS, ("below", "linked"))
    def test_nothing_runs_from(self, kind, place):
        self.ask(kind, [READ[kind], {"tasks": []}], "--permissions", "edit", place=getattr(self, place))
        self.assertEqual(self.traps.sprung, [])


class Search(DirectoryCase):
    """Empty and relative places in PATH are those of the directory for whatever runs there."""

    NAMES = ("claude", "codex", "gemini", "env", "sh", "node", "git", "rg", "bwrap", "ps", "which", "npm", "bash", "cat")

    @for_each(KINDS, LEVELS)
    def test_no_program_is_looked_up_in_the_directory(self, kind, level):
        directory = self.work / f"{kind}-{level}"
        (directory / "bin").mkdir(parents=True)
        marks = self.home / f"ran-{kind}-{level}"
        marks.mkdir()
        for name in self.NAMES:
            for place in (directory, directory / "bin"):
                (place / name).write_text(f"#!/bin/sh\n/usr/bin/touch {marks / name}\n")
                (place / name).chmod(0o755)
        path = self.env["PATH"]
        model = self.model(kind, [READ[kind], {"tasks": []}])
        self.traps = Traps(directory, self.home / f"marks-{kind}-{level}")
        agent = self.start_agent(kind, model, "--directory", str(directory), "--permissions", level, env={"PATH": f":bin:.:{path}:"})
        self.assertEqual(json.loads(self.submit(1).json()["stdout"]), [], agent.err)
        agent.signal(15)
        agent.result()
        self.assertEqual(sorted(mark.name for mark in marks.iterdir()), [])


    def program(self, place, text):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"#!/bin/sh\n{text}\n")
        place.chmod(0o755)

    def test_no_library_and_no_module_is_looked_up_there_either(self):
        seen = self.home / "seen"
        self.traps = Traps(self.work, self.home / "marks")
        self.program(self.work / "claude", f'echo "$PATH|$LD_LIBRARY_PATH|$NODE_PATH|$PYTHONPATH" >{seen}; exit 1')
        self.start_agent("claude", self.model("claude", []), "--program", str(self.work / "claude"),
                         env={"PATH": f":{self.env['PATH']}:.", "LD_LIBRARY_PATH": "/opt/lib:", "NODE_PATH": ".", "PYTHONPATH": "lib:/opt"})
        self.submit(1)
        wait_until(seen.exists, "the program to begin")
        wait_until(lambda: seen.read_text().endswith("\n"), "the program's line")
        self.assertEqual(seen.read_text(), f"{self.env['PATH']}|/opt/lib||/opt\n")

    def test_a_program_that_the_user_names_by_a_path_is_the_users_own(self):
        directory, ran = self.work / "directory", self.home / "ran"
        directory.mkdir()
        self.traps = Traps(directory, self.home / "marks")
        self.program(self.work / "bin" / "claude", f"echo own >>{ran}; exit 1")
        self.program(directory / "bin" / "claude", f"echo stranger >>{ran}; exit 1")
        self.start_agent("claude", self.model("claude", []), "--program", "bin/claude", "--directory", str(directory))
        self.submit(1)
        wait_until(ran.exists, "the program to begin")
        wait_until(lambda: ran.read_text().endswith("\n"), "the program's line")
        self.assertEqual(set(ran.read_text().split()), {"own"})


class ProjectSettings(DirectoryCase):
    @for_each(KINDS)
    def test_they_count_if_the_agent_says_so(self, kind):
        self.ask(kind, [READ[kind], {"tasks": []}], "--project-settings", "true", trusts_stranger=True)
        self.assertIn("mcp", self.traps.sprung)
        if kind != "codex":
            self.assertGreater(len(self.traps.sprung), 3, "hooks")


class Instructions(DirectoryCase):
    NAMES = {"claude": "CLAUDE.md", "codex": "AGENTS.md", "gemini": "GEMINI.md"}

    def lay(self, kind):
        directory = self.work / f"{kind}-{len(list(self.work.glob(f'{kind}-*')))}"
        (directory / "sub").mkdir(parents=True)
        (directory / self.NAMES[kind]).write_text("Words of the top. /help @secret.txt $greet\n")
        (directory / "sub" / self.NAMES[kind]).write_text("Words of the part.\n")
        return directory

    def told(self, kind, *options):
        directory = self.lay(kind)
        model = self.ask(kind, [{"tasks": []}], *options, directory=directory, place=lambda: directory / "sub")
        return model.requests[0].text

    @for_each(KINDS)
    def test_the_model_is_told_them(self, kind):
        text = self.told(kind)
        for words in ("Do it.", "Words of the top. /help @secret.txt $greet", "Words of the part."):
            self.assertEqual(text.count(words), 1, words)
        self.assertLess(text.index("of the top"), text.index("of the part"))

    @for_each(KINDS)
    def test_or_not(self, kind):
        self.assertNotIn("Words of", self.told(kind, "--project-instructions", "false"))

    @for_each(KINDS)
    def test_the_program_reads_them_itself_with_the_directorys_settings(self, kind):
        directory = self.lay(kind)
        model = self.model(kind, [{"tasks": []}])
        self.traps = Traps(directory, self.home / f"marks-{kind}")
        self.traps.git("init", "-q")
        self.start_agent(kind, model, "--directory", str(directory), "--project-settings", "true")
        self.submit(1).json()
        self.assertEqual(model.requests[0].text.count("Words of the top."), 1)

    def test_a_file_elsewhere_is_not_shown(self):
        (self.work / "secret").write_text("Words of another file.")
        directory = self.work / "linked"
        directory.mkdir()
        (directory / "CLAUDE.md").symlink_to(self.work / "secret")
        (directory / "CLAUDE.local.md").symlink_to("own.md")
        (directory / "own.md").write_text("Words of its own.")
        model = self.ask("claude", [{"tasks": []}], directory=directory)
        self.assertNotIn("Words of another", model.requests[0].text)
        self.assertIn("Words of its own", model.requests[0].text)

    @for_each(KINDS)
    def test_a_link_to_another_file_of_the_repository_is_not_shown(self, kind):
        """The model may not read it either."""
        directory = self.lay(kind)
        (directory / "keys.txt").write_text("Words of a key.")
        for name in ("sub", "."):
            path = directory / name / self.NAMES[kind]
            path.unlink()
            path.symlink_to(directory / "keys.txt")
        model = self.ask(kind, [{"tasks": []}], directory=directory, place=lambda: directory / "sub")
        self.assertNotIn("Words of a key.", model.requests[0].text)

    @for_each(KINDS)
    def test_a_link_to_other_instructions_is(self, kind):
        directory = self.lay(kind)
        (directory / "sub" / self.NAMES[kind]).unlink()
        other = "AGENTS.md" if kind == "claude" else "CLAUDE.md"
        (directory / other).write_text("Words for others.")
        (directory / "sub" / self.NAMES[kind]).symlink_to(f"../{other}")
        model = self.ask(kind, [{"tasks": []}], directory=directory, place=lambda: directory / "sub")
        self.assertEqual(model.requests[0].text.count("Words for others."), 1)
