"""Every command and option of `troupe`."""

import json
import re

from rows import Lasting, Row, found, refused, wrong

NO_DAEMON = "no daemon serves the pool in {root}/pools/default"
NO_ROOT = "there is no directory {work}/nowhere; say with --root or TROUPE_ROOT where the pools are"
START_ONE = "; start one with `troupe start --root {root} --pool default`"
POOL_ID = ("is no pool id: use 1 to 64 letters, digits, '_' and '-', beginning with a letter or a digit")
FORMATS = '--log-format must be "auto", "text" or "json", not '
LEVELS = '--log-level must be "off", "error", "warn", "info", "debug" or "trace", not '
NOT_AN_OPTION = "is not an option, and `{}` takes only options; put quotes around a value with spaces"
SECONDS = "from 0.001 to 1000000000"
WHOLE_NUMBER = "{} must be a whole number {}, not '{}'"


def is_json(**expected):
    def check(case, text):
        got = json.loads(text)
        case.assertEqual({key: got[key] for key in expected}, expected)
    return check


def list_of(*expected):
    def check(case, text):
        case.assertEqual([(pool["pool"], pool["status"]) for pool in json.loads(text)], list(expected))
    return check


def no_pool_ids(command, needed=""):
    """Values of --pool that are none."""
    for name, shown in (("a/b", "a/b"), ("..", ".."), ("-x", None), ("{latin1}", None), ("{long}", None), ("é", "é")):
        if shown:
            yield refused(f"{command} {needed} --pool {name}", f"'{shown}' {POOL_ID}", code=2)
        else:
            yield refused(f"{command} {needed} --pool={name}", found(r"^troupe: '.*' is no pool id: use 1 to 64 "),
                          code=2)


def no_value(line, option):
    """What is expected instead depends on the option."""
    return wrong(line, re.compile(f"^troupe: {option} needs a value: \\S.*\nTry `troupe .* --help`.\n$"))


def seconds(command, option, range_, example, *others):
    for value in ("x", "1s", "1e999", "0x", "-1", "nan", "inf", "1e10", "1e-300", "0.0009", *others):
        yield wrong(f"{command} {option} {value}",
                    f"{option} must be a number of seconds {range_} (for example {example}), not '{value}'")


def output_fails(line, **more):
    """Nothing that a command prints gets lost unnoticed."""
    return Row(line, code=74, err="troupe: cannot write to stdout: No space left on device\n", stdout="/dev/full",
               **more)


GENERAL = [
    Row("--help", out=found(r"^A pool of agents.*Usage: troupe COMMAND \[OPTIONS\].*Commands:\n  start .*--log-level")),
    Row("", code=2, err=found(r"^A pool of agents.*Usage: troupe COMMAND")),
    wrong("strat", "there is no command 'strat'; did you mean \"start\"?"),
    wrong("''", "there is no command ''"),
    wrong("help nope", "there is no command 'nope'"),
    wrong("--rot x", "there is no command 'x'; if it is the value of --rot, put both after the command's name"),
    wrong("--drain x", "there is no command 'x'; if it is the value of --drain, put both after the command's name"),
    wrong("--vresion", "unknown option '--vresion'"),
    wrong("--roott=x", "unknown option '--roott'; did you mean \"--root\"?"),
    wrong("-x", "no command is given, only '-x'"),
    wrong("--root", "no command is given, only '--root'"),
    wrong("--root x", "no command is given, only '--root'"),
    wrong("--root version", "no command is given, only '--root'"),
    wrong("-- version", "no command is given, only '--'"),
    Row("--version", out=found(r"^troupe \d+\.\d+\.\d+(\+[0-9.a-f]+)?\n$")),
    Row("--version --json", out=is_json()),
    # Options of every command.
    Row("--root {root} version", out=found("^troupe ")),
    Row("--root={root} version", out=found("^troupe ")),
    no_value("version --root", "--root"),
    wrong("version --root a --root b", "--root is given more than once"),
    wrong("version --root=", "--root is empty: give it a value, or leave it out"),
    wrong("version --root ''", "--root is empty: give it a value, or leave it out"),
    Row("version -ldebug", out=found("^troupe ")),
    Row("-l debug version", out=found("^troupe ")),
    Row("version --log-level=off", out=found("^troupe ")),
    wrong("version --log-level loud", LEVELS + "'loud'"),
    wrong("version --log-level INFO", LEVELS + "'INFO'"),
    wrong("version --log-level ''", "--log-level is empty: give it a value, or leave it out"),
    wrong("version --log-level {latin1}", found("^troupe: --log-level must be ")),
    no_value("version -l", "--log-level"),
    wrong("version -l warn -l warn", "--log-level is given more than once"),
    Row("version --log-format=json", out=found("^troupe ")),
    wrong("version --log-format xml", FORMATS + "'xml'"), no_value("version --log-format", "--log-format"),
]

