// Clients of the official SDK, in both of its versions, and what their tests share.
// Each test is started as: node TEST.mjs KIND COMMAND ARGUMENT..., with the command that starts the server. KIND is "session"
// (version 1 of the SDK), "legacy", "auto" or "stateless" (version 2).

export const [kind, ...command] = process.argv.slice(2);
const first = kind === "session";
const { Client } = await import(first ? "@modelcontextprotocol/sdk/client/index.js" : "@modelcontextprotocol/client");
const { StdioClientTransport } = await import(
  first ? "@modelcontextprotocol/sdk/client/stdio.js" : "@modelcontextprotocol/client/stdio");
const modes = { legacy: "legacy", auto: "auto", stateless: { pin: "2026-07-28" } };

export async function connect(...more) {
  const client = new Client({ name: "sdk", version: "1.0.0" }, first ? {} : { versionNegotiation: { mode: modes[kind] } });
  client.onerror = (error) => { throw error; };
  const args = [...command.slice(1), ...more];
  await client.connect(new StdioClientTransport({ command: command[0], args, env: process.env }));
  return client;
}

export const eraOf = (client) => first ? "legacy" : client.getProtocolEra();

// What every server says of itself, and all lists.
export async function offerOf(client) {
  const era = eraOf(client);
  if (era === "legacy") await client.ping();
  return { era, server: client.getServerVersion(), instructions: client.getInstructions(),
           tools: (await client.listTools()).tools, prompts: (await client.listPrompts()).prompts,
           templates: (await client.listResourceTemplates()).resourceTemplates };
}

// A call of a tool, with options of the SDK: `signal`, `onprogress`. The SDK checks the result against the output schema.
export const callTool = (client, name, args, options) =>
  client.callTool({ name, arguments: args }, ...(first ? [undefined] : []), options);

// Calls tools, and keeps what kinds of results they had, and the texts of failures.
export function callerOf(client) {
  const results = [];
  const call = async (name, args, options) => {
    const result = await callTool(client, name, args, options);
    results.push(`${name}: ${result.structuredContent?.kind ?? result.content[0].text}`);
    return result.structuredContent;
  };
  return { call, results };
}

// Whether a call that is given up while it waits has failed for that alone; `between` is done while it waits.
export async function giveUp(client, name, args, between) {
  const given_up = new AbortController();
  const waiting = callTool(client, name, args, { signal: given_up.signal });
  await between();
  given_up.abort();
  return waiting.then(() => false, () => true);
}

export const readText = async (client, uri) => (await client.readResource({ uri })).contents[0].text;
export const refusalOf = (promise) => promise.then(() => 0, (error) => error.code);

// Subscribes to a resource. Returns what waits for its next change and, when it is called, for the end of the subscription.
export async function subscribe(client, uri) {
  const name = first ? (await import("@modelcontextprotocol/sdk/types.js")).ResourceUpdatedNotificationSchema
                     : "notifications/resources/updated";
  const changed = new Promise((resolve) => {
    client.setNotificationHandler(name, (notification) => resolve(notification.params.uri));
  });
  if (eraOf(client) === "legacy") {
    await client.subscribeResource({ uri });
    return { changed, end: () => client.unsubscribeResource({ uri }) };
  }
  const subscription = await client.listen({ resourceSubscriptions: [uri] });
  return { changed, end: () => subscription.close() };
}
