"""Every command and option of `barnum`."""

import json
import re

from rows import Row, found, refused, wrong

LEVELS = '--log-level must be "off", "error", "warn", "info", "debug" or "trace", not '
NOT_AN_OPTION = "is not an option, and `{}` takes only options; put quotes around a value with spaces"
ONE_TOO_MANY = "is one argument too many: {} takes {} and options; put quotes around a value with spaces"
WHOLE_NUMBER = "{} must be a whole number {}, not '{}'"
NO_CONFIG = "{} is missing: the path of a config, or its text"
EMPTY = "{} is empty: give it a value, or leave it out"
POOL_ID = "is no pool id: use 1 to 64 letters, digits, '_' and '-', beginning with a letter or a digit"
TAKES = "takes JSON \\(in quotes, so that the shell leaves it whole\\) or the path of a file: "


def empty(line, option=None):
    return wrong(line, EMPTY.format(option or line.split()[-2]))


def twice(line, option):
    return wrong(line, f"{option} is given more than once")


def no_value(line, option):
    """What is expected instead depends on the option, and its place in the table."""
    return wrong(line, re.compile(f"^barnum: {option} needs a value: \\S.*\nTry `barnum .* --help`.\n$"))


def is_switch(command, option):
    yield wrong(f"{command} {option}=1", f"{option} takes no value")
    yield wrong(f"{command} {option} {option}", f"{option} is given more than once")


def is_json(**expected):
    def check(case, text):
        got = json.loads(text)
        case.assertEqual({key: got[key] for key in expected}, expected)
    return check


def output_fails(line, **more):
    return Row(line, code=74, err="barnum: cannot write to stdout: No space left on device\n", stdout="/dev/full",
               **more)


def no_configs(command, end):
    """What is no config, for a command that takes one: as --config, and by its place."""
    for place in ("--config ", "--config=", ""):
        for value, message in (("nothing.jsonc", "cannot be read: No such file or directory"),
                               ("folder", "cannot be read: Is a directory"),
                               ("/proc/self/mem", "cannot be read: "),
                               ("{latin1}", "cannot be read: No such file or directory"),
                               ("{long}", "cannot be read: File name too long"),
                               ("empty.jsonc", "expected a value, but the text is empty"),
                               ("notes.txt", "unknown word; expected true, false"),
                               ("'{}'", "\"steps\" is missing in the config"),
                               ("bad.jsonc", "unknown field \"nxt\"")):
            yield wrong(f"{command} {place}{value}",
                        found(f"error: {re.escape(message)}.*\nbarnum: the config has \\d errors?{end}\n$"),
                        of="--config")
    yield empty(f"{command} --config ''")
    yield empty(f"{command} ''", "FILE|JSON")
    yield twice(f"{command} --config flow.jsonc --config flow.jsonc", "--config")
    yield twice(f"{command} --config flow.jsonc flow.jsonc", "--config")
    yield wrong(f"{command} flow.jsonc bad.jsonc",
                f"'bad.jsonc' {ONE_TOO_MANY.format(command.split()[-1], 'FILE|JSON')}")
    yield no_value(f"{command} --config", "--config")


GENERAL = [
    Row("--help",
        out=found(r"^Barnum runs workflows.*Usage: barnum COMMAND \[OPTIONS\].*Commands:\n  run .*--log-level")),
    Row("", code=2, err=found(r"^Barnum runs workflows.*Usage: barnum COMMAND")),
    wrong("inspct", "there is no command 'inspct'; did you mean \"inspect\"?"),
    wrong("flow.jsonc", "there is no command 'flow.jsonc'"),
    wrong("help nope", "there is no command 'nope'"),
    wrong("--config flow.jsonc run",
          "there is no command 'flow.jsonc'; if it is the value of --config, put both after the command's name"),
    wrong("--bogus", "unknown option '--bogus'"),
    wrong("--rot=x", "unknown option '--rot'; did you mean \"--root\"?"),
    wrong("-x", "no command is given, only '-x'"),
    wrong("--json", "no command is given, only '--json'"),
    wrong("--", "no command is given, only '--'"),
    wrong("''", "there is no command ''"),
    wrong("--root version", "no command is given, only '--root'"),
    Row("--version", out=found(r"^barnum \d+\.\d+\.\d+\n$")),
    Row("--version --json", out=is_json()),
    Row("--root {root} version", out=found("^barnum ")),
    Row("version --root={root}", out=found("^barnum ")),
    no_value("version --root", "--root"),
    twice("version --root a --root b", "--root"),
    empty("version --root ''"),
    wrong("version --root=", EMPTY.format("--root")),
    Row("version -ldebug", out=found("^barnum ")),
    Row("--log-level=off version", out=found("^barnum ")),
    wrong("version --log-level loud", LEVELS + "'loud'"),
    wrong("run flow.jsonc --log-level loud", LEVELS + "'loud'"),
    wrong("inspect log.ndjson -l 3", LEVELS + "'3'"),
    empty("version --log-level ''"),
    no_value("version -l", "--log-level"),
    twice("version -l off -l off", "--log-level"),
]

