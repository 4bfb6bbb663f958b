"""Every command and option of `barnum`."""

import json
import re

from rows import Lasting, Row, found, refused, wrong

FORMATS = '--log-format must be "auto", "text" or "json", not '
LEVELS = '--log-level must be "off", "error", "warn", "info", "debug" or "trace", not '
NOT_AN_OPTION = "is not an option, and `{}` takes only options; put quotes around a value with spaces"
ONE_TOO_MANY = "is one argument too many: {} takes {} and options; put quotes around a value with spaces"
WHOLE_NUMBER = "{} must be a whole number {}, not '{}'"
SIZE = "a whole number, also with K, M, G or T (1024 bytes and so on), or kB, MB, GB or TB (1000 bytes and so on)"
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
    Row("--version", out=found(r"^barnum \d+\.\d+\.\d+(\+[0-9.a-f]+)?\n$")),
    Row("--version --json", out=is_json()),
    Row("--root {root} version", out=found("^barnum ")),
    Row("version --root={root}", out=found("^barnum ")),
    no_value("version --root", "--root"),
    twice("version --root a --root b", "--root"),
    empty("version --root ''"),
    wrong("version --root=", EMPTY.format("--root")),
    wrong("run --agents 1 --agent-exec ' '", EMPTY.format("--agent-exec")),
    Row("version -ldebug", out=found("^barnum ")),
    Row("--log-level=off version", out=found("^barnum ")),
    wrong("version --log-level loud", LEVELS + "'loud'"),
    wrong("run flow.jsonc --log-level loud", LEVELS + "'loud'"),
    wrong("inspect log.ndjson -l 3", LEVELS + "'3'"),
    empty("version --log-level ''"),
    no_value("version -l", "--log-level"),
    twice("version -l off -l off", "--log-level"),
    Row("version --log-format json", out=found("^barnum ")),
    wrong("version --log-format xml", FORMATS + "'xml'"), no_value("version --log-format", "--log-format"),
    empty("version --log-format ''"), twice("version --log-format text --log-format text", "--log-format"),
]

VERSION = [
    Row("version", out=found(r"^barnum \d+\.\d+\.\d+(\+[0-9.a-f]+)?\n$")),
    Row("version --json", out=is_json()),
    *is_switch("version", "--json"),
    wrong("version extra", f"'extra' {NOT_AN_OPTION.format('version')}"),
    wrong("version --jsn", "unknown option '--jsn'; did you mean \"--json\"?"),
    output_fails("version"), output_fails("version --json"), output_fails("help"), output_fails("version --help"),
]

CONFIG = [
    Row("config", code=2, err=found(r"Usage: barnum config COMMAND \[OPTIONS\]")),
    wrong("config validat", "there is no command 'validat' of `barnum config`; did you mean \"validate\"?"),
    wrong("config --json", "no command is given, only '--json'"),
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
    Row("config validate flow.jsonc --json", out=is_json(valid=True, problems=[], steps=[{"name": "Only", "next": []}])),
    Row("config validate bad.jsonc --json", code=2, out=is_json(valid=False)),
    wrong("config validate --json", NO_CONFIG.format("FILE|JSON")),
    *is_switch("config validate flow.jsonc", "--json"),
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
NO_RUN = "there is neither a run nor a file {}; `barnum ps -a` lists the runs"

INSPECT = [
    Row("inspect log.ndjson", out=found("Only")),
    Row("inspect --log log.ndjson", out=found("Only")),
    Row("inspect --log=log.ndjson --task 0", out=found("Only")),
    Row("inspect log.ndjson --task 0", out=found("Only")),
    Row("inspect log.ndjson --json", out=lambda case, text: case.assertEqual(len(json.loads(text)["tasks"]), 1)),
    Row("inspect --schema", out=found('"\\$schema"')),
    Row("inspect last", out=found("Only")),
    wrong("inspect", "RUN is missing: the id of a run, or the path of a state log"),
    empty("inspect ''", "RUN"),
    empty("inspect --log ''"),
    no_value("inspect --log", "--log"),
    wrong("inspect a b", f"'b' {ONE_TOO_MANY.format('inspect', 'RUN')}"),
    twice("inspect a --log b", "--log"),
    refused("inspect --log nothing", NO_RUN.format("nothing"), code=2),
    refused("inspect {latin1}", found("^barnum: there is neither a run nor a file "), code=2),
    refused("inspect {long}", NO_RUN.format("{long}"), code=2),
    refused("inspect ./nothing", NO_LOG + "./nothing: No such file or directory", code=2),
    refused("inspect folder", "folder is not the directory of a run: there is neither a run.json nor a state.ndjson in it", code=2),
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
            "--accept-edits takes only RUN: it changes the log and shows nothing") for with_ in ("--json", "--task 0")),
    wrong("inspect --accept-edits", "RUN is missing: the id of a run, or the path of a state log"),
    refused("inspect flow.jsonc --accept-edits", found("^barnum: flow.jsonc is not a state log: "), code=74),
    refused("inspect nothing --accept-edits", NO_RUN.format("nothing"), code=2),
    *(wrong(f"inspect {with_} --schema", "--schema must be the only option: it prints the schema of every log's JSON, whatever the log")
      for with_ in ("log.ndjson", "--json", "--task 0")),
    *is_switch("inspect", "--schema"),
    output_fails("inspect log.ndjson"), output_fails("inspect log.ndjson --json"), output_fails("inspect --schema"),
]

SINCE = ("the argument ('{}') for option '--since' is invalid: it must be a time span (for example 10m; s, m, h, d), or a time "
         "like 2026-11-21T14:05:00Z")