VERSION = [
    Row("version", out=found(r"^troupe \d+\.\d+\.\d+(\+[0-9.a-f]+)?\n$")),
    Row("version --json", out=is_json()),
    Row("--json version", out=is_json()),
    Row("version --", out=found("^troupe ")),
    wrong("version --json=1", "--json takes no value"),
    wrong("version extra", f"'extra' {NOT_AN_OPTION.format('version')}"),
    wrong("version ''", f"'' {NOT_AN_OPTION.format('version')}"),
    wrong("version -", f"'-' {NOT_AN_OPTION.format('version')}"),
    wrong("version -- --json", f"'--json' {NOT_AN_OPTION.format('version')}", of="version"),
    output_fails("version"), output_fails("version --json"), output_fails("help"), output_fails("version --help"),
    output_fails("--version"),
]

LIST = [
    Row("list --root {work}/folder", out="ID  STATUS    PATH\n"),
    Row("list", pool="running", out="ID       STATUS    PATH\ndefault  running   {root}/pools/default\n"),
    Row("list", pool="stopped", out="ID       STATUS    PATH\ndefault  stopped   {root}/pools/default\n"),
    Row("list --json --root {work}/folder", out="[]\n"),
    Row("list --json", pool="running", out=list_of(("default", "running"))),
    Row("list --json", pool="stopped", out=list_of(("default", "stopped"))),
    refused("list --root {work}/nowhere", NO_ROOT), refused("list --json --root {work}/nowhere", NO_ROOT),
    refused("list", NO_ROOT, env={"TROUPE_ROOT": "{work}/nowhere"}, pool="running"),
    Row("list", env={"TROUPE_ROOT": ""}, out=found("^ID ")),
    wrong("list --pool x", "unknown option '--pool'; did you mean \"--root\"?"),
    wrong("list --json --json", "--json is given more than once"),
    Row("list --prune", pool="stopped", out="ID       STATUS    PATH\ndefault  stopped   {root}/pools/default\n"),
    Row("list --prune --json", pool="running", out=list_of(("default", "running"))),
    wrong("list --prune --prune", "--prune is given more than once"),
    refused("list --prune --root {work}/nowhere", NO_ROOT),
    wrong("list x", f"'x' {NOT_AN_OPTION.format('list')}"),
    refused("list --root flow.jsonc", "cannot open the directory {work}/flow.jsonc: Not a directory"),
    refused("list --root {long}", found("^troupe: cannot open the directory .*: File name too long\n$")),
    output_fails("list", pool="running"), output_fails("list --json", pool="running"),
]


def serves(options, **more):
    """With a root of its own."""
    name = "".join(c for c in options if c.isalnum())
    return Lasting(f"start --root {{work}}/of-{name} {options}", until="is served in",
                   **({"err": found("INFO  stopped\n$")} | more))


START = [
    *(serves(options) for options in (
        "", "--pool reviews", "--idle-timeout-secs 0.5", "--reconnect-secs 5", "--task-timeout-secs 0", "--task-timeout-secs=1e9",
        "--max-message-bytes 1000", "--no-heartbeat", "--no-periodic-heartbeat", "--no-initial-heartbeat",
        "--preserve-dirs",
        "--stop", "--log-level info", "--log-format text", "--log-file {work}/daemon.log", "--metrics 127.0.0.1:0", "--metrics=[::1]:0", "--metrics localhost:0")),
    *(serves(f"--engine nats://127.0.0.1:9 {options}") for options in (
        "", "--lease-secs 5 --engine-replicas 3 --engine-ca none.pem --engine-cert=none.pem --engine-key none.key",
        "--engine-user me --engine-password-file none", "--engine-creds none")),
    serves("--json --pool=full", code=74, stdout="/dev/full",
           err=found("WARN  cannot write .* to stdout, .*\\ntroupe: cannot write to stdout: No space left on device\\n$")),
    serves("--json", out='{"id":"default"}\n'), serves("--json --pool=reviews", out='{"id":"reviews"}\n'),
    refused("start",
            found(r"another daemon serves the pool in \S+/pools/default \(process \d+\); stop it with `troupe stop "
                  r"--root \S+ --pool default`, or choose another pool with --pool"), pool="running"),
    refused("start --root flow.jsonc", "cannot open the directory {work}/flow.jsonc: Not a directory"),
    *no_pool_ids("start"),
    refused("start --log-file folder", "cannot write the log file folder: Is a directory", code=2),
    no_value("start --log-file", "--log-file"),
    refused("start --engine http://h1", found("^troupe: --engine: .*http://h1.*\n$"), code=2),
    *(refused(f"start --{option}",
              "the options of the engine need --engine, which says where its servers are, for example --engine "
              "nats://h1:4222", code=2)
      for option in ("engine-ca none", "engine-cert none", "engine-key none", "engine-creds none", "engine-user none",
                     "engine-password-file none", "engine-replicas 3", "lease-secs 50")),
    wrong("start --engine-replicas 0", WHOLE_NUMBER.format("--engine-replicas", "from 1 to 5 (for example 3)", "0")),
    refused("start --engine-replicas 2",
            "--engine-replicas: give 1, 3 or 5; an even number survives no more failures", code=2),
    *seconds("start", "--lease-secs", SECONDS, 30, "0"),
    *seconds("start", "--idle-timeout-secs", SECONDS, 180, "0"),
    *seconds("start", "--reconnect-secs", SECONDS, 60, "0"),
    *seconds("start", "--task-timeout-secs", f"0, or {SECONDS}", 86400),
    *(wrong(f"start --max-message-bytes {value}",
            WHOLE_NUMBER.format("--max-message-bytes", "from 1000 to 1000000000 (for example 67108864)", value))
      for value in ("0", "999", "-1", "x", "1.5", "64M", "1000000001", "99999999999999", "99999999999999999999")),
    *(wrong(f"start {option}=yes", f"{option} takes no value")
      for option in ("--json", "--no-heartbeat", "--no-periodic-heartbeat", "--no-initial-heartbeat", "--preserve-dirs",
                     "--stop")),
    *(refused(f"start --metrics {value}",
              f"--metrics: '{value}' is not an address to listen on: write an IP address and a port, for example "
              "127.0.0.1:7420 or [::1]:7420", code=2)
      for value in ("x", "9464", ":9464", "127.0.0.1", "127.0.0.1:65536", "example.org:80", "::1:80")),
    *(refused(f"start --metrics {value}",
              f"--metrics: other machines can reach {value}, but metrics are served without TLS and to everyone: use "
              "127.0.0.1 or [::1], and a proxy if another machine is to read them", code=2)
      for value in ("0.0.0.0:9464", "[::]:9464", "192.0.2.1:0")),
    wrong("start default", f"'default' {NOT_AN_OPTION.format('start')}"),
]

