"""Pre, post and finally hooks (docs/hooks.md)."""

import json

from harness import windows
from harness.workflow import KEEP, WorkflowCase, command, emit, step

def save(name):
    """A post hook that passes its input through, and keeps it as a line of that file."""
    return command(f"cat > {name}.tmp; cat {name}.tmp; {{ tr -d '\\n' < {name}.tmp; echo; }} >> {name}")


class Hooks(WorkflowCase):
    def lines(self, name):
        path = self.work / name
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def test_a_pre_hook_gets_the_value_and_changes_it_for_the_action(self):
        self.assert_run(self.run_workflow([step("Only", KEEP, pre=command("jq -c '. + {sha: env.SHA}'"))],
                                          "--entrypoint-value", '{"file": "a"}', env={"SHA": "abc"}))
        self.assert_seen(("Only", {"file": "a", "sha": "abc"}))

    def test_a_pre_hooks_value_keeps_its_text_and_is_not_held_against_the_schema(self):
        self.assert_run(self.run_workflow([step("Only", KEEP, pre=command("echo '[1.0, 1e400]'"),
                                                value_schema={"type": "object"})]))
        self.assertEqual(self.seen_text(), ['{"kind":"Only","value":[1.0,1e400]}'])

    def test_a_post_hook_sees_success_and_may_change_what_is_next(self):
        self.assert_run(self.run_workflow([
            step("Split", emit(("Keep", {"priority": "high"}), ("Keep", {"priority": "low"})), ["Keep"],
                 post=command("tee post | jq -c '.next = [.next[] | select(.value.priority == \"high\")]'")),
            step("Keep", KEEP)], "--entrypoint-value", '{"in": 1}'))
        self.assert_seen(("Keep", {"priority": "high"}))
        seen = json.loads((self.work / "post").read_text())
        self.assertEqual((seen["kind"], seen["input"]), ("Success", {"in": 1}))
        self.assertEqual([t["value"]["priority"] for t in seen["next"]], ["high", "low"])
        self.assertIn("output", seen)

    def test_a_post_hooks_next_is_validated_like_an_agents(self):
        for next_ in ('[{"kind": "Nowhere", "value": 1}]', '[{"kind": "Keep", "value": "x"}]', '"none"'):
            result = self.run_workflow([step("Split", emit(("Keep", 1)), ["Keep"],
                                             post=command(f"jq -c '.next = {next_}'")),
                                        step("Keep", KEEP, value_schema={"type": "integer"})])
            self.assert_run(result, 1)
        self.assert_seen()

    def test_a_post_hook_sees_an_error_and_may_recover(self):
        self.assert_run(self.run_workflow([
            step("Bad", "echo broken >&2; exit 3", ["Keep"],
                 post=command("tee post | jq -c '{kind: \"Success\", input: .input, output: null,"
                              " next: [{kind: \"Keep\", value: .kind}]}'")), step("Keep", KEEP)]))
        self.assert_seen(("Keep", "Error"))
        seen = json.loads((self.work / "post").read_text())
        self.assertIsInstance(seen["error"], str)
        self.assertEqual(set(seen), {"kind", "input", "error"})

    def test_a_post_hook_sees_a_timeout(self):
        for timeout in windows():  # the hook has as much
            self.assert_run(self.run_workflow([step("Slow", "sleep 1000", options={"timeout": timeout}, post=save("post"))],
                                              "--entrypoint-value", "7"), 1)
            if self.lines("post"):
                break
        self.assertEqual(self.lines("post"), [{"kind": "Timeout", "input": 7}])

    def test_a_failed_pre_hook_skips_the_action_and_is_told_to_the_post_hook(self):
        self.assert_run(self.run_workflow([step("Only", "touch ran; echo '[]'", pre=command("echo why >&2; exit 2"),
                                                post=save("post"), options={"max_retries": 1})],
                                          "--entrypoint-value", "7"), 1)
        self.assertFalse((self.work / "ran").exists())
        self.assertEqual([(p["kind"], p["input"]) for p in self.lines("post")], [("PreHookError", 7)] * 2)
        self.assertIsInstance(self.lines("post")[0]["error"], str)

    def test_a_post_hook_may_turn_a_success_into_an_error(self):
        post = command("jq -c '{kind: \"Error\", input: .input, error: \"no\"}'")
        self.assert_run(self.run_workflow([step("Only", emit(("Keep", 1)), ["Keep"], post=post),
                                           step("Keep", KEEP)]), 1)
        self.assert_seen()

    def test_a_hook_that_fails_or_prints_no_json_fails_the_attempt_which_is_tried_again_whole(self):
        for hook in ({"post": command("cat > /dev/null; exit 1")}, {"post": command("echo nonsense")},
                     {"post": command("echo '{}'")}, {"pre": command("echo nonsense")}):
            (self.work / "tries").unlink(missing_ok=True)
            self.assert_run(self.run_workflow([step("Only", "echo x >> tries; echo '[]'", **hook,
                                                    options={"max_retries": 2})]), 1)
            self.assertEqual(self.count("tries"), 3 if "post" in hook else 0, hook)

    def test_a_failed_post_hook_does_not_hide_why_the_action_failed(self):
        result = self.run_workflow([step("Work", "echo the real reason >&2; exit 9", post=command("exit 5"))])
        self.assert_run(result, 1)
        for text in ("exited with code 5", "before that: ", "exited with code 9", "the real reason"):
            self.assertIn(text, result.err)

    def test_each_phase_has_the_whole_timeout(self):
        for timeout in windows():
            hook, action = (command(f"sleep {timeout * 0.4}; {then}") for then in ("cat", "echo '[]'"))
            result = self.run_workflow([step("Only", action, pre=hook, post=hook, options={"timeout": timeout})])
            if result.code == 0:
                break
        self.assert_run(result)

    def test_hooks_find_the_same_environment_as_commands(self):
        look = "echo $BARNUM_STEP $BARNUM_ATTEMPT $BARNUM_CONFIG_DIR > %s.env; "
        hooks = {hook: command(look % hook + ("echo '[]'" if hook == "finally" else "cat"))
                 for hook in ("pre", "post", "finally")}
        self.assert_run(self.run_workflow([step("Only", "echo '[]'", **hooks)]))
        for hook in hooks:
            self.assertEqual((self.work / f"{hook}.env").read_text().split(), ["Only", "1", str(self.work)])


