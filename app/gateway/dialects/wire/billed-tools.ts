import type { Route } from "~/domain/catalogue/shared";
import { apiError } from "~/errors/app-error";
import { exactJson, exactMember } from "~/http/body/json/exact-numbers";
import type { Member } from "~/http/body/json/json-surgery";
import { isObject } from "./events/reading";

type ToolDialect = "chat" | "messages" | "responses";

/**
 * Kinds of tools that cost only tokens, because the client runs them. Every other kind, including kinds unknown to gw,
 * counts as a tool that the supplier runs and bills per use.
 */
const FREE: Readonly<Record<ToolDialect, RegExp>> = {
  chat: /^(?:function|custom)$/,
  // Tool search is free as well: it reads only the request, and its vendor does not bill it.
  messages: /^(?:custom$|(?:bash|text_editor|computer|memory|tool_search_tool)_)/,
  responses: /^(?:function|custom|namespace|local_shell|shell|apply_patch|computer|computer_use_preview|tool_search)$/,
};

/** Whether the supplier runs a tool and may bill its uses. */
export function isBilledTool(tool: unknown, dialect: ToolDialect): boolean {
  if (!isObject(tool)) return false;
  const { type, function: declared, environment, tools } = tool;
  // Some chat-style suppliers mark their own tools by members other than `type`.
  if (type == null) return dialect === "chat" ? !isObject(declared) : dialect === "responses";
  if (typeof type !== "string" || !FREE[dialect].test(type)) return true;
  if (dialect !== "responses") return false;
  // A shell may run in the supplier's container. A namespace contains tools.
  if (type === "shell") return isObject(environment) && environment.type !== "local";
  return type === "namespace" && Array.isArray(tools) && tools.some((inner) => isBilledTool(inner, dialect));
}

/** Returns a kind of tool in a form that is safe in a header value: at most 40 printable characters. */
export const plainName = (kind: string): string => kind.slice(0, 40).replace(/[^\w.-]/g, "_");

type ToolBody = { readonly tools?: unknown; readonly tool_choice?: unknown };

/**
 * Returns the edits, for `editMembers`, that remove tools from a body of the responses format: those that the supplier
 * would run and bill per use, if the route has no price for them. Empty if there is nothing to remove.
 * @throws AppError unsupported_parameter if `tool_choice` names a removed tool.
 */
export function unpricedToolEdits(
  { body, ...source }: { text: string; members: readonly Member[]; body: ToolBody },
  { price }: Pick<Route, "price">,
): Record<string, string | null> {
  if (unbilledTools(body, price) === null) return {};
  const unbilled = unbilledTools({ tools: exactMember(body.tools, "tools", source) }, price)!;
  refuseDemand(body, unbilled);
  if (unbilled.length > 0) return { tools: exactJson(JSON.stringify(unbilled)) };
  return Object.hasOwn(body, "tool_choice") ? { tools: null, tool_choice: null } : { tools: null };
}

/** Returns the kinds of the removed tools, as `x-gw-dropped-params` names them. */
export function unpricedTools(body: ToolBody, { price }: Pick<Route, "price">): readonly string[] {
  if (unbilledTools(body, price) === null) return [];
  const billed = (body.tools as unknown[]).filter((tool) => isBilledTool(tool, "responses"));
  return [...new Set(billed.map((tool) => `tools.${plainName(String((tool as { type?: unknown }).type))}`))];
}

/** Returns the tools that stay; null if all do. */
function unbilledTools({ tools }: ToolBody, price: Route["price"]): unknown[] | null {
  if (!Array.isArray(tools) || price?.perToolUse != null) return null;
  const unbilled = tools.filter((tool) => !isBilledTool(tool, "responses"));
  return unbilled.length === tools.length ? null : unbilled;
}

function refuseDemand({ tool_choice }: ToolBody, unbilled: readonly unknown[]): void {
  const named = isObject(tool_choice) ? tool_choice.type : tool_choice;
  const isDemanded =
    named === "required" ? unbilled.length === 0 : !MILD.has(named) && isBilledTool({ type: named }, "responses");
  if (!isDemanded) return;
  throw apiError("unsupported_parameter", {
    userMessage: "The tool that tool_choice demands would run at the supplier, and has no price here.",
    param: "tool_choice",
  });
}

