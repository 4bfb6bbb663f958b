// Uses everything that `troupe mcp` offers, and prints what it got as one JSON object.

import { callerOf, connect, giveUp, offerOf, readText, refusalOf } from "./connect.mjs";

const client = await connect();
const got = await offerOf(client);
got.prompt = await client.getPrompt({ name: "be_an_agent", arguments: { count: "2" } });
const { call, results } = callerOf(client);
await call("pool_status", {});
const submitted = await call("submit_task", { content: { n: 1 }, response_schema: { type: "array" } });
await call("wait_task", { id: submitted.id, wait_seconds: 1 });
const task = await call("next_task", {});
await call("keep_alive", { id: task.id });
got.resources = (await client.listResources()).resources.map((resource) => resource.uri);
got.content = await readText(client, `troupe://tasks/${task.id}`);
got.completion = (await client.complete({ ref: { type: "ref/resource", uri: "troupe://tasks/{id}" },
                                          argument: { name: "id", value: task.id.slice(0, 3) } })).completion;
await call("give_back_task", { id: task.id, reason: "to take it again" });
const again = await call("next_task", {});
await call("finish_task", { id: again.id, response: { not: "an array" } });
await call("finish_task", { id: again.id, response: [] });
got.answer = await call("wait_task", { id: submitted.id });
got.whole = await readText(client, `troupe://tasks/${submitted.id}`);
await call("withdraw_task", { id: submitted.id });
await call("finish_task", {});

// A call that is given up leaves nothing behind, and its time-out puts nothing off.
got.aborted = await giveUp(client, "next_task", { wait_seconds: 45 }, () => call("pool_status", {}));
got.refused = await refusalOf(readText(client, "troupe://tasks/none"));
await client.close();
console.log(JSON.stringify({ ...got, results }));