STOP = [
    Row("stop", err="stopped pool default\n", pool="running"),
    Row("stop --drain", err="stopped pool default\n", pool="running"),
    Row("stop --pool default", err="stopped pool default\n", pool="running"),
    refused("stop", NO_DAEMON + "; `troupe list` lists the pools"),
    refused("stop", NO_DAEMON + "; `troupe list` lists the pools", pool="stopped"),
    refused("stop --drain", NO_DAEMON + "; `troupe list` lists the pools"),
    refused("stop --pool other",
            "no daemon serves the pool in {root}/pools/other; `troupe list` lists the pools",
            pool="running", of="stop"),
    *no_pool_ids("stop"),
    wrong("stop --drain=1", "--drain takes no value"),
    wrong("stop --json", "unknown option '--json'"),
    wrong("stop now", f"'now' {NOT_AN_OPTION.format('stop')}"),
]

NO_AGENT = "no agent {} is attached to the pool in {{root}}/pools/default; `troupe status --root {{root}} --pool default` lists them"

KICK = [
    refused("kick nobody", NO_AGENT.format("nobody"), pool="running", of="--agent"),
    refused("kick --agent nobody --json", NO_AGENT.format("nobody"), pool="running", of="--json"),
    refused("kick a", NO_DAEMON + START_ONE), refused("kick a", NO_DAEMON + START_ONE, pool="stopped"),
    wrong("kick", "AGENT is missing: the name of an agent, or its id"),
    wrong("kick ''", "AGENT is empty: give it a value, or leave it out"),
    wrong("kick a b", found("^troupe: 'b' is one argument too many")),
    wrong("kick a --json=1", "--json takes no value"), no_value("kick --agent", "--agent"),
    *no_pool_ids("kick a"),
    Row("kick agent", pool="attended", out="agent had no task, and was dismissed\n"),
    Row("kick --agent agent --pool default --json", pool="attended", out=found('^{"kind":"Kicks","agents":.{"id":".*","name":"agent","how":"dismissed"}.}\n$')),
]

NOT_QUEUED = ("{} is not in the queue; `troupe queue --root {{root}} --pool default` lists the tasks that wait, "
              "`troupe status --root {{root}} --pool default` those that agents have")

QUEUE = [
    Row("queue", pool="running", out="no task waits\n"),
    Row("queue --json --pool=default --limit 1000", pool="running", out='{"kind":"Queue","length":0,"tasks":[]}\n'),
    Row("queue --first task", pool="waiting", out="task-1 was moved\n"),
    Row("queue --move task-1 --before ot", pool="waiting", out="task-1 was moved\n"),
    refused("queue --move task-1 --before ta", "task-1 is the task that --before names: it stays where it is; name another one",
            pool="waiting", of="--move"),
    Row("queue --cancel other --json", pool="waiting", out='{"kind":"QueueChanges","submissions":[{"id":"other-2","how":"cancelled"}]}\n'),
    refused("queue", NO_DAEMON + START_ONE), refused("queue --json", NO_DAEMON + START_ONE, pool="stopped"),
    refused("queue --cancel a", NOT_QUEUED.format("a"), pool="running", of="--cancel"),
    refused("queue --first a", NOT_QUEUED.format("a"), pool="running", of="--first"),
    refused("queue --move a --before b", NOT_QUEUED.format("b"), pool="running", of="--move"),
    refused("queue --move a", "--move needs --before", code=2), refused("queue --before a", "--before needs --move", code=2),
    refused("queue --first a --before b", "--before needs --move", code=2),
    refused("queue --move a --move b --before b", "--move and --before name the same task; name another one with --before", code=2),
    *(refused(f"queue {both}", "give only one of --cancel, --first and --move", code=2)
      for both in ("--cancel a --first b", "--first a --move b --before c", "--cancel a --move b --before c")),
    refused("queue --cancel a --limit 3", "--limit is for the list: leave it out, or --cancel, --first or --move", code=2),
    wrong("queue --limit 0", "--limit must be a whole number from 1 to 1000 (for example 3), not '0'"),
    wrong("queue --limit 1001", "--limit must be a whole number from 1 to 1000 (for example 3), not '1001'"),
    no_value("queue --limit", "--limit"), no_value("queue --cancel", "--cancel"), no_value("queue --first", "--first"),
    no_value("queue --move", "--move"), no_value("queue --move a --before", "--before"),
    wrong("queue --cancel ''", "--cancel is empty: give it a value, or leave it out"),
    wrong("queue --json=1", "--json takes no value"), wrong("queue a", f"'a' {NOT_AN_OPTION.format('queue')}"),
    *no_pool_ids("queue"),
]

