// Uses everything that `barnum mcp` offers, and prints what it got as one JSON object. The configs flow.json (a task fails
// unless there is a file `mended`), wait.json (a task waits for a file `go`) and ask.json (a task waits for a person) are in
// the current directory.

import { writeFileSync } from "node:fs";
import { callerOf, connect, giveUp, offerOf, readText, refusalOf, subscribe } from "./connect.mjs";

const cautious = await connect();
const without = (await cautious.listTools()).tools.map((tool) => tool.name);
const refused_answer = await refusalOf(cautious.callTool({ name: "answer_human", arguments: { run: "last", task: 0 } }));
await cautious.close();

const client = await connect("--allow-answers");
const got = { ...await offerOf(client), without, refused_answer };
const { call, results } = callerOf(client);
const end = async (run) => {
  const result = await call("wait_run", { run, wait_seconds: 45 });
  if (result.kind !== "Wait") return result;
  results.pop();
  return end(run);
};

await call("validate_workflow", { config: '{"entrypoint": "X", "steps": []}' });
await call("validate_workflow", { config: "flow.json" });
await call("dry_run_workflow", { config: "flow.json", entrypoint_value: { n: 1 } });
got.drawing = await call("draw_workflow", { config: "flow.json" });

const { run } = await call("start_run", { config: "flow.json", name: "mine" });
got.ended = await end(run);
got.status = await call("run_status", { run });
got.listed = (await call("list_runs", { all: true })).runs.map((listed) => listed.run);
got.failures = await call("list_failures", { run });
got.found = await call("list_tasks", { run, state: "dropped" });
got.task = await call("read_task", { run, task: 1 });
got.logs = await call("read_logs", { run, task: 1 });
await call("retry_run", { run, tasks: [0] });
writeFileSync("mended", "");
got.retried = await end((await call("retry_run", { run, tasks: [1] })).run);

const waiting = (await call("start_run", { config: "wait.json" })).run;
const subscription = await subscribe(client, `barnum://runs/${waiting}`);
await call("run_status", { run: waiting });
got.progress = [];
await call("wait_run", { run: waiting, wait_seconds: 1 }, { onprogress: (progress) => got.progress.push(progress) });
await call("pause_run", { run: waiting });
got.changed = await subscription.changed;
await subscription.end();
await call("continue_run", { run: waiting });
got.aborted = await giveUp(client, "wait_run", { run: waiting, wait_seconds: 45 }, () => call("list_runs", {}));
await call("cancel_run", { run: waiting, now: true });

const asking = (await call("start_run", { config: "ask.json" })).run;
await end(asking);
await call("answer_human", { run: asking, task: 0, response: [] });
await end(asking);

got.resources = {};
for (const { uri } of (await client.listResources()).resources) got.resources[uri] = await readText(client, uri);
got.whole_task = JSON.parse(await readText(client, got.task.task_uri));
got.refused = await refusalOf(readText(client, "barnum://runs/none"));
const textOf = async (name, args) => (await client.getPrompt({ name, arguments: args })).messages[0].content.text;
got.texts = { write_workflow: await textOf("write_workflow", { goal: "sort my mail" }),
              explain_failure: await textOf("explain_failure", { run: "mine" }) };
const complete = async (ref, name, value) => (await client.complete({ ref, argument: { name, value } })).completion.values;
got.completions = {};
for (const [uri, name, value] of [["barnum://examples/{name}", "name", "ga"], ["barnum://runs/{run}", "run", run.slice(0, 10)],
                                  ["barnum://runs/{run}/tasks/{task}", "run", run], ["barnum://drawings/{number}/graph.svg", "number", "1"],
                                  ["barnum://drawings/{number}/graph.mmd", "number", "9"]])
  got.completions[uri] = await complete({ type: "ref/resource", uri }, name, value);
got.completions.explain_failure = await complete({ type: "ref/prompt", name: "explain_failure" }, "run", run);
got.completions.write_workflow = await complete({ type: "ref/prompt", name: "write_workflow" }, "goal", "x");
await client.close();
console.log(JSON.stringify({ ...got, run, waiting, asking, results }));