VERSION = [
    Row("version", out=found(r"^barnum \d+\.\d+\.\d+\n$")),
    Row("version --json", out=is_json()),
    *is_switch("version", "--json"),
    wrong("version extra", f"'extra' {NOT_AN_OPTION.format('version')}"),
    wrong("version --jsn", "unknown option '--jsn'; did you mean \"--json\"?"),
    output_fails("version"), output_fails("version --json"), output_fails("help"), output_fails("version --help"),
]

CONFIG = [
    Row("config", code=2, err=found(r"Usage: barnum config COMMAND \[OPTIONS\]")),
    wrong("config validat", "there is no command 'validat' of `barnum config`; did you mean \"validate\"?"),
    wrong("config --json", "unknown option '--json'"),
    wrong("config --config flow.jsonc",
          "there is no command 'flow.jsonc'; if it is the value of --config, put both after "
          "the command's name"),
    wrong("config flow.jsonc", "there is no command 'flow.jsonc' of `barnum config`"),
    Row("config --help", out=found(r"Usage: barnum config COMMAND")),
]

VALID = "Config is valid.\n1 step:\nOnly -> (terminal)\n"
INLINE = """'{"steps":[{"name":"Only","action":{"kind":"Command","script":"true"},"next":[]}]}'"""

VALIDATE = [
    Row("config validate flow.jsonc", out=VALID),
    Row("config validate --config flow.jsonc", out=VALID),
    Row("config validate --config=flow.jsonc", out=VALID),
    Row(f"config validate {INLINE}", out=VALID),
    wrong("config validate", NO_CONFIG.format("FILE|JSON")),
    wrong("config validate --json", "unknown option '--json'"),
    *no_configs("config validate", ""),
    output_fails("config validate flow.jsonc"),
]

DOCS = [
    Row("config docs flow.jsonc", out=found("^# Workflow flow.jsonc\n")),
    Row("config docs --config flow.jsonc", out=found("^# Workflow flow.jsonc\n")),
    Row(f"config docs {INLINE}", out=found("^# Workflow\n")),
    wrong("config docs", NO_CONFIG.format("FILE|JSON")),
    *no_configs("config docs", ""),
    output_fails("config docs flow.jsonc"),
]

FORMATS = '--format must be "dot", "mermaid" or "svg", not '

GRAPH = [
    Row("config graph flow.jsonc", out=found("^digraph ")),
    Row("config graph --config flow.jsonc --format dot", out=found("^digraph ")),
    Row("config graph flow.jsonc --format=mermaid", out=found("^flowchart TD\n")),
    wrong("config graph", NO_CONFIG.format("FILE|JSON")),
    wrong("config graph flow.jsonc --format png", FORMATS + "'png'"),
    wrong("config graph flow.jsonc --format Dot", FORMATS + "'Dot'"),
    wrong("config graph flow.jsonc --format {latin1}", found("^barnum: --format must be ")),
    empty("config graph flow.jsonc --format ''"),
    no_value("config graph flow.jsonc --format", "--format"),
    twice("config graph flow.jsonc --format dot --format dot", "--format"),
    wrong("config graph flow.jsonc dot", f"'dot' {ONE_TOO_MANY.format('graph', 'FILE|JSON')}"),
    *no_configs("config graph", ""),
    output_fails("config graph flow.jsonc"), output_fails("config graph flow.jsonc --format mermaid"),
]