STATUS = [
    Row("status", pool="running", out=found(r"^pool default in .*agents  none attached\nqueue   empty\n")),
    Row("status --pool default", pool="running", out=found("^pool default in ")),
    Row("status --json", pool="running", out=is_json(kind="Status", pool="default", draining=False)),
    Lasting("status --watch", code=143, until="\n\npool default in ", out=None, pool="running"),
    Lasting("status --json --watch", code=143, until='"kind":"Status".*\n.*"kind":"Status"', out=None, pool="running"),
    refused("status", NO_DAEMON + START_ONE),
    refused("status", NO_DAEMON + START_ONE, pool="stopped"),
    refused("status --json", NO_DAEMON + START_ONE, of="status"),
    refused("status --watch", NO_DAEMON + START_ONE, of="status"),
    refused("status --root flow.jsonc", "cannot open the directory {work}/flow.jsonc: Not a directory"),
    *no_pool_ids("status"),
    Row("status --check", pool="running", code=1, out=found(r"^TROUPE WARNING - pool default: no agent is attached; ")),
    Row("status --check --max-queue-age 5", pool="running", code=1, out=found("^TROUPE WARNING - ")),
    Row("status --check", code=2, out=found("^TROUPE CRITICAL - no daemon serves the pool")),
    Row("status --check --root flow.jsonc", code=3, out=found("^TROUPE UNKNOWN - ")),
    wrong("status --check=1", "--check takes no value"),
    refused("status --check --json", "--check cannot be combined with --json or --watch", code=2),
    refused("status --check --watch", "--check cannot be combined with --json or --watch", code=2),
    refused("status --max-queue-age 5", "--max-queue-age needs --check", code=2),
    *seconds("status", "--max-queue-age", SECONDS, "1.5", "0"),
    wrong("status --json=1", "--json takes no value"),
    wrong("status --watch=2", "--watch takes no value"),
    wrong("status --watch 2", f"'2' {NOT_AN_OPTION.format('status')}"),
    wrong("status default", f"'default' {NOT_AN_OPTION.format('status')}"),
    output_fails("status", pool="running"), output_fails("status --json", pool="running"),
    output_fails("status --watch", pool="running"), output_fails("status --watch --json", pool="running"),
]

TOP = [
    refused("top",
            "`troupe top` needs a terminal to draw on; `troupe status` and `troupe status --watch` print to files and "
            "pipes", pool="running"),
    *no_pool_ids("top"),
    wrong("top --json", "unknown option '--json'"),
    wrong("top default", f"'default' {NOT_AN_OPTION.format('top')}"),
]

EITHER = "give the task's content either with --data JSON or with --file PATH"


def invalid(line, message, pool="running", **more):
    """The pool's answer goes to stdout, as any."""
    return Row(line, code=1, pool=pool,
               out=lambda case, text: case.assertRegex(json.loads(text).get("message", text), message), **more)


def labels(command):
    """Wrong values of --label."""
    yield no_value(f"{command} --label", "--label")
    yield wrong(f"{command} --label ''", "--label is empty: give it a value, or leave it out")
    for label, shown in (("a,b", "'a,b'"), ("é", "'??'"), ("x" * 65, "a text of 65 bytes")):
        yield refused(f"{command} --label {label}", "--label: a label has 1 to 64 letters, digits, '-', '_', '.', '/' and "
                      f"':', unlike {shown}", code=2)
    many = " ".join(f"--label {number}" for number in range(17))
    yield refused(f"{command} {many}", "--label: 17 labels are too many; at most 16 are allowed", code=2)


PROCESSED = is_json(kind="Processed", stdout="[]\n")