LOGS = [
    Row("logs last", out="Only 0 | []\n"), Row("logs --run last", out="Only 0 | []\n"), Row("logs log.ndjson", out="Only 0 | []\n"),
    *(Row(f"logs last {option}", out="Only 0 | []\n")
      for option in ("--task 0", "--step Only", "--attempt 1", "--phase command", "--since 1d", "--since 2026-01-01T00:00:00Z",
                     "--follow", "-f")),
    *(Row(f"logs last {option}", out="") for option in ("--attempt 2", "--phase pre", "--since 2099-01-01T00:00:00Z")),
    Row("logs last --timestamps", out=found(r"^Only 0 \| 20[-\dT:.]*Z \[\]$")),
    Row("logs last --json", out=lambda case, text: case.assertEqual(json.loads(text)["text"], "[]")),
    wrong("logs", "RUN is missing: the id of a run, or last"),
    empty("logs ''", "RUN"),
    wrong("logs a b", f"'b' {ONE_TOO_MANY.format('logs', 'RUN')}"),
    refused("logs nothing", NO_RUN.format("nothing"), code=2, of="--run"),
    refused("logs folder", "folder is not the directory of a run: there is neither a run.json nor a state.ndjson in it", code=2),
    refused("logs last --task 7", found("^barnum: there is no task 7 in the run "), code=2),
    refused("logs last --step Onyl", 'the run has no step "Onyl"; did you mean "Only"?', code=2),
    *(wrong(f"logs last --task {value}", WHOLE_NUMBER.format("--task", "of at least 0 (for example 2)", value)) for value in ("-1", "x")),
    *(wrong(f"logs last --attempt {value}", WHOLE_NUMBER.format("--attempt", "from 1 to 1000000 (for example 3)", value))
      for value in ("0", "x")),
    wrong("logs last --phase action", '--phase must be "pre", "command", "pool", "post" or "finally", not \'action\''),
    *(wrong(f"logs last --since {value}", SINCE.format(value)) for value in ("10", "x", "2026-01-01")),
    *(entry for option in ("--task", "--step", "--attempt", "--phase", "--since")
      for entry in (empty(f"logs last {option} ''"), no_value(f"logs last {option}", option), twice(f"logs last {option} 1 {option} 1", option))),
    *(entry for option in ("--follow", "--timestamps", "--json") for entry in is_switch("logs last", option)),
    output_fails("logs last"), output_fails("logs last --json"), output_fails("logs last -f"),
]

PAGE_NAME = found(r"^barnum-\w{8}\.html\n$")
TRACE = found("^task,id,parent,step.*\r\n0,0,,Only,false,1,")
ONE_TRACE = "--csv and --json cannot be combined: each prints the trace"
NO_PAGE = "--output is the file of the page, which --csv and --json do not write"


def written(name):
    return lambda case, text: case.assertIn("barnum-report" if name.endswith("html") else "Only", (case.work / name).read_text())


REPORT = [
    Row("report last", out=PAGE_NAME), Row("report --run last", out=PAGE_NAME), Row("report log.ndjson", out=PAGE_NAME),
    Row("report last -o page.html", out="page.html\n"), Row("report last --output page.html", out="page.html\n"),
    Row("report last -o -", out=found("^<!DOCTYPE html>.*id=\"barnum-report\">{.*</html>\n$")),
    Row("report last --csv -", out=TRACE), Row("report last --csv trace.csv", out=written("trace.csv")),
    Row("report last --json", out=lambda case, text: case.assertEqual(json.loads(text)["state"], "succeeded")),
    wrong("report", "RUN is missing: the id of a run, or last"), empty("report ''", "RUN"),
    wrong("report a b", f"'b' {ONE_TOO_MANY.format('report', 'RUN')}"),
    refused("report nothing", NO_RUN.format("nothing"), code=2, of="--run"),
    refused("report folder", "folder is not the directory of a run: there is neither a run.json nor a state.ndjson in it", code=2),
    refused("report flow.jsonc", found("^barnum: flow.jsonc is not a state log: "), code=74),
    refused("report last -o folder", "folder is not a regular file; `-` writes to stdout", code=2),
    refused("report last -o nothing/page.html", "cannot write nothing/page.html: cannot open the directory nothing/: No such file or directory", code=74),
    refused("report last --csv folder", "folder is not a regular file; `-` writes to stdout", code=2),
    wrong("report last --csv - --json", ONE_TRACE), wrong("report last -o x --csv y", NO_PAGE), wrong("report last -o x --json", NO_PAGE),
    *(entry for option in ("--output", "--csv")
      for entry in (empty(f"report last {option} ''"), no_value(f"report last {option}", option), twice(f"report last {option} a {option} b", option))),
    *is_switch("report last", "--json"),
    output_fails("report last -o -"), output_fails("report last --csv -"), output_fails("report last --json"), output_fails("report last"),
]

PS = [
    Row("ps", err="no run is running or lost; `barnum ps -a` lists all runs\n"),
    Row("ps --all", out=found("finished")), Row("ps -a", out=found("finished")),
    Row("ps --json", out="[]\n"),
    Row("ps -a --json", out=lambda case, text: case.assertEqual([run["state"] for run in json.loads(text)], ["finished"])),
    wrong("ps x", f"'x' {NOT_AN_OPTION.format('ps')}"),
    *is_switch("ps", "--json"), *is_switch("ps", "--all"), *is_switch("ps", "--watch"), *is_switch("ps", "--size"),
    Row("ps -a --size", out=found("size.*kB\n$")),
    wrong("ps --watch --size", "--watch and --size cannot be combined: to measure all runs each second would keep the disk busy"),
    refused("ps --watch", "`barnum ps --watch` needs a terminal to draw on; `barnum ps` and `barnum ps --json` print to files "
            "and pipes"),
    wrong("ps --watch --json", "--watch and --json cannot be combined: the first draws on a terminal, the second is for programs"),
    output_fails("ps -a"), output_fails("ps --json"),
]

NOT_RUNNING = found("^barnum: the run [0-9a-f-]{36} is not running: its state is finished\n$")