def with_finally(made, script):
    return made | {"finally": command(script)}


class Finally(WorkflowCase):
    def test_it_runs_after_all_descendants_with_the_tasks_value(self):
        self.assert_run(self.run_workflow([
            with_finally(step("Root", emit(("Child", 1), ("Child", 2)), ["Child"]),
                         "echo finally >> order; jq -c '[{kind: \"Keep\", value: .}]'"),
            step("Child", emit(("Grandchild", 1)), ["Grandchild"]),
            step("Grandchild", "sleep 0.3; echo grandchild >> order; echo '[]'"),
            step("Keep", KEEP)], "--entrypoint-value", '{"x": 1.0}'))
        self.assertEqual((self.work / "order").read_text().split(), ["grandchild", "grandchild", "finally"])
        self.assert_seen(("Keep", {"x": 1.0}))

    def test_it_runs_at_once_for_a_task_without_children_and_after_a_drop(self):
        for script, code in (("echo '[]'", 0), ("exit 1", 1)):
            self.assert_run(self.run_workflow([with_finally(step("Only", script, options={"max_retries": 1}),
                                                            "echo x >> finally; echo '[]'")]), code)
        self.assertEqual(self.count("finally"), 2)

    def test_it_runs_even_if_descendants_failed(self):
        self.assert_run(self.run_workflow([
            with_finally(step("Root", emit(("Bad", 1), ("Good", 1)), ["Bad", "Good"]), "echo x >> finally; echo '[]'"),
            step("Bad", "exit 1"), step("Good", "echo '[]'")]), 1)
        self.assertEqual(self.count("finally"), 1)

    def test_it_may_emit_any_step_and_an_outer_one_waits_for_what_it_emitted(self):
        self.assert_run(self.run_workflow([
            with_finally(step("Outer", emit(("Inner", 1)), ["Inner"]), "echo outer >> order; echo '[]'"),
            with_finally(step("Inner", "echo '[]'"), "echo inner >> order; " + emit(("Late", 1))),
            step("Late", "sleep 0.3; echo late >> order; echo '[]'")]))
        self.assertEqual((self.work / "order").read_text().split(), ["inner", "late", "outer"])

    def test_its_failure_is_retried_then_logged_and_the_workflow_goes_on(self):
        result = self.run_workflow([
            step("Root", emit(("Sad", 1), ("Keep", 1)), ["Sad", "Keep"]),
            with_finally(step("Sad", "echo '[]'", options={"max_retries": 2}), "echo x >> tries; exit 1"),
            step("Keep", "sleep 0.5; " + KEEP)])
        self.assert_run(result, 1)
        self.assertEqual(self.count("tries"), 3)
        self.assert_seen(("Keep", 1))
        self.assertIn("Sad", result.err)

    def test_what_it_emits_is_validated(self):
        self.assert_run(self.run_workflow([
            with_finally(step("Root", "echo '[]'"), emit(("Keep", "text"))),
            step("Keep", KEEP, value_schema={"type": "integer"})]), 1)
        self.assert_seen()
