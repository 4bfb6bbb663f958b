// Checks the lines that servers of the Model Context Protocol have written against the schemas of the official SDK, in the
// revision that each line is of. node mcp_lines.mjs DIRECTORY, which has for each server NAME.sent and NAME.received: what its
// client has sent, and received. Prints what is wrong, and at last how many lines were checked.
//
// The SDK's schemas are those of its newest revision in each age, and let unknown members pass. Here only `_meta`, JSON Schemas
// and extensions may have members that the schema does not name; and of the older revisions, what the specification says was
// added later is taken away. The structured results of tools are checked against the output schemas that the servers list.

import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod/v4";
import * as handshake from "@modelcontextprotocol/sdk/types.js";
import * as stateless from "@modelcontextprotocol/core";

const STATELESS = "2026-07-28";
const HANDSHAKE = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const META = "io.modelcontextprotocol/";
const OPEN = new Set(["_meta", "inputSchema", "outputSchema", "experimental", "extensions"]);
const LATER = {
  "2025-03-26": { ToolSchema: ["annotations"], ServerCapabilitiesSchema: ["completions"], AudioContentSchema: "all",
                  ProgressNotificationParamsSchema: ["message"] },
  "2025-06-18": { ToolSchema: ["title", "outputSchema", "_meta"], CallToolResultSchema: ["structuredContent"],
                  PromptSchema: ["title", "_meta"], ResourceSchema: ["title", "_meta"], TextContentSchema: ["_meta"],
                  ResourceTemplateSchema: ["title", "_meta"], ImplementationSchema: ["title"], ResourceLinkSchema: "all",
                  TextResourceContentsSchema: ["_meta"], BlobResourceContentsSchema: ["_meta"] },
  "2025-11-25": { ToolSchema: ["icons", "execution"], PromptSchema: ["icons"], ResourceSchema: ["icons"],
                  ResourceTemplateSchema: ["icons"], ResourceLinkSchema: ["icons"], ServerCapabilitiesSchema: ["tasks"],
                  ImplementationSchema: ["icons", "websiteUrl", "description"],
                  ElicitationCompleteNotificationSchema: "all", TaskStatusNotificationSchema: "all" },
};
const REMOVED = { ToolSchema: ["execution"], ServerCapabilitiesSchema: ["tasks"],
                  ElicitationCompleteNotificationSchema: "all" };

const RESULTS = {
  "tools/list": "ListToolsResult", "tools/call": "CallToolResult", "prompts/list": "ListPromptsResult",
  "prompts/get": "GetPromptResult", "resources/list": "ListResourcesResult", "resources/read": "ReadResourceResult",
  "resources/templates/list": "ListResourceTemplatesResult", "completion/complete": "CompleteResult",
};
const HANDSHAKE_RESULTS = { ...RESULTS, initialize: "InitializeResult", ping: "EmptyResult",
                            "resources/subscribe": "EmptyResult", "resources/unsubscribe": "EmptyResult" };
const STATELESS_RESULTS = { ...RESULTS, "server/discover": "DiscoverResult", "subscriptions/listen": "SubscriptionsListenResult" };
const CACHED = ["tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read", "server/discover"];

const mapped = (object, change) =>
  Object.fromEntries(Object.entries(object).flatMap(([key, value]) => change(key, value) ?? []));

// The schema without the SDK's leniency, and without what `absent` has: for a schema the names of members, or "all".
function strict(schema, absent, name = "") {
  const { def } = schema._zod;
  const inside = (part) => strict(part, absent, name);
  const changed = (changes) => z.core.clone(schema, { ...def, ...changes });
  const gone = absent.get(schema) ?? [];
  if (gone === "all") return z.never();
  switch (def.type) {
    case "object": {
      const shape = mapped(def.shape, (key, member) => gone.includes(key) ? [] : [[key, strict(member, absent, key)]]);
      return changed({ shape, catchall: OPEN.has(name) ? z.unknown() : z.never() });
    }
    case "array": return changed({ element: inside(def.element) });
    case "union": return z.union(def.options.map(inside));
    case "optional": return changed({ innerType: inside(def.innerType) });
    case "catch":
    case "default": return inside(def.innerType);
    default: return schema;
  }
}

function schemasOf(revision) {
  const isStateless = revision === STATELESS;
  const source = isStateless ? stateless : handshake;
  const absent = new Map();
  const later = isStateless ? [REMOVED] : Object.entries(LATER).filter(([since]) => since > revision).map(([, names]) => names);
  for (const [name, members] of later.flatMap(Object.entries)) {
    if (!source[name]) throw new Error(`the SDK has no ${name} any more`);
    const before = absent.get(source[name]) ?? [];
    absent.set(source[name], [before, members].includes("all") ? "all" : [...before, ...members]);
  }
  // A schema is looked up as itself, and so is made strict before it is extended.
  const message = (schemas, more) => z.union(schemas.options.filter((one) => absent.get(one) !== "all").map(
    (one) => strict(one, absent).extend({ jsonrpc: z.literal("2.0"), ...more })));
  const response = strict(source.JSONRPCResultResponseSchema, absent);
  const results = mapped(isStateless ? STATELESS_RESULTS : HANDSHAKE_RESULTS, (method, name) => {
    let result = strict(source[`${name}Schema`], absent);
    if (isStateless) result = result.extend({ resultType: z.literal("complete") });
    if (isStateless && CACHED.includes(method))
      result = result.extend({ ttlMs: z.number().int().min(0), cacheScope: z.enum(["public", "private"]) });
    return [[method, response.extend({ result })]];
  });
  return { results, error: strict(source.JSONRPCErrorResponseSchema, absent),
           notification: message(source.ServerNotificationSchema),
           // In the stateless age a server asks its client nothing.
           request: isStateless ? z.never() : message(source.ServerRequestSchema, { id: source.RequestIdSchema }) };
}