def on_a_run(command, *more, ended):
    """What all commands on runs have in common; `ended` is what it says of the run that has finished."""
    line = " ".join([command, "last", *more])
    by_name = " ".join([command, "--run last", *more])
    wants = " ".join([command, "{}", *more])
    return [
        ended(line), ended(by_name),
        wrong(" ".join([command, *more]), "RUN is missing: the id of a run, or last"),
        refused(wants.format("nothing"), NO_RUN.format("nothing"), code=2, of="--run"),
        refused(wants.format("folder"), "folder is not the directory of a run: there is neither a run.json nor a state.ndjson in it", code=2),
        empty(wants.format("''"), "RUN"), no_value(f"{command} --run", "--run"),
    ]


def living(line, says, **more):
    return Row(line, out=found(f"^[0-9a-f-]{{36}} {says}"), with_living_run=True, **more)


def not_running(line):
    return Row(line, code=2, err=NOT_RUNNING)


WAIT = [
    *on_a_run("wait", ended=lambda line: Row(line, out=found("^[0-9a-f-]{36} finished\n$"))),
    Row("wait last last", out=found("finished\n.*finished\n$")),
    Row("wait last --json", out=is_json(state="finished", exit_code=0)), *is_switch("wait last", "--json"),
    refused("wait last nothing", NO_RUN.format("nothing"), code=2, of="--run"),
    output_fails("wait last"),
]

CANCEL = [*on_a_run("cancel", ended=not_running), not_running("cancel last --now"), *is_switch("cancel last", "--now"),
          living("cancel living", "interrupted"), living("cancel --run living --now", "interrupted")]
PAUSE = [*on_a_run("pause", ended=not_running), living("pause living", "is paused"), living("pause --run living", "is paused")]
CONTINUE = [*on_a_run("continue", ended=not_running),
            *(living(line, "is not paused") for line in ("continue living", "continue --run living"))]
SCALE = [
    *on_a_run("scale", "--jobs 2", ended=not_running),
    wrong("scale last", "nothing is to be changed: give --jobs N, --agents [KIND=]K, or both", of=""),
    *(wrong(f"scale last --agents {text}", "--agents must be a whole number from 0 to 10000, or a kind of agents with one (for "
            f"example claude=3), not '{text}'") for text in ("x", "-1", "10001", "claude", "claude=", "=3", "claude=x")),
    no_value("scale last --agents", "--agents"), twice("scale last --agents 1 --agents 2", "--agents"),
    refused("scale living --agents 2", "the run has no agents of its own", code=2, with_living_run=True),
    Row("scale asking --agents 2", out=found("^[0-9a-f-]{36} has 2 agents of the kind exec\n$"), with_living_run=True),
    wrong("scale last --jobs 0", WHOLE_NUMBER.format("--jobs", "from 1 to 100000 (for example 3)", "0")),
    living("scale living --jobs 2", "has 2 local processes at once"), living("scale --run living --jobs 1", "has 1 local process at once"),
    twice("scale last --jobs 1 --jobs 2", "--jobs"), no_value("scale last --jobs", "--jobs"),
]
NOBODY_ASKED = "no task of the run waits for a person"
WHOLE = "--next, --response and --reject cannot be combined: each of them is the whole answer"


def answered(line):
    return Row(line, out=found(r"\S"), with_living_run=True)


ANSWER = [
    *on_a_run("answer", "--response '[]'", ended=lambda line: refused(line, NOBODY_ASKED, code=2)),
    answered("answer waiting 1 --response '[]'"), answered("answer waiting 2 --reject dear --through chat"),
    answered("answer --run waiting --task 3 --next Only --value 1 --next Only --value value.json"),
    *(wrong(f"answer last{task}", "without a terminal there is no dialog: give the answer with --next KIND --value JSON, --response JSON or "
            "--reject REASON", of="") for task in ("", " 0")),
    refused("answer living --response '[]'", NOBODY_ASKED, code=2, with_living_run=True),
    refused("answer waiting --response '[]'", found("several tasks of the run wait: say which, with one of the numbers "), code=2,
            with_living_run=True),
    refused("answer waiting 99 --response '[]'", found("there is no task 99 in this run"), code=2, of="--task", with_living_run=True),
    refused("answer waiting 4 --response 1", found("expected a JSON array of tasks"), code=2, with_living_run=True),
    refused("answer waiting 4 --next Nothing --value 1", found("is not a next step of \"Ask\"; expected \"Only\""), code=2, of="--next",
            with_living_run=True),
    refused("answer waiting 4 --next Only --value nothing.json", found(f"^barnum: --value {TAKES}cannot read nothing.json"), code=2,
            with_living_run=True),
    *(wrong(f"answer last {value} --reject x", WHOLE_NUMBER.format("ID", "of at least 0 (for example 2)", value), of="--task")
      for value in ("x", "1.5")),
    wrong("answer last --next Only", "--next Only has no value: give each --next a --value"),
    wrong("answer last --value 1", "a --value belongs to no --next: give each --value a --next KIND"),
    wrong("answer last --response '[]' --reject x", WHOLE), wrong("answer last --next A --value 1 --response '[]'", WHOLE),
    *(empty(f"answer last 0 {option} ''") for option in ("--next", "--value", "--response", "--reject", "--through")),
    *(no_value(f"answer last 0 {option}", option) for option in ("--task", "--next", "--value", "--response", "--reject",
                                                                     "--through")),
    *(twice(f"answer last 0 {option} 1 {option} 1", option) for option in ("--response", "--reject", "--through")),
    wrong("answer last 0 --response '[]' --through last", re.compile("--through must be 1 to 64 letters, .* not 'last'")),
    wrong("answer last 0 1", f"'1' {ONE_TOO_MANY.format('answer', 'RUN ID')}"),
]
TODO = [
    Row("todo", err="nothing waits for a person\n"), Row("todo --json", out="[]\n"),
    Row("todo", out=found("Ask .*\n.*Ask "), with_living_run=True),
    wrong("todo x", f"'x' {NOT_AN_OPTION.format('todo')}"), *is_switch("todo", "--json"),
    output_fails("todo --json"),
]
ATTACH = [
    *on_a_run("attach", ended=not_running),
    *(not_running(f"attach last --progress {how}") for how in ("auto", "tty", "plain", "json")),
    *(not_running(f"attach last --color {when}") for when in ("auto", "always", "never")),
    wrong("attach last --progress none", "--progress must be \"auto\", \"tty\", \"plain\" or \"json\", not 'none'"),
    wrong("attach last --color x", "--color must be \"auto\", \"always\" or \"never\", not 'x'"),
    *(no_value(f"attach last {option}", option) for option in ("--progress", "--color")),
    *(twice(f"attach last {option} auto {option} auto", option) for option in ("--progress", "--color")),
]