const MILD = new Set<unknown>([undefined, null, "auto", "none", "allowed_tools"]);

/** Assumed maximum uses of a tool if the request sets no limit. */
export const USUAL_TOOL_USES = 20;
/** Maximum uses per request, because the hold covers the price of every possible use. */
export const MAX_TOOL_USES = 1_000;

/** Returns the maximum number of billed tool uses of a request; undefined if it has no billed tools. */
export function billedUsesOf(tools: unknown, dialect: ToolDialect): number | undefined {
  if (!Array.isArray(tools)) return undefined;
  let count = 0;
  for (const tool of tools) if (isBilledTool(tool, dialect)) count += 1;
  return count === 0 ? undefined : Math.min(count * USUAL_TOOL_USES, MAX_TOOL_USES);
}

/** Tools that a supplier runs and counts, but does not bill. */
const UNBILLED = /^(?:web_fetch|tool_search)/;

/** Returns the sum of the billed uses in `server_tool_use`; -1 if it is malformed, null if it is missing. */
export function reportedUses(serverToolUse: unknown): number | null {
  if (!isObject(serverToolUse)) return null;
  let sum = 0;
  for (const [name, value] of Object.entries(serverToolUse)) {
    if (!name.endsWith("_requests") || UNBILLED.test(name) || value == null) continue;
    if (!isCount(value)) return -1;
    sum += value;
  }
  return sum;
}

/** Counters of tool uses in the usage objects of several families of chat- and responses-style suppliers. */
const COUNTERS = ["num_server_side_tools_used", "num_search_queries", "server_side_tool_usage"];

/** Returns the number of tool uses that a usage object reports; null if it reports none, -1 if it is malformed. */
export function reportedUsesIn(usage: Readonly<Record<string, unknown>>): number | null {
  let maximum = reportedUses(usage.server_tool_use);
  for (const name of COUNTERS) {
    const reportedCount = usage[name];
    const uses = isObject(reportedCount)
      ? sumOf(Object.values(reportedCount))
      : reportedCount == null
        ? null
        : isCount(reportedCount)
          ? reportedCount
          : -1;
    if (uses === -1) return -1;
    if (uses !== null) maximum = Math.max(maximum ?? 0, uses);
  }
  return maximum;
}

const sumOf = (counts: readonly unknown[]): number =>
  counts.every(isCount) ? counts.reduce((sum, count) => sum + count, 0) : -1;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Whether a block of a messages-style answer is a billed tool use. */
export function isBilledBlock({ type, name }: { type?: unknown; name?: unknown }): boolean {
  return type === "mcp_tool_use" || (type === "server_tool_use" && !UNBILLED.test(String(name)));
}

/** Calls of tools that the client runs, in answers of the responses format. */
const CLIENTS_CALLS = /^(?:function|custom_tool|local_shell|apply_patch|computer|tool_search)_call$/;

/** Whether an item of a response is a billed tool use: every call that the client does not run. */
export function isBilledItem(item: unknown): boolean {
  if (!isObject(item) || typeof item.type !== "string" || !item.type.endsWith("_call")) return false;
  if (item.type === "shell_call") return isObject(item.environment) && item.environment.type !== "local";
  // Only the search itself is billed; opening a result and searching within a page are free.
  if (item.type === "web_search_call" && isObject(item.action)) return item.action.type === "search";
  return !CLIENTS_CALLS.test(item.type);
}

/**
 * Returns the tool uses that a message or delta of a chat-style answer shows: the number of executed tools, else one if
 * it cites a search result.
 */
export function shownUses(message: unknown): number {
  if (!isObject(message)) return 0;
  const { executed_tools, annotations } = message;
  if (Array.isArray(executed_tools) && executed_tools.length > 0) return executed_tools.length;
  return Array.isArray(annotations) && annotations.some((note) => isObject(note) && note.type === "url_citation")
    ? 1
    : 0;
}
