"""The images that a task names: the model sees them, and nothing else is given to it in their place."""

import base64
import json
import os
import struct
import zlib

from harness.agent_programs import KINDS, AgentProgramCase, for_each
from harness.workflow import WorkflowCase, emit, pool, step

LIMIT = 5_000_000
SETTINGS = {"gemini": "gemini,model=gemini-3.1-pro-preview", "acp": "acp,exec=gemini --acp --skip-trust -m gemini-3.1-pro-preview"}
# A program that speaks the Agent Client Protocol as far as its first answer.
NO_IMAGES = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"jsonrpc": "2.0", "id": json.loads(line)["id"],
                      "result": {"protocolVersion": 1, "agentCapabilities": {"promptCapabilities": {"audio": True}}}}), flush=True)
"""


# Values without a path at "/picture".
WRONG = ({}, {"picture": 5}, {"picture": ["a", 5]}, {"picture": {"path": "a"}})


def png(width=8, height=8, noise=False):
    """A valid picture. With `noise`, its size is about that of its pixels."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = b"".join(b"\0" + (os.urandom(3 * width) if noise else b"\x20\x40\x80" * width) for _ in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def look(*pointers, **options):
    """A step that names images."""
    action = pool("What is it?") | {"images": pointers}
    return step("Look", action, options={"max_retries": 0, "timeout": 120} | options)


class ImageCase(AgentProgramCase, WorkflowCase):
    def picture(self, name="a.png", data=None):
        """Writes a picture into the directory of the agents; returns its bytes as models get them."""
        path = self.work / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data or png())
        return base64.b64encode(path.read_bytes()).decode()

    def look(self, kind, value, *pointers, settings="", **options):
        """The end of a run with that task, and the requests to the model."""
        model = self.model(kind, [{"tasks": []}])
        result = self.start_run([look(*(pointers or ["/picture"]), **options)], "--entrypoint-value", json.dumps(value),
                                "--agent", SETTINGS.get(kind, kind) + settings, entrypoint="Look",
                                env=self.environment(kind, model.url)).result()
        return result, model.requests

    def assert_fails(self, value, reason, *pointers, kind="claude", **how):
        result, requests = self.look(kind, value, *pointers, **how)
        self.assert_exit(result, 1)
        self.assertIn(reason, result.err)
        self.assertEqual(requests, [])
        return result


class Images(ImageCase):
    @for_each((*KINDS, "acp"))
    def test_the_model_sees_the_images_of_its_task(self, kind):
        one, two = self.picture("a.png"), self.picture("more/b.png", png(9, 9))
        result, requests = self.look(kind, {"picture": "a.png", "rest": ["more/b.png"]}, "/picture", "/rest")
        self.assert_exit(result, 0)
        (request,) = requests
        self.assertLess(request.text.index(one), request.text.index(two))
        self.assertIn('1. "a.png"\n2. "more/b.png"', " ".join(request.said("user")).replace("\\", ""))

    @for_each((*KINDS, "acp"))
    def test_so_it_does_a_large_one(self, kind):
        """Some programs make it smaller."""
        self.picture(data=png(1200, 1200, noise=True))
        result, requests = self.look(kind, {"picture": "a.png"})
        self.assert_exit(result, 0)
        self.assertGreater(len(requests[0].text), 500_000)

    def test_a_task_without_images_has_an_empty_array(self):
        result, requests = self.look("claude", {"picture": []})
        self.assert_exit(result, 0)
        self.assertNotIn("images of this task", requests[0].text)

    def test_a_repair_does_not_send_them_again(self):
        one = self.picture()
        model = self.model("claude", [{"text": "What a picture"}, {"tasks": []}])
        self.assert_run(self.start_run([look("/picture")], "--entrypoint-value", '{"picture": "a.png"}', "--agent", "claude",
                                       entrypoint="Look", env=self.environment("claude", model.url)).result())
        self.assertEqual(model.requests[-1].text.count(one), 1)

    def test_a_submitter_of_its_own_names_them(self):
        one = self.picture()
        model = self.model("claude", [{"tasks": []}])
        self.pool.start()
        self.start_agent("claude", model)
        content = {"task": {"kind": "Look", "value": 1}, "instructions": "What is it?", "images": ["a.png"]}
        self.assertEqual(self.pool.submit(content).json()["stdout"], "[]")
        self.assertIn(one, model.requests[0].text)