# With values with which a run that has finished can be "resumed".
RESUME_OPTIONS = {"--state-log": "new.ndjson", "--fsync": "never", "--pool": "own", "--pool-wait-secs": 0, "--wake": "true", "--on-end": "true",
                  "--agent": "\"exec,exec=echo '[]'\"", "--jobs": 2, "--log-file": "run.log", "--progress": "none",
                  "--color": "never", "--transcripts": "none", "--name": "again", "--keep-output": "1M",
                  "--budget-usd": 1, "--budget-tokens": 10, "--max-tasks": 10, "--max-depth": 10, "--max-run-seconds": 10}
RESUME_SWITCHES = ("--no-embedded-pool", "--no-agents", "--fail-fast", "--exit-when-waiting", "--no-redact", "--dry-run", "--detach")
NOTHING_TO_DO = found("nothing to do")

RESUME = [
    Row("resume last", err=NOTHING_TO_DO), Row("resume log.ndjson", err=NOTHING_TO_DO),
    Row("resume --run last", err=NOTHING_TO_DO),
    *(Row(f"resume last {option} {value}", err=NOTHING_TO_DO) for option, value in RESUME_OPTIONS.items()),
    Row("resume last --agents 1 --agent-exec cat", err=NOTHING_TO_DO),
    *(Row(f"resume last {switch}", err=NOTHING_TO_DO) for switch in RESUME_SWITCHES),
    *(empty(f"resume last {option} ''") for option in (*RESUME_OPTIONS, "--agents", "--agent-exec")),
    *(no_value(f"resume last {option}", option) for option in RESUME_OPTIONS),
    *(entry for option in RESUME_SWITCHES for entry in is_switch("resume last", option)),
    wrong("resume", "RUN is missing: the id of a run, or last"),
    wrong("resume last --config flow.jsonc", found("^barnum: unknown option '--config'")),
    refused("resume nothing", NO_RUN.format("nothing"), code=2, of="--run"),
    refused("resume folder", "folder is not the directory of a run: there is neither a run.json nor a state.ndjson in it", code=2),
    refused("resume ./nothing", found(NO_LOG + ".*/nothing: No such file or directory"), code=2),
]

NOTHING_TO_RETRY = found("nothing to retry: the run in .* has finished, and no task was dropped")

RETRY = [
    Row("retry last", err=NOTHING_TO_RETRY), Row("retry log.ndjson", err=NOTHING_TO_RETRY), Row("retry --run last", err=NOTHING_TO_RETRY),
    *(Row(f"retry last {option} {value}", err=NOTHING_TO_RETRY) for option, value in RESUME_OPTIONS.items()),
    Row("retry last --agents 1 --agent-exec cat", err=NOTHING_TO_RETRY),
    *(Row(f"retry last {switch}", err=NOTHING_TO_RETRY) for switch in RESUME_SWITCHES),
    *(Row(f"retry dropped.ndjson --dry-run {option}", out=found("Only")) for option in ("--task 0", "--task 0 --task 0", "--step Only")),
    *(empty(f"retry last {option} ''") for option in (*RESUME_OPTIONS, "--agents", "--agent-exec", "--task", "--step")),
    *(no_value(f"retry last {option}", option) for option in (*RESUME_OPTIONS, "--task", "--step")),
    *(entry for option in RESUME_SWITCHES for entry in is_switch("retry last", option)),
    *(wrong(f"retry last --task {value}", WHOLE_NUMBER.format("--task", "of at least 0 (for example 2)", value)) for value in ("-1", "x")),
    twice("retry last --step A --step B", "--step"),
    wrong("retry last --task 0 --step Only",
          "--task and --step cannot be combined: each of them says which dropped tasks are tried again"),
    refused("retry last --task 0", "task 0 was not dropped; no task of the run was", code=2),
    refused("retry dropped.ndjson --task 7", "there is no task 7 in the run", code=2),
    refused("retry dropped.ndjson --step Onyl", 'the run has no step "Onyl"; did you mean "Only"?', code=2),
    wrong("retry", "RUN is missing: the id of a run, or last"),
    wrong("retry last --config flow.jsonc", found("^barnum: unknown option '--config'")),
    refused("retry nothing", NO_RUN.format("nothing"), code=2, of="--run"),
    refused("retry folder", "folder is not the directory of a run: there is neither a run.json nor a state.ndjson in it", code=2),
    refused("retry ./nothing", found(NO_LOG + ".*/nothing: No such file or directory"), code=2),
]

SAME = found("the response is the same as the recorded one\n$")
REPLAY_OPTIONS = {"--value": "value.json", "--pool": "own", "--agent": "\"exec,exec=echo '[]'\"", "--agent-exec": "cat",
                  "--transcripts": "folder"}