SUBMIT = [
    *(Row(f"submit_task {options}", out=PROCESSED, pool="attended") for options in (
        "--data '{}'", "--data=1 --pool default", "--file tasks.json", "--file {work}/tasks.json --notify file",
        "--data 1 --notify=socket", "--data 1 --timeout-secs 100", "--data 1 --priority -5", "--data 1 --priority=5", "--data 1 --label gpu --label=team/linux",
        "--data 1 --response-schema value.json", "--data 1 --response-schema='{}'")),
    wrong("submit_task", EITHER),
    wrong("submit_task --data 1 --file flow.jsonc", EITHER),
    wrong("submit_task --data 1 --data 2", "--data is given more than once"),
    no_value("submit_task --data", "--data"),
    wrong("submit_task --data ''", "--data is empty: give it a value, or leave it out"),
    wrong("submit_task 1", f"'1' {NOT_AN_OPTION.format('submit_task')}"),
    invalid("submit_task --data '{'", "^the task's content is not JSON: byte 1: "),
    invalid("submit_task --data hello", "^the task's content is not JSON: byte 0: ", pool="absent", err=""),
    invalid("submit_task --data {long}", "^the task's content is not JSON: byte 0: "),
    invalid("submit_task --notify file --data '{'", "^the task's content is not JSON: byte 1: "),
    invalid("submit_task --file nothing", "^cannot read .*/nothing: No such file or directory$"),
    invalid("submit_task --file folder", "/folder is not a regular file$"),
    invalid("submit_task --file notes.txt", "is not JSON: byte 0: "),
    wrong("submit_task --file ''", "--file is empty: give it a value, or leave it out"),
    no_value("submit_task --file", "--file"),
    wrong("submit_task --data 1 --notify mail", "--notify must be \"socket\" or \"file\", not 'mail'"),
    wrong("submit_task --data 1 --notify ''", "--notify is empty: give it a value, or leave it out"),
    *seconds("submit_task --data 1", "--timeout-secs", SECONDS, 1.5, "0"),
    *labels("submit_task --data 1"),
    no_value("submit_task --data 1 --priority", "--priority"),
    *(wrong(f"submit_task --data 1 --priority {value}", "--priority must be a whole number from -1000000 to 1000000 "
            f"(for example 0), not '{value}'") for value in ("high", "1.5", "1000001", "-1000001")),
    no_value("submit_task --data 1 --response-schema", "--response-schema"),
    wrong("submit_task --data 1 --response-schema ''", "--response-schema is empty: give it a value, or leave it out"),
    refused("submit_task --data 1 --response-schema tasks.json", "--response-schema must be a JSON object", code=2),
    refused("submit_task --data 1 --response-schema '{'", found("^troupe: --response-schema: line 1, column 2: "), code=2),
    refused("submit_task --data 1 --response-schema nothing",
            "--response-schema: cannot read {work}/nothing: No such file or directory", code=2),
    *no_pool_ids("submit_task", "--data 1"),
    refused("submit_task --data 1 --root flow.jsonc", "cannot open the directory {work}/flow.jsonc: Not a directory"),
    Row("submit_task --timeout-secs 0.1 --data 1", code=124, pool="running", of="submit_task",
        out='{"kind":"NotProcessed","reason":"timeout"}\n'),
    Row("submit_task --timeout-secs 0.1 --data 1", code=124, out='{"kind":"NotProcessed","reason":"timeout"}\n',
        err=None,
        of="submit_task"),
    output_fails("submit_task --data '{'", pool="running", of="submit_task"),
    output_fails("submit_task --data 1 --timeout-secs 0.1", pool="running", of="submit_task"),
]

# A way to see that one waits: the pool asks it whether it is there.
GET_TASK = [
    Row("get_task", pool="asking", out=is_json(kind="Heartbeat")),
    Row("get_task --pool default --name reviewer", pool="asking", out=is_json(kind="Heartbeat", agent_name="reviewer")),
    Row("get_task --label gpu --label team/linux", pool="asking", out=is_json(kind="Heartbeat")),
    *labels("get_task"),
    output_fails("get_task", pool="asking"),
    *no_pool_ids("get_task"),
    no_value("get_task --name", "--name"),
    wrong("get_task --name ''", "--name is empty: give it a value, or leave it out"),
    wrong("get_task --name a --name b", "--name is given more than once"),
    wrong("get_task --json", "unknown option '--json'"),
    wrong("get_task me", f"'me' {NOT_AN_OPTION.format('get_task')}"),
    refused("get_task --root flow.jsonc", "cannot open the directory {work}/flow.jsonc: Not a directory"),
]

# Its client ends at once.
MCP = [
    Row("mcp"),
    Row("mcp --pool reviews --name reviewer"),
    Row("mcp --label gpu --label team/linux"),
    *labels("mcp"),
    *no_pool_ids("mcp"),
    no_value("mcp --name", "--name"),
    wrong("mcp --name ''", "--name is empty: give it a value, or leave it out"),
    *(Row(f"mcp --setup {client}", out=found(r"troupe"))
      for client in ("claude", "codex", "gemini", "cursor", "vscode", "json")),
    Row("mcp --setup cursor --write --pool reviews", out=found(r"/.cursor/mcp.json:\n.*\+ .*\"--pool\", \"reviews\"")),
    wrong("mcp --setup emacs", found("--setup must be \"claude\", .*, not 'emacs'")),
    no_value("mcp --setup", "--setup"),
    wrong("mcp --write", "--write needs --setup CLIENT"),
    wrong("mcp --setup json --write", "--write knows no file of --setup json; copy what it prints"),
    output_fails("mcp --setup claude"),
    wrong("mcp --json", "unknown option '--json'"),
    wrong("mcp me", f"'me' {NOT_AN_OPTION.format('mcp')}"),
]

