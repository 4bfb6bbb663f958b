"""Completion by Tab: what the programs offer for a line, and what bash, zsh and fish make of it."""

import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

from harness import DEADLINE, require, wait_until
from harness.terminal import Terminal, TerminalCase
from harness.workflow import command, pool, step

SHELLS = ("bash", "zsh", "fish")
STARTS = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"],
          "fish": ["fish", "--no-config", "-i"]}
LOADS = {"bash": "source <({0} completion bash)",
         "zsh": "source <({0} completion zsh)",
         "fish": "{0} completion fish | source"}
CHOICES = {"--progress": "auto tty plain json none", "--color": "auto always never", "--fsync": "always interval never",
           "--log-level": "off error warn info debug trace", "--log-format": "auto text json"}


class ShellCase(TerminalCase):
    def setUp(self):
        super().setUp()
        self.env["HOME"] = str(self.home)
        self.env["TERM"] = "screen-256color"

    def offered(self, program, *words, shell="bash", env=None):
        """The kind of completion and {candidate: description}, asked of the program itself."""
        result = self.run_program(program, "__complete", shell, "--", *words, env=env)
        self.assert_exit(result, 0)
        self.assertEqual(result.err, "")
        kind, *lines = result.out.splitlines()
        return kind, dict(line.split("\t") for line in lines)

    def words(self, program, *words, **how):
        return list(self.offered(program, *words, **how)[1])

    def make_pool(self, root, name):
        (root / "pools" / name).mkdir(parents=True, mode=0o700)