REPLAY = [
    *(Row(f"replay {run}", out="[]\n", err=SAME)
      for run in ("last 0", "log.ndjson 0", "--run last --task 0", "--task=0 --run last", "last 0 --value '{\"a\": 1}'", "last 0 --no-agents")),
    *(Row(f"replay last 0 {option} {value}", out="[]\n", err=SAME) for option, value in REPLAY_OPTIONS.items()),
    Row("replay asking 0 --instructions notes.txt --agent-exec \"echo '[]'\"", out="[]\n", with_living_run=True,
        err=found("recorded: nothing yet, the attempt has not ended\n$")),
    wrong("replay", "RUN is missing: the id of a run, or last"),
    wrong("replay last", "ID is missing: a whole number of at least 0 (for example 2)"),
    *(wrong(f"replay last {value}", WHOLE_NUMBER.format("ID", "of at least 0 (for example 2)", value.split()[-1]), of="--task")
      for value in ("x", "1.5", "--task -1")),
    wrong("replay last 0 1", f"'1' {ONE_TOO_MANY.format('replay', 'RUN ID')}"),
    empty("replay '' 0", "RUN"), empty("replay last ''", "ID"), no_value("replay last --task", "--task"), no_value("replay --run", "--run"),
    twice("replay last 0 --run last", "--run"), twice("replay last 0 --task 0", "--task"),
    refused("replay nothing 0", NO_RUN.format("nothing"), code=2, of="--run"),
    refused("replay folder 0", "folder is not the directory of a run: there is neither a run.json nor a state.ndjson in it", code=2),
    refused("replay ./nothing 0", NO_LOG + "./nothing: No such file or directory", code=2),
    refused("replay flow.jsonc 0", found("^barnum: flow.jsonc is not a state log: "), code=74),
    refused("replay log.ndjson 7", "there is no task 7 in log.ndjson; the last one in it is 0", code=2),
    refused("replay last 0 --value nothing.json", found(f"^barnum: --value {TAKES}cannot read nothing.json"), code=2),
    refused("replay last 0 --value '{]'", found("^barnum: --value has 1 error; nothing was started:"), code=2),
    refused("replay last 0 --instructions notes.txt", "--instructions are for an agent, and task 0 Only is done by a shell command", code=2),
    refused("replay asking 0 --instructions nothing", "--instructions: the file nothing cannot be read: No such file or directory",
            code=2, with_living_run=True),
    refused("replay last 0 --pool 'a b'", found(POOL_ID), code=2),
    refused("replay last 0 --agent nobody", found("^barnum: --agent: "), code=2),
    *(entry for option in (*REPLAY_OPTIONS, "--instructions")
      for entry in (empty(f"replay last 0 {option} ''"), no_value(f"replay last 0 {option}", option))),
    *(twice(f"replay last 0 {option} 1 {option} 1", option) for option in (*REPLAY_OPTIONS, "--instructions") if option != "--agent"),
    *is_switch("replay last 0", "--no-agents"),
    Row("replay last 0", code=74, err=found("barnum: cannot write to stdout: No space left on device\n$"), stdout="/dev/full"),
]

RM = [
    refused("rm last nothing", NO_RUN.format("nothing"), code=2, of="--run"),
    refused("rm flow.jsonc", "flow.jsonc is not the state log of a run with a directory: there is nothing else to remove",
            code=2),
    refused("rm folder", "folder is not the directory of a run: there is neither a run.json nor a state.ndjson in it", code=2),
    wrong("rm", "RUN is missing: the id of a run, or last"),
    empty("rm ''", "RUN"), empty("rm --run ''"), no_value("rm --run", "--run"),
    refused("rm nothing --json", NO_RUN.format("nothing"), code=2, of="--run"), *is_switch("rm last", "--json"),
    Row("rm log.ndjson --run last --json", out=found('^{"removed":.{"id":".*","bytes":[1-9].*,"state_log_left":"{work}/log.ndjson"}.}\n$')),
    refused("rm last", "there is no run yet", code=2),
]

AGE = "--older-than must be a whole number with s, m, h, d or w (for example 30d), not '{}'"