ATTACHED = " attached to the pool in .*/pools/default; for each task: "

AGENT = [
    Lasting("agent --exec cat", code=143, until="INFO  agent" + ATTACHED + "cat", err=None, pool="running"),
    Lasting("agent --exec='jq .' --name reviewer", code=143, until="INFO  reviewer" + ATTACHED + "jq [.]", err=None,
            pool="running"),
    Lasting("agent --exec cat --count 3 --pool default", code=143, until="INFO  agent-1 to agent-3" + ATTACHED,
            err=None, pool="running"),
    *(Lasting(f"agent --exec cat --on-kick {what}", code=143, until="INFO  agent" + ATTACHED + "cat", err=None,
              pool="running") for what in ("end", "keep")),
    wrong("agent --exec cat --on-kick ignore", "--on-kick must be \"end\" or \"keep\", not 'ignore'"),
    wrong("agent --exec cat --on-kick ''", "--on-kick is empty: give it a value, or leave it out"),
    refused("agent", found("^troupe: --kind or --exec is missing: which program does the tasks "), code=2, of="--kind"),
    wrong("agent cat", f"'cat' {NOT_AN_OPTION.format('agent')}"),
    no_value("agent --exec", "--exec"),
    wrong("agent --exec ''", "--exec is empty: give it a value, or leave it out"),
    wrong("agent --exec cat --exec cat", "--exec is given more than once"),
    *(wrong(f"agent --exec cat --count {count}",
            WHOLE_NUMBER.format("--count", "from 1 to 10000 (for example 3)", count))
      for count in ("0", "-1", "10001", "x", "1.5", "99999999999999999999")),
    wrong("agent --exec cat --name ''", "--name is empty: give it a value, or leave it out"),
    Lasting("agent --exec cat --label gpu --label team/linux", code=143, until="INFO  agent" + ATTACHED + "cat", err=None,
            pool="running"),
    *labels("agent --exec cat"),
    Lasting("agent --kind exec --exec cat --directory folder --env A=1 --env=B=2 --max-repairs 0 --permissions read "
            "--stall-secs 600", code=143, until="INFO  agent" + ATTACHED + "cat", err=None, pool="running"),
    Lasting("agent --kind shell --count 2 --label debian --env A=1", code=143,
            until="INFO  shell-1 to shell-2 attached to the pool in .*/pools/default; runs the Commands of whoever uses the pool, in ",
            err=None, pool="running"),
    *(refused(f"agent --kind shell {option} {value}", found(f"^troupe: {option} is not available for shell: "), code=2, of=option)
      for option, value in (("--exec", "x"), ("--model", "x"), ("--program", "x"), ("--permissions", "full"), ("--max-turns", 3))),
    refused("agent --kind shell --check", found("^troupe: --check tries a program "), code=2, of="--check"),
    refused("agent --exec cat --label kind:shell", found("^troupe: --label must not have kind:shell: "), code=2, of="--label"),
    Lasting("agent --kind claude --program cat --model opus --arguments=-x --allow-tools 'Bash(ls)' --max-turns 3 --max-usd 0.5 --effort max --fallback-model haiku "
            "--transcripts none",
            code=143, until="INFO  claude attached to the pool in .*/pools/default; tasks are done by claude .opus.", err=None,
            pool="running"),
    Row("agent --kind claude --program {work}/claude.sh --check",
        out=found(r"^claude works: \d+\.\d s, 0 tokens, .0.50\nits answer: \[.*17.*\]\n$")),
    refused("agent --kind claude --program false --check", found("^troupe: claude did not do the task: "), of="--check"),
    refused("agent --exec cat --check", found("^troupe: --check tries a program "), code=2, of="--check"),
    no_value("agent --kind claude --transcripts", "--transcripts"),
    wrong("agent --kind claude --transcripts ''", "--transcripts is empty: give it a value, or leave it out"),
    refused("agent --exec cat --transcripts folder", found("^troupe: --transcripts is for programs "), code=2),
    wrong("agent --kind nosuch", '--kind must be "exec", "claude", "codex", "gemini", "acp" or "shell", not \'nosuch\''),
    Lasting("agent --kind claude --program cat --project-settings true --project-instructions true", code=143,
            until="INFO  claude attached to the pool in .*/pools/default; tasks are done by claude", err=None, pool="running"),
    *(wrong(f"agent --exec cat --{option} x", f"--{option} must be \"true\" or \"false\", not 'x'")
      for option in ("project-settings", "project-instructions")),
    wrong("agent --exec cat --permissions x", '--permissions must be "read", "edit" or "full", not \'x\''),
    *(refused(f"agent --exec cat {option} {value}", found(f"^troupe: {option} is not available for exec: "), code=2, of=option)
      for option, value in (("--model", "x"), ("--program", "x"), ("--effort", "low"), ("--fallback-model", "x"), ("--mcp", "x"), ("--max-turns", 3), ("--max-usd", 1), ("--allow-tools", "x"),
                            ("--project-settings", "true"), ("--project-instructions", "false"), ("--arguments", "x"), ("--stall-secs", 5), ("--price", "input=1 --price output=2"))),
    Lasting("agent --kind codex --program cat --price input=3 --price output=15", code=143,
            until="INFO  codex attached to the pool in .*/pools/default; tasks are done by codex", err=None, pool="running"),
    refused("agent --kind claude --price input=1", "--price must have the price of input and that of output: input=3, output=15",
            code=2),
    wrong("agent --kind claude --effort ultra",
          '--effort must be "minimal", "low", "medium", "high", "xhigh" or "max", not \'ultra\''),
    refused("agent --kind claude --program cat --effort minimal",
            '--effort is not available for claude: its lowest effort is "low"', code=2),
    refused("agent --kind gemini --program cat --effort high",
            "--effort is not available for gemini: the program has no option for it; claude and codex have one", code=2),
    Lasting("agent --kind codex --program cat --effort minimal", code=143,
            until="INFO  codex attached to the pool in .*/pools/default; tasks are done by codex", err=None, pool="running"),
    refused("agent --kind codex --program cat --fallback-model x",
            "--fallback-model is not available for codex: the program has no option for it; only claude has one", code=2),
    no_value("agent --kind claude --fallback-model", "--fallback-model"),
    Lasting("agent --kind claude --program cat --mcp {work}/servers.json --directory folder", code=143,
            until="INFO  claude attached to the pool in .*/pools/default; tasks are done by claude", err=None, pool="running"),
    refused("agent --kind claude --program cat --mcp nothing.json",
            "--kind: mcp: cannot read {work}/nothing.json: No such file or directory", code=2),
    refused("agent --kind claude --program cat --mcp {work}/notes.txt --directory folder",
            found("^troupe: --kind: mcp: .*/notes.txt: line 1, column "), code=2),
    refused("agent --exec cat --mcp x", "--mcp is not available for exec: the command decides about its tools", code=2),
    no_value("agent --kind claude --mcp", "--mcp"),
    refused("agent --kind claude --price inptu=1", found("^troupe: --price must be input=X, output=X and .*did you mean .input"),
            code=2, of="--price"),
    refused("agent --exec cat --max-usd 0", "--max-usd must be a number from 0.000001 to 1000000, not \"0\"", code=2),
    refused("agent --exec cat --max-usd 1e-300", "--max-usd must be a number from 0.000001 to 1000000, not \"1e-300\"", code=2),
    refused("agent --exec cat --env =X", "--env must be NAME=VALUE or NAME, not \"=X\"", code=2),
    refused("agent --exec cat --directory nothing",
            "--exec: the directory {work}/nothing, in which agents are to work: No such file or directory", code=2),
    refused("agent --kind claude --program nothing-there", found("^troupe: --kind: there is no program nothing-there on the PATH; "
            "install it, for example with `npm install -g @anthropic-ai/claude-code`"), code=2),
    wrong("agent --exec cat --max-repairs 101",
          WHOLE_NUMBER.format("--max-repairs", "from 0 to 100 (for example 2)", "101")),
    *no_pool_ids("agent", "--exec cat"),
    refused("agent --exec cat --root flow.jsonc", "cannot open the directory {work}/flow.jsonc: Not a directory"),
]