SCHEMA = [
    Row("config schema", out=is_json(required=["steps"])),
    wrong("config schema flow.jsonc", f"'flow.jsonc' {NOT_AN_OPTION.format('schema')}"),
    wrong("config schema --config flow.jsonc", "unknown option '--config'"),
    output_fails("config schema"),
]

NO_LOG = "cannot open the state log "

INSPECT = [
    Row("inspect log.ndjson", out=found("Only")),
    Row("inspect --log log.ndjson", out=found("Only")),
    Row("inspect --log=log.ndjson --task 0", out=found("Only")),
    Row("inspect log.ndjson --task 0", out=found("Only")),
    Row("inspect log.ndjson --json", out=lambda case, text: case.assertEqual(len(json.loads(text)["tasks"]), 1)),
    Row("inspect --schema", out=found('"\\$schema"')),
    wrong("inspect", "LOG is missing: the path of a state log"),
    empty("inspect ''", "LOG"),
    empty("inspect --log ''"),
    no_value("inspect --log", "--log"),
    wrong("inspect a b", f"'b' {ONE_TOO_MANY.format('inspect', 'LOG')}"),
    twice("inspect a --log b", "--log"),
    refused("inspect --log nothing", NO_LOG + "nothing: No such file or directory", code=2),
    refused("inspect {latin1}", found("^barnum: cannot open the state log .*: No such file or directory\n$"), code=2),
    refused("inspect {long}", NO_LOG + "{long}: File name too long", code=2),
    refused("inspect folder", "folder is not a state log: it is not a regular file", code=2),
    refused("inspect flow.jsonc", found("^barnum: flow.jsonc is not a state log: "), code=74),
    refused("inspect empty.jsonc", found("^barnum: empty.jsonc"), code=74),
    refused("inspect log.ndjson --task 7", "there is no task 7 in log.ndjson; the last one in it is 0", code=2),
    *(wrong(f"inspect log.ndjson --task {value}",
            WHOLE_NUMBER.format("--task", "of at least 0 (for example 2)", value))
      for value in ("-1", "x", "1.0", "99999999999999999999")),
    empty("inspect log.ndjson --task ''"),
    no_value("inspect log.ndjson --task", "--task"),
    twice("inspect log.ndjson --task 0 --task 0", "--task"),
    *is_switch("inspect log.ndjson", "--json"),
    Row("inspect log.ndjson --accept-edits",
        out="0 lines had a wrong checksum, 0 had none; now each has the correct one\n"),
    *is_switch("inspect log.ndjson", "--accept-edits"),
    *(wrong(f"inspect log.ndjson --accept-edits {with_}",
            "--accept-edits takes only LOG: it changes the log and shows nothing") for with_ in ("--json", "--task 0")),
    wrong("inspect --accept-edits", "LOG is missing: the path of a state log"),
    refused("inspect flow.jsonc --accept-edits", found("^barnum: flow.jsonc is not a state log: "), code=74),
    refused("inspect nothing --accept-edits", NO_LOG + "nothing: No such file or directory", code=2),
    *(wrong(f"inspect {with_} --schema", "--schema must be the only option: it prints the schema of every log's JSON, whatever the log")
      for with_ in ("log.ndjson", "--json", "--task 0")),
    *is_switch("inspect", "--schema"),
    output_fails("inspect log.ndjson"), output_fails("inspect log.ndjson --json"), output_fails("inspect --schema"),
]

RAN = found("run finished: 1 task in ")


def ran(line, **more):
    return Row(f"run {line}", err=RAN, **more)


def run_wrong(line, message, **more):
    return wrong(f"run flow.jsonc {line}", message, **more)


def number(option, range_, *values, before=""):
    for value in ("x", "1.5", "99999999999999999999", "1x", *values):
        yield run_wrong(f"{before}{option} {value}", WHOLE_NUMBER.format(option, range_, value))


def choice(option, message, *choices):
    for value in choices:
        yield ran(f"flow.jsonc {option} {value}") if value not in ("json", "none") else \
            Row(f"run flow.jsonc {option} {value}", err=None)
    for value in ("x", choices[0].upper()):
        yield run_wrong(f"{option} {value}", f"{option} must be {message}, not '{value}'")