PRUNE = [
    Row("prune", out="removed 0 runs, 0 bytes\n"),
    Row("prune --dry-run --keep 0", out=found("^would remove [0-9a-f-]+, .* kB\n  its state log is left: .*\n"
                                              "would remove 1 run, [0-9.]+ kB\n$")),
    Row("prune --keep 1", out="removed 0 runs, 0 bytes\n"), Row("prune --older-than 1h", out="removed 0 runs, 0 bytes\n"),
    *(wrong(f"prune --older-than {age}", AGE.format(age)) for age in ("x", "30", "1.5d", "99999999w")),
    *(wrong(f"prune --keep {value}", WHOLE_NUMBER.format("--keep", "of at least 0 (for example 2)", value))
      for value in ("-1", "x", "1.5")),
    Row("prune --max-size 1T", out="removed 0 runs, 0 bytes\n"),
    *(Row(f"prune --max-size {size}", out="removed 0 runs, 0 bytes\n") for size in ("900kB", "900KiB", "20gb")),
    *(wrong(f"prune --max-size {size}", f"--max-size must be {SIZE}, for example 20G, not '{size}'")
      for size in ("x", "1.5G", "20X", "99999999999999999999")),
    *(entry for option in ("--older-than", "--keep", "--max-size")
      for entry in (empty(f"prune {option} ''"), no_value(f"prune {option}", option), twice(f"prune {option} 1 {option} 1", option))),
    *is_switch("prune", "--dry-run"), *is_switch("prune", "--quiet"), *is_switch("prune", "--json"),
    Row("prune --quiet", out=""), Row("prune --json", out=is_json(dry_run=False, bytes=0, abandoned=0, removed=[])),
    wrong("prune --quiet --json", "--quiet and --json cannot be combined: the first prints nothing, the second what was removed"),
    wrong("prune x", f"'x' {NOT_AN_OPTION.format('prune')}"),
    output_fails("prune --dry-run"),
    Row("prune --keep=0", out=found("removed 1 run, ")),
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


VALUE_OPTIONS = ("--entrypoint-value", "--initial-state", "--state-log", "--resume-from", "--reuse", "--fsync", "--pool",
                 "--pool-wait-secs", "--agent", "--agents", "--agent-exec", "--budget-usd", "--budget-tokens", "--max-tasks", "--max-depth", "--max-run-seconds", "--wake", "--on-end", "--param", "--jobs",
                 "--log-file", "--progress", "--color", "--transcripts", "--name", "--keep-output")

RUN = [
    ran("flow.jsonc"), ran("--config flow.jsonc"), ran("--config=flow.jsonc"), ran("--fsync never flow.jsonc"),
    wrong("run", NO_CONFIG.format("--config")),
    wrong("run flow.jsonc --confg x", "unknown option '--confg'; did you mean \"--config\"?"),
    *no_configs("run", "; nothing was started"),
    *(empty(f"run flow.jsonc {option} ''") for option in VALUE_OPTIONS),
    *(no_value(f"run flow.jsonc {option}", option) for option in VALUE_OPTIONS),
    *(twice(f"run flow.jsonc {option} 1 {option} 1", option) for option in VALUE_OPTIONS if option not in ("--agent", "--param")),
    *(entry for option in ("--no-embedded-pool", "--no-agents", "--fail-fast", "--exit-when-waiting", "--no-redact", "--dry-run", "--stub",
                                "--detach")
      for entry in is_switch("run flow.jsonc", option)),
    *(Row(f"run {option} flow.jsonc", out=found("^[0-9a-f-]{36}\n$")) for option in ("--detach", "-d")),
    *(wrong(f"run flow.jsonc --detach {option}",
            f"--detach cannot be combined with {option}: it prints on this terminal, and has no run to continue elsewhere")
      for option in ("--dry-run", "--stub")),
    wrong("run flow.jsonc --detach --progress tty",
          "--detach cannot be combined with --progress tty: a detached run has no terminal"),
    # Values
    ran("flow.jsonc --entrypoint-value '{}'"), ran("flow.jsonc --entrypoint-value value.json"),
    *no_input("--entrypoint-value"),
    wrong("run flow.jsonc --entrypoint-value '{'", found("<inline>:1:2: error: ")),
    wrong("run flow.jsonc --entrypoint-value '{\"a\": \"" + 300 * "x" + "\", \"b\":}'", found("<inline>:1:315: error: ")),
    ran("flow.jsonc -p a=1"), ran("flow.jsonc --param a=1 -p b:=2 -p 'c:=[3]'"),
    *(run_wrong(f"-p {text}", f"-p must be name=text or name:=json (for example directory=src or count:=3), not '{text}'", of="--param")
      for text in ("x", "=1", ":=1")),
    run_wrong("-p a:=x", found("^barnum: -p a:=: line 1, column 1: ")),
    run_wrong("-p a=1 --param a:=2", '-p gives "a" more than once'),
    run_wrong("-p a=1 --entrypoint-value 1", "-p cannot be combined with --entrypoint-value: the first gives the members of the "
              "value one by one, the second all of it"),
    run_wrong("-p a=1 --initial-state []", "-p cannot be combined with --initial-state: it gives the value of the entrypoint's "
              "task, and the run begins with other tasks"),
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
                           ("--entrypoint-value 1", "--entrypoint-value"), ("--initial-state []", "--initial-state"),
                           ("-p a=1", "-p"))),
    Row("run --resume-from last", err=found("nothing to do")),
    refused("run --resume-from nothing", NO_RUN.format("nothing"), code=2),
    refused("run --resume-from ./nothing", NO_LOG + "./nothing: No such file or directory", code=2),
    refused("run --resume-from folder", "folder is not the directory of a run: there is neither a run.json nor a state.ndjson in it", code=2),
    refused("run --resume-from flow.jsonc", found("^barnum: flow.jsonc is not a state log: "), code=74),
    ran("flow.jsonc --reuse log.ndjson"), ran("flow.jsonc --reuse last"),
    refused("run flow.jsonc --reuse nothing", found("^barnum: --reuse: there is neither a run nor a file nothing"), code=2),
    refused("run flow.jsonc --reuse ./nothing", found("^barnum: --reuse: .*/nothing: No such file or directory"), code=2),
    refused("run flow.jsonc --reuse flow.jsonc", found("^barnum: --reuse: .*flow.jsonc is not a state log: "), code=74),
    wrong("run --reuse last --resume-from log.ndjson",
          "--resume-from cannot be combined with --reuse: a resumed run reuses the results that it reused before"),
    wrong("run flow.jsonc --reuse last --stub", "--stub cannot be combined with --reuse: its responses are made up"),
    *choice("--fsync", '"always", "interval" or "never"', "always", "interval", "never"),
    *choice("--progress", '"auto", "tty", "plain", "json" or "none"', "auto", "tty", "plain", "json", "none"),
    *choice("--color", '"auto", "always" or "never"', "auto", "always", "never"),
    *(ran(f"flow.jsonc --keep-output {value}") for value in ("1", "256K", "256k", "50kB", "2MiB", "1G", "all", "none")),
    *(run_wrong(f"--keep-output {value}",
                f"--keep-output must be all, none, or a number of bytes from 1: {SIZE}, for example 256K, not '{value}'")
      for value in ("0", "x", "1.5M", "-1", "99999999999G")),
    ran("flow.jsonc --no-redact"), ran("flow.jsonc --exit-when-waiting"),
    # Pools and agents
    ran("pool.jsonc --agents 1 --agent-exec \"echo '[]'\""),
    ran("pool.jsonc --agents=2 --agent-exec=\"echo '[]'\" --pool own"),
    ran("pool.jsonc --fail-fast --agents 1 --agent-exec \"echo '[]'\""),
    ran("flow.jsonc --budget-usd 2.5 --budget-tokens 100"), ran("flow.jsonc --budget-usd=0.01"),
    *number("--budget-tokens", "from 1 to 1000000000000000 (for example 3)", "0", "-1"),
    ran("flow.jsonc --max-tasks 10 --max-depth 5 --max-run-seconds 60.5"),
    *number("--max-tasks", "from 1 to 4294967295 (for example 3)", "0", "-1", "4294967296"),
    *number("--max-depth", "from 1 to 4294967295 (for example 3)", "0", "-1", "4294967296"),
    *(run_wrong(f"--max-run-seconds {value}", f"--max-run-seconds must be a number of seconds from 0.001 to 1000000000 "
                f"(for example 1.5), not '{value}'") for value in ("0", "-1", "x", "nan", "1e10", "1e-300", "0.0009")),
    *(run_wrong(f"--budget-usd {value}", f"--budget-usd must be a number of dollars from 0.000001 to 1000000000 (for "
                f"example 1.5), not '{value}'") for value in ("0", "-1", "x", "nan", "1e10", "1e-300", "0.0000009")),
    refused("run pool.jsonc --agent codex --budget-usd 1",
            "--agent: the budget is in dollars, and codex does not tell what a task costs; give its agents prices, in "
            "dollars per million tokens, or a model whose price is known, such as gpt-5.5, or set a budget in tokens", code=2),
    ran("flow.jsonc --pool own"), ran("flow.jsonc --no-embedded-pool"), ran("flow.jsonc --pool-wait-secs 0"),
    refused("run flow.jsonc --pool a/b", f"'a/b' {POOL_ID}", code=2),
    refused("run flow.jsonc --pool {long}", f"'{{long}}' {POOL_ID}", code=2),
    refused("run flow.jsonc --pool {latin1}", found("' is no pool id: "), code=2),
    refused("run pool.jsonc --no-embedded-pool --pool-wait-secs 0", found("barnum: |ERROR "), code=69, of="run"),
    *number("--pool-wait-secs", "from 0 to 100000000 (for example 300)", "-1", "100000001"),
    *number("--agents", "from 0 to 10000 (for example 2)", "-1", "10001", before="--agent-exec cat "),
    *(run_wrong(line, "--agents K and --agent-exec CMD must be given together: how many agents, and what each of them runs")
      for line in ("--agents 2", "--agent-exec cat", "--agents 0 --agent-exec cat")),
    run_wrong("--agents 1 --agent-exec cat --no-embedded-pool",
              "--no-embedded-pool cannot be combined with agents of the run's own unless --pool is given: without --pool the "
              "run hosts a pool for its agents (--agents, --agent, and those of the config, which --no-agents leaves out); "
              "give the pool that they are to serve with --pool"),
    ran("pool.jsonc --agent \"exec=2,exec=echo '[]'\""),
    ran("flow.jsonc --transcripts none"), ran("flow.jsonc --transcripts=folder"),
    ran("pool.jsonc --agent 'exec,exec=exit 75,labels=other' --agent=\"exec,exec=echo '[]'\" --pool own --no-agents"),
    run_wrong("--agent claud", '--agent: unknown kind of agent "claud"; did you mean "claude"?'),
    run_wrong("--agent claude,modle=x", '--agent: unknown setting "modle" of an agent; did you mean "model"?'),
    run_wrong("--agent codex,max_turns=2",
              "--agent: max_turns is not available for codex: the program has no option for it"),
    run_wrong("--agent gemini,effort=high",
              "--agent: effort is not available for gemini: the program has no option for it; claude and codex have one"),
    run_wrong("--agent claude,effort=hihg", '--agent: effort must be "minimal", "low", "medium", "high", "xhigh" or "max", '
              'not "hihg"; did you mean "high"?'),
    run_wrong("--agent claude=0", '--agent: count must be a whole number from 1 to 10000, not "0"'),
    # The rest
    ran("flow.jsonc --wake true"), ran("flow.jsonc --on-end true"),
    refused("run flow.jsonc --wake 'echo no power >&2; exit 7'", found("the --wake script exited with code 7"),
            of="--wake"),
    ran("flow.jsonc --jobs 1"), ran("flow.jsonc --name nightly"),
    *(run_wrong(f"--name {name}", "--name must be 1 to 64 letters, digits, '_', '-' and '.', begin with a letter or a digit, and "
                f"not be `last`, not '{name}'") for name in ("last", "a/b", "@")),
    *number("--jobs", "from 1 to 100000 (for example 3)", "0", "-1", "100001"),
    Row("run flow.jsonc --dry-run", out=found("^The run would do the following; nothing is started or created\\.\n")),
    Row("run flow.jsonc --stub", out=found("^task 0 Only ")),
    wrong("run flow.jsonc --dry-run --stub",
          "--dry-run and --stub cannot be combined: the first only prints the start of a run, the second walks through all "
          "of it"),
    wrong("run --resume-from log.ndjson --stub", found("^barnum: --stub cannot be combined with --resume-from")),
    wrong("run flow.jsonc --state-log other.ndjson --stub", found("^barnum: --stub cannot be combined with --state-log")),
    wrong("run flow.jsonc --wake true --stub", found("^barnum: --stub cannot be combined with --wake")),
    wrong("run flow.jsonc --on-end true --stub", found("^barnum: --stub cannot be combined with --on-end")),
    wrong("run flow.jsonc --agents 1 --agent-exec cat --stub", found("^barnum: --stub cannot be combined with --agents")),
    wrong("run flow.jsonc --agent claude --stub", found("^barnum: --stub cannot be combined with --agent: ")),
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