class Refused(ImageCase):
    def test_what_does_not_lie_in_the_directory(self):
        """A link is what it leads to. With full permissions, all files may be shown."""
        one = base64.b64encode(png()).decode()
        (self.home / "other.png").write_bytes(png())
        (self.work / "link.png").symlink_to("../other.png")
        (self.work / "inside.png").symlink_to(self.work / "a.png")
        self.picture()
        for path in ("../other.png", str(self.home / "other.png"), "link.png", "/proc/self/cwd/../other.png"):
            self.assert_fails({"picture": path}, f'the image "{path}": it does not lie in ')
        self.assert_fails({"picture": "link.png"}, 'does not lie in ', settings=",permissions=edit")
        result, requests = self.look("claude", {"picture": "inside.png"})
        self.assert_exit(result, 0)
        self.assertIn(one, requests[0].text)
        result, requests = self.look("codex", {"picture": ["link.png", str(self.home / "other.png")]}, settings=",permissions=full")
        self.assert_exit(result, 0)
        self.assertEqual(requests[0].text.count(one), 2)

    def test_what_is_no_image(self):
        (self.work / "text.png").write_text("an image, honestly")
        (self.work / "empty.png").touch()
        (self.work / "large.png").write_bytes(png() + bytes(LIMIT))
        os.mkfifo(self.work / "pipe.png")
        (self.work / "null.png").symlink_to("/dev/null")
        for path, reason in {"text.png": "it is no PNG, JPEG, GIF or WebP image", "empty.png": "it is no PNG", "": "it is not a regular",
                             "large.png": "it is larger than 5 MB", "pipe.png": "it is not a regular file",
                             "null.png": "it does not lie in", "none.png": "it cannot be opened: No such file or directory",
                             "a\0.png": "its path has a NUL character"}.items():
            with self.subTest(path):
                self.assert_fails({"picture": path}, reason)

    def test_too_many_and_too_large_ones_in_all(self):
        for n in range(21):
            self.picture(f"{n}.png", png() + bytes(LIMIT - 1000))
        self.assert_fails({"picture": [f"{n}.png" for n in range(21)]}, "the task names 21 images; a model is given at most 20")
        self.assert_fails({"picture": [f"{n}.png" for n in range(5)]}, 'larger than 20 MB in all, with "4.png"')

    def test_the_attempt_has_failed_with_the_name_images(self):
        result = self.assert_fails({"picture": "none.png"}, "none.png", max_retries=1)
        self.assertIn("attempt 1 of 2", result.err)
        (log,) = self.home.rglob("state.ndjson")
        self.assertIn('"failure":"images"', log.read_text())

    def test_a_place_in_the_value_that_has_no_path(self):
        """Trying again would not help."""
        for value in WRONG:
            begin = step("Begin", emit(("Look", value)), ["Look"])
            result = self.start_run([begin, look("/picture", max_retries=3)], "--agents", "1", "--agent-exec", "echo '[]'").result()
            self.assert_exit(result, 1)
            self.assertIn('"images" of the step: the value of the task has ', result.err)
            self.assertNotIn("again as task", result.err)

    def test_a_program_that_takes_none(self):
        script = self.work / "program"
        script.write_text(NO_IMAGES)
        self.picture()
        result = self.start_run([look("/picture")], "--entrypoint-value", '{"picture": "a.png"}', "--agent",
                                f"acp,exec=python3 {script}", entrypoint="Look").result()
        self.assert_exit(result, 1)
        self.assertIn("the program takes no images (promptCapabilities.image is not true)", result.err)


class Commands(ImageCase):
    needs_programs = False

    def test_an_agent_of_the_kind_exec_is_told_their_paths(self):
        self.assert_run(self.start_run([look("/picture", "/rest")], "--entrypoint-value", '{"picture": "a.png", "rest": ["b", "c"]}',
                                       "--agents", "1", "--agent-exec", "jq -c .images >seen; echo '[]'", entrypoint="Look").result())
        self.assertEqual((self.work / "seen").read_text(), '["a.png","b","c"]\n')


class Checked(ImageCase):
    """Before a run begins, as far as the values are known."""
    needs_programs = False

    def test_places_that_the_schema_excludes_are_errors_of_the_config(self):
        schema = {"type": "object", "properties": {"picture": {"type": "string"}, "size": {"type": "integer"}},
                  "additionalProperties": False}
        path = self.write_config([look("/picture", "/pictures", "/size") | {"value_schema": schema}], entrypoint="Look")
        for command in (["config", "validate"], ["run", "--dry-run", "--config"], ["run", "--stub", "--config"]):
            result = self.run_program("barnum", *command, path)
            self.assert_exit(result, 2)
            for pointer, keyword in (("/pictures", "/additionalProperties"), ("/size", "/properties/size/type")):
                self.assertIn(f'error: "images" has "{pointer}", where no value that fits the schema of "Look" has the path of a file or '
                              f'an array of paths (schema: {keyword})\n', result.err)
            self.assertNotIn('"/picture",', result.err)

    def test_a_first_task_without_them_is_not_begun(self):
        path = self.write_config([look("/picture")], entrypoint="Look")
        for mode, value in ((mode, value) for mode in (["--dry-run"], ["--stub"], []) for value in WRONG):
            result = self.run_program("barnum", "run", *mode, "--config", path, "--entrypoint-value", json.dumps(value))
            self.assert_exit(result, 2)
            self.assertIn('a first task of "Look" would fail: "images" of the step: the value of the task has ', result.err)
        self.assert_exit(self.run_program("barnum", "run", "--stub", "--config", path), 0)

    def test_a_stub_tells_of_values_that_fit_the_schema_and_have_none(self):
        schema = {"type": "object", "properties": {"picture": {"type": "string"}}}
        steps = [step("Begin", "echo '[]'", ["Look"]), look("/picture") | {"value_schema": schema}]
        told = 'Look: a task with the value {}, which fits the schema, would fail: "images" of the step: '
        result = self.run_program("barnum", "run", "--stub", "--config", self.write_config(steps))
        self.assert_exit(result, 1)
        self.assertIn(told, result.err)
        steps[1]["value_schema"] = schema | {"required": ["picture"]}
        self.assert_exit(self.run_program("barnum", "run", "--stub", "--config", self.write_config(steps)), 0)

    def test_a_pre_hook_may_add_them(self):
        steps = [look("/picture") | {"value_schema": {"type": "object", "additionalProperties": False},
                                     "pre": {"kind": "Command", "script": "echo '{\"picture\": []}'"}}]
        self.assert_run(self.start_run(steps, "--agents", "1", "--agent-exec", "echo '[]'", entrypoint="Look").result())