ACCOUNTS = [
    Row("accounts", err="no account is parked\n", env={"XDG_STATE_HOME": "/nonexistent"}),
    Row("accounts resume --kind claude", err="no account of the kind claude is parked\n", env={"XDG_STATE_HOME": "/nonexistent"}),
    Row("accounts --action list", err="no account is parked\n", env={"XDG_STATE_HOME": "/nonexistent"}),
    Row("accounts --json", out="[]\n", env={"XDG_STATE_HOME": "/nonexistent"}),
    Row("accounts resume --json", out="[]\n", env={"XDG_STATE_HOME": "/nonexistent"}),
    refused("accounts list claude-5f0c", "no account with the key claude-5f0c is parked; `troupe accounts` lists those that are",
            env={"XDG_STATE_HOME": "/nonexistent"}),
    Row("accounts --key claude-", out=found("^claude-[0-9a-f]{16}: claude \\(/x\\) is parked until .*: r\n$"),
        env={"XDG_STATE_HOME": "{work}/state"}),
    Row("accounts list claude- --json", out=found('^.{"key":"claude-[0-9a-f]{16}","kind":"claude","place":"/x","key_digest":null,"since":[0-9]+000,'
        '"until":[0-9]+000,"until_is_known":false,"reason":"r"}.\n$'), env={"XDG_STATE_HOME": "{work}/state"}),
    wrong("accounts --json --json", "--json is given more than once"),
    no_value("accounts --key", "--key"),
    refused("accounts resume --key x", "no account with the key x is parked; `troupe accounts` lists those that are", of="--key",
            env={"XDG_STATE_HOME": "/nonexistent"}),
    wrong("accounts stop", "ACTION must be \"list\" or \"resume\", not 'stop'", of="--action"),
    wrong("accounts --kind exec", '--kind must be "claude", "codex", "gemini" or "acp", not \'exec\''),
]