def no_input(option):
    for value, message in (("nothing.json", "cannot read nothing.json: No such file or directory"),
                           ("folder", "folder is not a regular file"),
                           ("/proc/self/mem", "/proc/self/mem is a part of the kernel, not a file"),
                           ("{latin1}", "cannot read "), ("{long}", "cannot read .*: File name too long")):
        yield refused(f"run flow.jsonc {option} {value}", found(f"^barnum: {option} {TAKES}{message}"), code=2)


VALUE_OPTIONS = ("--entrypoint-value", "--initial-state", "--state-log", "--resume-from", "--fsync", "--pool",
                 "--pool-wait-secs", "--agents", "--agent-exec", "--wake", "--jobs", "--log-file", "--progress",
                 "--color")

RUN = [
    ran("flow.jsonc"), ran("--config flow.jsonc"), ran("--config=flow.jsonc"), ran("--fsync never flow.jsonc"),
    wrong("run", NO_CONFIG.format("--config")),
    wrong("run flow.jsonc --confg x", "unknown option '--confg'; did you mean \"--config\"?"),
    *no_configs("run", "; nothing was started"),
    *(empty(f"run flow.jsonc {option} ''") for option in VALUE_OPTIONS),
    *(no_value(f"run flow.jsonc {option}", option) for option in VALUE_OPTIONS),
    *(twice(f"run flow.jsonc {option} 1 {option} 1", option) for option in VALUE_OPTIONS),
    *(entry for option in ("--no-embedded-pool", "--dry-run", "--stub") for entry in is_switch("run flow.jsonc",
                                                                                               option)),
    # Values
    ran("flow.jsonc --entrypoint-value '{}'"), ran("flow.jsonc --entrypoint-value value.json"),
    *no_input("--entrypoint-value"),
    wrong("run flow.jsonc --entrypoint-value '{'", found("<inline>:1:2: error: ")),
    ran("flow.jsonc --initial-state '[{\"kind\": \"Only\", \"value\": 1}]'"),
    ran("flow.jsonc --initial-state tasks.json"),
    Row("run flow.jsonc --initial-state '[]'", err=found("run finished: 0 tasks in ")),
    *no_input("--initial-state"),
    wrong("run flow.jsonc --initial-state '[{\"kind\": \"Olny\", \"value\": 1}]'",
          found("kind \"Olny\" is not a step of the config; did you mean \"Only\"")),
    # Logs
    ran("flow.jsonc --state-log new.ndjson"), ran("flow.jsonc --log-file run.log"),
    refused("run flow.jsonc --state-log log.ndjson",
            found("^barnum: {work}/log.ndjson exists already"), code=2),
    refused("run flow.jsonc --state-log folder", found("^barnum: {work}/folder exists already"), code=2),
    refused("run flow.jsonc --state-log no/such/log",
            found("^barnum: cannot create the state log {work}/no/such/log: "), code=74),
    refused("run flow.jsonc --state-log {long}", found("^barnum: .*File name too long"), code=74),
    refused("run flow.jsonc --log-file folder", "cannot write the log file folder: Is a directory", code=2),
    refused("run flow.jsonc --log-file no/such/log",
            "cannot write the log file no/such/log: No such file or directory", code=2),
    Row("run --resume-from log.ndjson", err=found("nothing to do")),
    *(wrong(f"run {line} --resume-from log.ndjson", found(f"^barnum: --resume-from cannot be combined with {option}"))
      for line, option in (("flow.jsonc", "--config"), ("--config flow.jsonc", "--config"),
                           ("--entrypoint-value 1", "--entrypoint-value"), ("--initial-state []", "--initial-state"))),
    refused("run --resume-from nothing", NO_LOG + "nothing: No such file or directory", code=2),
    refused("run --resume-from folder", "folder is not a state log: it is not a regular file", code=2),
    refused("run --resume-from flow.jsonc", found("^barnum: flow.jsonc is not a state log: "), code=74),
    *choice("--fsync", '"always", "interval" or "never"', "always", "interval", "never"),
    *choice("--progress", '"auto", "tty", "plain", "json" or "none"', "auto", "tty", "plain", "json", "none"),
    *choice("--color", '"auto", "always" or "never"', "auto", "always", "never"),
    # Pools and agents
    ran("pool.jsonc --agents 1 --agent-exec \"echo '[]'\""),
    ran("pool.jsonc --agents=2 --agent-exec=\"echo '[]'\" --pool own"),
    ran("flow.jsonc --pool own"), ran("flow.jsonc --no-embedded-pool"), ran("flow.jsonc --pool-wait-secs 0"),
    refused("run flow.jsonc --pool a/b", f"'a/b' {POOL_ID}", code=2),
    refused("run flow.jsonc --pool {long}", f"'{{long}}' {POOL_ID}", code=2),
    refused("run flow.jsonc --pool {latin1}", found("' is no pool id: "), code=2),
    refused("run pool.jsonc --no-embedded-pool --pool-wait-secs 0", found("barnum: |ERROR "), code=69, of="run"),
    *number("--pool-wait-secs", "from 0 to 100000000 (for example 300)", "-1", "100000001"),
    *number("--agents", "from 0 to 1000 (for example 2)", "-1", "1001", before="--agent-exec cat "),
    *(run_wrong(line, "--agents K and --agent-exec CMD must be given together: how many agents, and what each of them runs")
      for line in ("--agents 2", "--agent-exec cat", "--agents 0 --agent-exec cat")),
    run_wrong("--agents 1 --agent-exec cat --no-embedded-pool",
              "--no-embedded-pool cannot be combined with --agents unless --pool is given: without --pool the run hosts a "
              "pool of its own for its agents; give the pool that they are to serve with --pool"),
    # The rest
    ran("flow.jsonc --wake true"),
    refused("run flow.jsonc --wake 'echo no power >&2; exit 7'", found("the --wake script exited with code 7"),
            of="--wake"),
    ran("flow.jsonc --jobs 1"),
    *number("--jobs", "from 1 to 100000 (for example 3)", "0", "-1", "100001"),
    Row("run flow.jsonc --dry-run", out=found("^The run would do the following; nothing is started or created\\.\n")),
    Row("run flow.jsonc --stub", out=found("^task 0 Only ")),
    wrong("run flow.jsonc --dry-run --stub",
          "--dry-run and --stub cannot be combined: the first only prints the start of a run, the second walks through all "
          "of it"),
    wrong("run --resume-from log.ndjson --stub", found("^barnum: --stub cannot be combined with --resume-from")),
    wrong("run flow.jsonc --state-log other.ndjson --stub", found("^barnum: --stub cannot be combined with --state-log")),
    wrong("run flow.jsonc --wake true --stub", found("^barnum: --stub cannot be combined with --wake")),
    wrong("run flow.jsonc --agents 1 --agent-exec cat --stub", found("^barnum: --stub cannot be combined with --agents")),
    ran("flow.jsonc", stdout="/dev/full"),
    output_fails("run flow.jsonc --dry-run"), output_fails("run flow.jsonc --stub"),
]