const schemas = Object.fromEntries([...HANDSHAKE, STATELESS].map((revision) => [revision, schemasOf(revision)]));

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

// Lines that were ended; of the last one, a killed server may have written a part.
const linesOf = (path, isStrict) =>
  new TextDecoder("utf-8", { fatal: isStrict }).decode(readFileSync(path)).split("\n").slice(0, -1);

// The requests of a client by their ids; those with a token for progress by that as well.
function requestsIn(lines) {
  const byId = new Map(), byToken = new Map();
  for (const message of lines.flatMap((line) => parsed(line) ?? [])) {
    if (message === null || typeof message !== "object" || !("id" in message)) continue;
    byId.set(message.id, message);
    const token = message.params?._meta?.progressToken;
    if (token !== undefined) byToken.set(token, message);
  }
  return { byId, byToken };
}

class Conversation {
  constructor(sent) {
    this.requests = requestsIn(sent);
    this.session = undefined; // the revision that `initialize` has agreed on
  }

  revisionOf(request) {
    return request?.params?._meta?.[`${META}protocolVersion`] ?? this.session;
  }

  // What is wrong with a message of the server; nothing if it is right.
  check(message) {
    if (Array.isArray(message)) {
      if (this.session !== "2025-03-26") return "an array of messages, which this revision does not have";
      return message.map((one) => this.check(one)).find(Boolean);
    }
    if (message === null || typeof message !== "object") return "not a message";
    if ("method" in message && !("id" in message)) return this.notification(message);
    if ("method" in message) return this.against(this.session, "request", message);
    const request = this.requests.byId.get(message.id);
    if (!request && "id" in message) return "an answer to nothing";
    // Only the newer schemas say that the error of a message that cannot be read has no id.
    if ("error" in message) return complaint(schemas[HANDSHAKE.at(-1)].error, message);
    if (request?.method === "initialize") this.session = message.result?.protocolVersion;
    const known = schemas[this.revisionOf(request)];
    const schema = known?.results[request?.method];
    if (!schema) return `a result of ${request?.method} in revision ${this.revisionOf(request)}`;
    return complaint(schema, message) ?? (request.method === "tools/call" ? this.structure(request, message.result) : undefined);
  }

  // Of a tool's result, which is as its schema says.
  structure(request, { isError, structuredContent }) {
    if (isError || this.revisionOf(request) < "2025-06-18") return undefined;
    const fits = outputs.get(request.params.name);
    if (!fits) return `no list has an output schema of ${request.params.name}`;
    return fits(structuredContent) ? undefined : `structuredContent: ${ajv.errorsText(fits.errors)}`;
  }

  notification(message) {
    const { params } = message;
    const subscription = params?._meta?.[`${META}subscriptionId`];
    if (subscription !== undefined) {
      const isOpen = this.requests.byId.get(subscription)?.method === "subscriptions/listen";
      return isOpen ? this.against(STATELESS, "notification", message) : "a notification of no subscription";
    }
    if (message.method !== "notifications/progress") return this.against(this.session, "notification", message);
    const request = this.requests.byToken.get(params?.progressToken);
    return request ? this.against(this.revisionOf(request), "notification", message) : "progress of nothing";
  }

  against(revision, kind, message) {
    return schemas[revision] ? complaint(schemas[revision][kind], message) : `a ${kind} in revision ${revision}`;
  }
}

function complaint(schema, message) {
  const { success, error } = schema.safeParse(message);
  return success ? undefined : z.prettifyError(error);
}

const directory = process.argv[2];
const names = readdirSync(directory).filter((name) => name.endsWith(".sent")).map((name) => name.slice(0, -".sent".length));
const received = new Map(names.map((name) => [name, linesOf(`${directory}/${name}.received`, true)]));
const ajv = new Ajv2020({ strict: false });
const outputs = new Map(); // by the name of the tool
for (const line of [...received.values()].flat())
  for (const { name, outputSchema } of parsed(line)?.result?.tools ?? [])
    if (outputSchema && !outputs.has(name)) outputs.set(name, ajv.compile(outputSchema));

for (const [name, lines] of received) {
  const conversation = new Conversation(linesOf(`${directory}/${name}.sent`, false));
  for (const line of lines) {
    const message = parsed(line);
    const wrong = message === undefined ? "not JSON" : conversation.check(message);
    if (!wrong) continue;
    console.log(`${name}: ${wrong}\n  ${line.slice(0, 1000)}`);
    process.exitCode = 1;
  }
}
console.log([...received.values()].flat().length);