NO_SERVER = found(r"^wrong +nats://127\.0\.0\.1:9: .*refused.*\n$")
ENGINE_IS_WRONG = "troupe: the engine is not right for the pool {}: 1 problem\n"
ENGINE = [
    Row("engine", code=2, err=found(r"Usage: troupe engine COMMAND \[OPTIONS\]")),
    Row("engine --help", out=found(r"Usage: troupe engine COMMAND")),
    wrong("engine chek", "there is no command 'chek' of `troupe engine`; did you mean \"check\"?"),
]

ENGINE_CHECK = [
    *(Row(f"engine check --engine nats://127.0.0.1:9 {options}", code=1, out=NO_SERVER, err=ENGINE_IS_WRONG.format(pool),
          is_verdict=True)
      for options, pool in (("", "default"), ("--pool reviews", "reviews"), ("--fix", "default"),
                            ("--lease-secs 5 --engine-replicas 3", "default"))),
    *(Row(f"engine check --engine tls://127.0.0.1:9 {options}", code=1, out=found(r"^wrong +tls://127\.0\.0\.1:9: .*\n$"),
          err=ENGINE_IS_WRONG.format("default"), is_verdict=True)
      for options in ("--engine-ca none.pem", "--engine-cert none.pem --engine-key none.key", "--engine-creds none",
                      "--engine-user me --engine-password-file none")),
    refused("engine check", "give --engine, which says where the servers are, for example --engine nats://h1:4222", code=2),
    refused("engine check --engine http://h1", found("^troupe: --engine: .*http://h1.*\n$"), code=2),
    wrong("engine check --fix=yes", "--fix takes no value"),
    wrong("engine check nats://h1", f"'nats://h1' {NOT_AN_OPTION.format('check')}"),
    *(refused(f"engine check --engine-{option} none",
              "the options of the engine need --engine, which says where its servers are, for example --engine "
              "nats://h1:4222", code=2) for option in ("ca", "cert", "key", "creds", "user", "password-file")),
    *no_pool_ids("engine check"),
    wrong("engine check --engine-replicas 0", WHOLE_NUMBER.format("--engine-replicas", "from 1 to 5 (for example 3)", "0")),
    *seconds("engine check", "--lease-secs", SECONDS, 30, "0"),
]

PROTOCOL = [
    Row("protocol", out=found(r"^# You are an agent of a task pool\n.*\n       troupe get_task\n")),
    Row("protocol --name reviewer", out=found(r"\n       troupe get_task --name reviewer\n")),
    Row("protocol --name \"it's me\"", out=found(r"\n       troupe get_task --name 'it'\\''s me'\n")),
    Row("protocol --pool reviews --root '/tmp/a b'",
        out=found(r"\n       troupe get_task --root '/tmp/a b' --pool reviews\n")),
    Row("protocol --low-level", out=found(r"All of it is in {root}/pools/default; a pool is served while")),
    wrong("protocol --low-level=1", "--low-level takes no value"),
    wrong("protocol --name ''", "--name is empty: give it a value, or leave it out"),
    wrong("protocol reviewer", f"'reviewer' {NOT_AN_OPTION.format('protocol')}"),
    *no_pool_ids("protocol"),
    output_fails("protocol"), output_fails("protocol --low-level"),
]

MAN = [
    Row("man", out=found(r"^\.")),
    Row("man submit_task", out=found(r"^\.")),
    Row("man --command submit_task", out=found(r"^\.")),
    Row("man --list", out=found(r"troupe-submit_task")),
    wrong("man nope", found("^troupe: there is no command 'troupe nope'")),
    wrong("man 7 troupe-protocol", found("^troupe: troupe-protocol.7. is made of a document: `man 7 troupe-protocol` ")),
    wrong("man --command nope", found("^troupe: there is no command 'troupe nope'")),
    wrong("man --list stop", "--list prints the names of all pages, and takes no command"),
    output_fails("man"), output_fails("man --list"),
]

COMPLETION = [
    *(Row(f"completion {shell}", out=found("troupe")) for shell in ("bash", "zsh", "fish")),
    Row("completion --shell bash", out=found("complete -F _troupe_complete troupe")),
    wrong("completion", 'SHELL is missing: "bash", "zsh" or "fish"'),
    wrong("completion ksh", "SHELL must be \"bash\", \"zsh\" or \"fish\", not 'ksh'"),
    wrong("completion --shell ksh", "SHELL must be \"bash\", \"zsh\" or \"fish\", not 'ksh'"),
    wrong("completion ''", "SHELL is empty: give it a value, or leave it out"),
    wrong("completion bash zsh", found("'zsh' is one argument too many: completion takes SHELL and options")),
    output_fails("completion bash"),
]

TABLE = {"general": GENERAL, "version": VERSION, "list": LIST, "start": START, "stop": STOP, "kick": KICK, "queue": QUEUE, "status": STATUS,
         "top": TOP,
         "submit_task": SUBMIT, "get_task": GET_TASK, "agent": AGENT, "mcp": MCP, "accounts": ACCOUNTS,
         "engine": ENGINE, "engine check": ENGINE_CHECK,
         "protocol": PROTOCOL, "man": MAN, "completion": COMPLETION}