class Offered(ShellCase):
    """Without a shell."""

    def commands_of(self, program, *path):
        """Each command with a path of names, found by --help."""
        help_text = self.run_program(program, *path, "--help").out
        if "\nCommands:\n" not in help_text:
            yield path, help_text
            return
        listed = help_text.split("\nCommands:\n")[1].split("\n\n")[0]
        for name in re.findall(r"^  (\S+) ", listed, re.MULTILINE):
            self.assertIn(name, self.words(program, *path, ""))
            yield from self.commands_of(program, *path, name)

    def test_every_flag_of_every_commands_help_is_offered(self):
        for program in ("barnum", "troupe"):
            seen = 0
            for path, help_text in self.commands_of(program):
                flags = set(re.findall(r"^  (?:-\w \[ )?(--[a-z-]+)", help_text, re.MULTILINE))
                self.assertEqual(set(self.words(program, *path, "--")), flags, path)
                seen += len(flags)
            self.assertGreater(seen, 40)

    def test_every_choice_that_is_offered_is_taken_and_named_in_the_help(self):
        help_text = " ".join(self.run_program("barnum", "run", "--help").out.split())
        for option, choices in CHOICES.items():
            self.assertEqual(self.words("barnum", "run", option, ""), choices.split())
            for choice in choices.split():
                self.assertRegex(help_text, rf"{option}\b.*\b{choice}\b")
                result = self.run_program("barnum", "run", option, choice)
                self.assertIn("--config is missing", result.err)  # the next thing that is wrong
            result = self.run_program("barnum", "run", option, "x")
            self.assert_exit(result, 2)
            self.assertIn(f"{option} must be \"{choices.split()[0]}\"", result.err)
        self.assertEqual(self.words("barnum", "config", "graph", "--format", ""), ["dot", "mermaid", "svg"])
        self.assertEqual(self.words("troupe", "submit_task", "--notify", ""), ["socket", "file"])

    def test_pools_are_those_of_the_root_on_the_line_or_of_the_environment(self):
        self.make_pool(self.root, "reviews")
        other = self.home / "other root"
        self.make_pool(other, "quiet")
        for program, name in (("troupe", "agent"), ("barnum", "run")):
            self.assertEqual(self.words(program, name, "--pool", "", env={"TROUPE_ROOT": self.root}), ["reviews"])
            for root in (["--root", f"'{other}'"], [f"--root={other}".replace(" ", "\\ ")]):
                self.assertEqual(self.words(program, *root, name, "--pool", ""), ["quiet"])
            self.assertEqual(self.words(program, name, "--root", self.home / "none", "--pool", ""), [])
        self.assertEqual(self.words("troupe", "agent", "--root", "~/'other root'", "--pool", ""), ["quiet"])

    def test_a_pool_is_said_to_run_or_not_even_if_its_daemon_sleeps_for_good(self):
        self.make_pool(self.root, "old")
        daemon = self.start("troupe", "start", "--root", self.root, "--pool", "new")
        wait_until((self.root / "pools/new/status").exists, "the pool")
        pools = {"new": "running", "old": "stopped"}
        self.assertEqual(self.offered("troupe", "agent", "--root", self.root, "--pool", "")[1], pools)
        os.kill(daemon.pid, signal.SIGSTOP)
        try:
            self.assertEqual(self.offered("troupe", "agent", "--root", self.root, "--pool", "")[1], pools)
            sockets = [line for line in Path("/proc/net/unix").read_text().splitlines()
                       if line.endswith(f" {self.root}/pools/new/daemon.sock")]
            self.assertEqual(len(sockets), 1, "the daemon's own, and none of who has asked it and gave up")
        finally:
            os.kill(daemon.pid, signal.SIGCONT)

    def test_only_pools_that_run_are_offered_to_who_asks_or_ends_their_daemon(self):
        self.make_pool(self.root, "old")
        self.start("troupe", "start", "--root", self.root, "--pool", "new")
        wait_until((self.root / "pools/new/status").exists, "the pool")
        for words in (["stop"], ["stop", "--drain"], ["status"], ["top"]):
            found = self.offered("troupe", *words, "--root", self.root, "--pool", "")[1]
            self.assertEqual(found, {"new": "running"}, words)
        for words in (["troupe", "start"], ["troupe", "get_task"], ["troupe", "submit_task"], ["barnum", "run"]):
            self.assertEqual(self.words(*words, "--root", self.root, "--pool", ""), ["new", "old"], words)

    def test_steps_come_from_the_config_on_the_line_also_of_one_with_mistakes(self):
        path = self.work / "two words.json"
        steps = [step("Start", command("true"), ["Nowhere"]), step("Look at it", pool())]
        path.write_text(json.dumps({"steps": steps}))
        for config in (f"'{path}'", f"'{path.read_text()}'"):
            kind, found = self.offered("barnum", "run", "--config", config, "--initial-state", "'[{\"kind\": \"S")
            self.assertEqual(kind, "parts")
            self.assertEqual(list(found), ['[{"kind": "Start"', '[{"kind": "Look at it"'])
        self.assertEqual(self.words("barnum", "run", "--config", f"'{path}'", "--initial-state", "'[{\"value\":\"S"), [])
        os.mkfifo(self.work / "pipe")
        self.assertEqual(self.words("barnum", "run", "--config", "pipe", "--initial-state", "'[{\"kind\":\"S"), [])
        self.assertEqual(self.offered("barnum", "run", "--initial-state", "")[0], "files")

    def test_tasks_come_from_the_state_log_on_the_line(self):
        config = {"entrypoint": "Good", "steps": [step("Good", command("echo '[{\"kind\":\"Bad\",\"value\":1}]'"), ["Bad"]),
                                                  step("Bad", command("exit 1"))]}
        log = self.work / "run.ndjson"
        self.assert_exit(self.run_program("barnum", "run", "--config", json.dumps(config), "--state-log", log,
                                          "--root", self.root), 1)
        found = self.offered("barnum", "inspect", log, "--task", "")[1]
        self.assertEqual(found, {"0": "Good, done", "1": "Bad, dropped"})
        self.assertEqual(self.words("barnum", "inspect", "--log", self.work / "none", "--task", ""), [])
        self.assertEqual(self.offered("barnum", "logs", "last", "--task", "")[1], found)
        self.assertEqual(self.words("barnum", "logs", "last", "--step", ""), ["Good", "Bad"])
        self.assertEqual(self.words("barnum", "logs", "nothing", "--step", ""), [])

    def test_an_unknown_shell_is_wrong_usage_and_told_the_shells(self):
        for program in ("barnum", "troupe"):
            result = self.run_program(program, "completion", "tcsh")
            self.assert_exit(result, 2)
            self.assertEqual(result.out, "")
            self.assertIn('SHELL must be "bash", "zsh" or "fish", not \'tcsh\'', result.err)

    def test_where_the_directory_is_gone_a_relative_root_has_no_pools(self):
        for line in ("barnum __complete bash -- run --root x --pool ''", "troupe __complete bash -- status --pool ''"):
            result = self.run_program("sh", "-c", f"mkdir gone; cd gone; rmdir ../gone; exec {line}", env={"TROUPE_ROOT": "x"})
            self.assertEqual((result.code, result.out, result.err), (0, "words\n", ""), line)

    def test_nonsense_is_answered_with_nothing(self):
        for words in (["frobnicate", ""], ["config", "frobnicate", "--"], ["run", "--nothing="], ["run", "--jobs", ""]):
            self.assertEqual(self.offered("barnum", *words), ("words", {}), words)