WHY = [
    Row("why last 0", out="task 0 Only: no result was reused: the run was started without --reuse\n"),
    Row("why last 0 --json", out=is_json(task_id=0, step="Only", reused=False)), *is_switch("why last 0", "--json"),
    Row("why log.ndjson --task 0", out=found("^task 0 Only: ")), Row("why --run=log.ndjson --task=0", out=found("^task 0 Only: ")),
    wrong("why", "RUN is missing: the id of a run, or last"),
    wrong("why last", "ID is missing: a whole number of at least 0 (for example 2)"),
    empty("why '' 0", "RUN"), empty("why last ''", "ID"),
    no_value("why last --task", "--task"), no_value("why 0 --run", "--run"),
    wrong("why last 0 1", f"'1' {ONE_TOO_MANY.format('why', 'RUN ID')}"),
    twice("why last --task 0 --task 0", "--task"), twice("why --run last --run last 0", "--run"),
    *(wrong(f"why last {value}", WHOLE_NUMBER.format("ID", "of at least 0 (for example 2)", value), of="--task") for value in ("x", "1.5")),
    refused("why last 7", found("^barnum: there is no task 7 in .*; the last one in it is 0"), code=2),
    refused("why nothing 0", NO_RUN.format("nothing"), code=2, of="--run"),
    refused("why ./nothing 0", NO_LOG + "./nothing: No such file or directory", code=2),
    refused("why flow.jsonc 0", found("^barnum: flow.jsonc is not a state log: "), code=74),
    output_fails("why last 0"),
]