MAN = [
    Row("man", out=found(r"^\.")),
    Row("man config validate", out=found(r"^\.")),
    Row("man --command run", out=found(r"^\.")),
    Row("man --list", out=found("barnum-config-validate")),
    wrong("man nope", found("^barnum: there is no command 'barnum nope'")),
    wrong("man barnum-config", found("^barnum: barnum-config.5. is made of a document: .* docs/config.md otherwise")),
    wrong("man --command nope", found("^barnum: there is no command 'barnum nope'")),
    wrong("man --list run", "--list prints the names of all pages, and takes no command"),
    output_fails("man"), output_fails("man --list"),
]

COMPLETION = [
    *(Row(f"completion {shell}", out=found("barnum")) for shell in ("bash", "zsh", "fish")),
    Row("completion --shell bash", out=found("complete -F _barnum_complete barnum")),
    wrong("completion", 'SHELL is missing: "bash", "zsh" or "fish"'),
    wrong("completion --shell ksh", "SHELL must be \"bash\", \"zsh\" or \"fish\", not 'ksh'"),
    empty("completion ''", "SHELL"),
    output_fails("completion bash"),
]

TABLE = {"general": GENERAL, "version": VERSION, "config": CONFIG, "config validate": VALIDATE, "config docs": DOCS,
         "config graph": GRAPH, "config schema": SCHEMA, "inspect": INSPECT, "run": RUN, "man": MAN,
         "completion": COMPLETION}