class ByTab(ShellCase):
    """In real shells: what stands on the line after Tab."""

    def setUp(self):
        super().setUp()
        self.env["XDG_RUNTIME_DIR"] = str(self.home)  # fish makes a pipe there that it leaves behind
        (self.work / "my file.json").write_text("{}")
        (self.work / "a folder").mkdir()
        (self.work / "a file").write_text("")
        self.make_pool(self.root, "reviews")
        self.make_pool(self.root, "old")
        steps = [step("Start", command("true")), step("Look", pool())]
        (self.work / "w.json").write_text(json.dumps({"entrypoint": "Start", "steps": steps}))

    def shell(self, name, load=None):
        require(shutil.which(name), f"{name} is not installed")
        terminal = Terminal(self, columns=150, rows=40)
        self.terminals.append(terminal)
        terminal.wait_for(r"^\$")
        terminal.type(" ".join(["exec", *STARTS[name]]))
        if name == "fish":
            terminal.wait_for(r"> ?$|# ?$")
            terminal.type("function fish_prompt; echo -n '$ '; end; set -g fish_autosuggestion_enabled 0; clear")
        elif name == "zsh":
            terminal.wait_for(r"% ?$|# ?$|^\$ ?$")
            terminal.type("PS1='$ '; autoload -Uz compinit; compinit -u -D; clear")
        else:
            terminal.type("PS1='$ '; clear")
        for program in ("barnum", "troupe"):
            terminal.type((load or LOADS[name]).format(program))
        terminal.type("echo load''ed")
        terminal.wait_for(r"^loaded")
        return terminal

    def complete(self, terminal, typed, pattern):
        """Types, presses Tab, and waits until the screen has a line like that."""
        terminal.key("C-c")
        terminal.type("clear; echo cle''ared")
        terminal.wait_for(r"^cleared")
        terminal.wait_for(r"^\$ *$")  # what is typed before that is on the screen twice
        terminal.tmux("send-keys", "-l", typed)
        terminal.wait_for(re.escape(typed.rstrip()) + " *$")
        terminal.key("Tab")
        terminal.wait_for(pattern)

    def complete_all(self, name):
        terminal = self.shell(name)
        self.complete(terminal, "barnum insp", r"^\$ barnum inspect")
        self.complete(terminal, "barnum config val", r"^\$ barnum config validate")
        self.complete(terminal, "barnum run --prog", r"^\$ barnum run --progress")
        self.complete(terminal, "barnum run --progress pl", r"^\$ barnum run --progress plain")
        self.complete(terminal, "barnum run --progress=pl", r"^\$ barnum run --progress=plain")
        self.complete(terminal, "barnum run -l de", r"^\$ barnum run -l debug")
        self.complete(terminal, "barnum run --config my", r"^\$ barnum run --config my\\ file.json")
        self.complete(terminal, "barnum run --config=my", r"^\$ barnum run --config=my\\ file.json")
        self.complete(terminal, "barnum run --config 'my f", r"^\$ barnum run --config 'my file.json'")
        self.complete(terminal, "barnum run --root a", r"^\$ barnum run --root a\\ folder/")
        self.complete(terminal, f"troupe agent --root {self.root} --pool re", r"--pool reviews")
        self.complete(terminal, f"troupe --root={self.root} agent --pool=o", r"--pool=old")
        self.complete(terminal, "barnum run --config w.json --initial-state '[{\"kind\":\"L", r'\[{"kind":"Look"')
        return terminal

    def test_bash(self):
        terminal = self.complete_all("bash")
        self.complete(terminal, "barnum config ", r"^\$ barnum config")
        terminal.key("Tab")
        terminal.wait_for(r"docs +graph +help +schema +validate")

    def test_bash_without_a_home_where_no_variable_may_be_unset(self):
        terminal = self.shell("bash", load=f"unset HOME; set -u; {LOADS['bash']}")
        self.complete(terminal, f"troupe agent --root {self.root} --pool re", r"--pool reviews")
        self.assertFalse([line for line in terminal.screen() if "unbound" in line])

    def test_zsh(self):
        terminal = self.complete_all("zsh")
        self.complete(terminal, "barnum config ", r"validate +-- Check a config, and")
        self.complete(terminal, f"troupe agent --root {self.root} --pool ", r"old +reviews +-- stopped|reviews +old +-- stopped")

    def test_zsh_finds_it_in_a_folder_of_its_functions(self):
        functions = self.home / "functions"
        functions.mkdir()
        for program in ("barnum", "troupe"):
            (functions / f"_{program}").write_text(self.run_program(program, "completion", "zsh").out)
        load = f"fpath=({functions} $fpath); compinit -u -D; clear # {{0}}"
        terminal = self.shell("zsh", load="setopt interactivecomments; " + load)
        for _ in range(2):  # the first time the file is read, the second time its function is there
            self.complete(terminal, "barnum run --prog", r"^\$ barnum run --progress")
        self.complete(terminal, "troupe submit_task --notify so", r"^\$ troupe submit_task --notify socket")

    def test_fish(self):
        self.complete_all("fish")

    def test_fish_has_the_descriptions(self):
        require(shutil.which("fish"), "fish is not installed")
        line = "barnum completion fish | source; complete -C 'barnum run --pro'"
        done = subprocess.run(["fish", "--no-config", "-c", line], env=self.env, cwd=self.work, capture_output=True,
                              text=True, timeout=DEADLINE)
        self.assertTrue(done.stdout.startswith("--progress\thow progress is shown on stderr: auto"), done)

    def test_a_program_that_is_gone_completes_nothing_and_says_nothing(self):
        terminal = self.shell("bash")
        terminal.type("clear; PATH=/nowhere; echo cle''ared")
        terminal.wait_for(r"^cleared")
        terminal.wait_for(r"^\$ *$")
        terminal.tmux("send-keys", "-l", "barnum ins")
        terminal.key("Tab")
        terminal.tmux("send-keys", "-l", "here")
        terminal.wait_for(r"^\$ barnum inshere$")
        self.assertEqual(len([line for line in terminal.screen() if line]), 2)