MCP = [
    Row("mcp"), Row("mcp --allow-dir . --allow-dir folder --allow-answers"), Row("mcp --allow-dir=."),
    no_value("mcp --allow-dir", "--allow-dir"), empty("mcp --allow-dir ''"),
    refused("mcp --allow-dir nothing", "--allow-dir: nothing: No such file or directory; name a directory that is there", code=2),
    refused("mcp --allow-dir flow.jsonc", "--allow-dir: flow.jsonc is not a directory", code=2),
    *is_switch("mcp", "--allow-answers"),
    *(Row(f"mcp --setup {client}", out=found(r"barnum"))
      for client in ("claude", "codex", "gemini", "cursor", "vscode", "json")),
    Row("mcp --setup cursor --write --allow-answers", out=found(r"/.cursor/mcp.json:\n.*\+ .*\"--allow-answers\"")),
    wrong("mcp --setup emacs", found("--setup must be \"claude\", .*, not 'emacs'")),
    no_value("mcp --setup", "--setup"),
    wrong("mcp --write", "--write needs --setup CLIENT"),
    wrong("mcp --setup json --write", "--write knows no file of --setup json; copy what it prints"),
    output_fails("mcp --setup claude"),
    wrong("mcp me", f"'me' {NOT_AN_OPTION.format('mcp')}"),
]

COMPLETION = [
    *(Row(f"completion {shell}", out=found("barnum")) for shell in ("bash", "zsh", "fish")),
    Row("completion --shell bash", out=found("complete -F _barnum_complete barnum")),
    wrong("completion", 'SHELL is missing: "bash", "zsh" or "fish"'),
    wrong("completion --shell ksh", "SHELL must be \"bash\", \"zsh\" or \"fish\", not 'ksh'"),
    empty("completion ''", "SHELL"),
    output_fails("completion bash"),
]

SERVED = found(r"^http://127\.0\.0\.1:\d+/#token=[0-9a-f]{64}\n$")
ENDS = found("INFO  the page is served at http.*INFO  ending\n$")


def serves(options, **more):
    return Lasting(f"serve {options}", until="the page is served at", **({"out": SERVED, "err": ENDS} | more))


SERVE = [
    serves("--listen 127.0.0.1:0"), serves("--listen=localhost:0"), serves("--listen 127.0.0.1:0 --insecure"),
    serves("--listen 127.0.0.1:0 --open", env={"BROWSER": "true"}),
    serves("--listen [::1]:0", out=found(r"^http://\[::1\]:\d+/#token=")),
    serves("--listen 0.0.0.0:0 --insecure", err=found("WARN  other machines can reach .*everybody on the network between")),
    serves("--listen 127.0.0.1:0", stdout="/dev/full", out="", code=74, err=found("WARN  cannot write the address to stdout")),
    *(refused(f"serve --listen {value}",
              f"--listen: '{value}' is not an address to listen on: write an IP address and a port, for example "
              "127.0.0.1:7420 or [::1]:7420", code=2)
      for value in ("x", "7420", ":7420", "127.0.0.1", "127.0.0.1:65536", "example.org:80", "::1:80")),
    *(refused(f"serve --listen {value}", found("^barnum: other machines can reach .*--tls-cert and --tls-key"), code=2)
      for value in ("0.0.0.0:0", "[::]:0", "192.0.2.1:0")),
    wrong("serve --tls-cert a", "--tls-cert and --tls-key belong together: give both"),
    wrong("serve --tls-key a", "--tls-cert and --tls-key belong together: give both"),
    refused("serve --listen 127.0.0.1:0 --tls-cert nothing --tls-key nothing",
            found("^barnum: cannot read the .*nothing: No such file or directory"), code=2),
    *(entry for option in ("--listen", "--tls-cert", "--tls-key")
      for entry in (empty(f"serve {option} ''"), no_value(f"serve {option}", option), twice(f"serve {option} a {option} b", option))),
    *is_switch("serve", "--open"), *is_switch("serve", "--insecure"),
    wrong("serve x", f"'x' {NOT_AN_OPTION.format('serve')}"),
]

TABLE = {"general": GENERAL, "version": VERSION, "config": CONFIG, "config validate": VALIDATE, "config docs": DOCS,
         "config graph": GRAPH, "config schema": SCHEMA, "inspect": INSPECT, "logs": LOGS, "ps": PS, "report": REPORT, "serve": SERVE, "resume": RESUME, "retry": RETRY,
         "replay": REPLAY, "why": WHY, "rm": RM, "prune": PRUNE,
         "todo": TODO, "answer": ANSWER, "run": RUN, "wait": WAIT, "cancel": CANCEL, "pause": PAUSE, "continue": CONTINUE, "scale": SCALE, "attach": ATTACH, "man": MAN, "mcp": MCP,
         "completion": COMPLETION}
