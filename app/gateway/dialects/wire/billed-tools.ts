import type { Route } from "~/domain/catalogue/shared";
import { apiError } from "~/errors/app-error";
import { exactJson, exactMember } from "~/http/exact-numbers";
import type { Member } from "~/http/json-surgery";
import { isObject } from "./reading";

type ToolDialect = "chat" | "messages" | "responses";

/**
 * The kinds of tools that cost nothing but tokens, because the client carries them out. Every other kind, also one that is not known
 * yet, is taken for a tool that the supplier runs and bills by use.
 */
const FREE: Readonly<Record<ToolDialect, RegExp>> = {
  chat: /^(?:function|custom)$/,
  // The search over tools stands among them: it reads nothing but the request, and its vendor asks no price for it.
  messages: /^(?:custom$|(?:bash|text_editor|computer|memory|tool_search_tool)_)/,
  responses: /^(?:function|custom|namespace|local_shell|shell|apply_patch|computer|computer_use_preview|tool_search)$/,
};

/** Whether the supplier runs a tool and may bill its uses. */
export function isBilledTool(tool: unknown, dialect: ToolDialect): boolean {
  if (!isObject(tool)) return false;
  const { type, function: declared, environment, tools } = tool;
  // Chat-style suppliers know tools of their own by other members than `type`, too.
  if (type == null) return dialect === "chat" ? !isObject(declared) : dialect === "responses";
  if (typeof type !== "string" || !FREE[dialect].test(type)) return true;
  if (dialect !== "responses") return false;
  // A shell may run in a container of the supplier's, and a namespace holds tools.
  if (type === "shell") return isObject(environment) && environment.type !== "local";
  return type === "namespace" && Array.isArray(tools) && tools.some((inner) => isBilledTool(inner, dialect));
}

/** A kind of tool as the value of a header, which takes printable letters only. */
export const plainName = (kind: string): string => kind.slice(0, 40).replace(/[^\w.-]/g, "_");

type ToolBody = { readonly tools?: unknown; readonly tool_choice?: unknown };

/**
 * What takes the tools out of a body of the responses format that its supplier would run and bill by use, for `editMembers`: where it has
 * no price for them. Empty where there are none.
 * @throws AppError unsupported_parameter where the choice is a tool that is left out.
 */
export function unpricedToolEdits(
  { body, ...source }: { text: string; members: readonly Member[]; body: ToolBody },
  { price }: Pick<Route, "price">,
): Record<string, string | null> {
  if (keptTools(body, price) === null) return {};
  const kept = keptTools({ tools: exactMember(body.tools, "tools", source) }, price)!;
  refuseDemand(body, kept);
  if (kept.length > 0) return { tools: exactJson(JSON.stringify(kept)) };
  return Object.hasOwn(body, "tool_choice") ? { tools: null, tool_choice: null } : { tools: null };
}

/** The kinds of tools that are left out so, as `x-gw-dropped-params` names them. */
export function unpricedTools(body: ToolBody, { price }: Pick<Route, "price">): readonly string[] {
  if (keptTools(body, price) === null) return [];
  const left = (body.tools as unknown[]).filter((tool) => isBilledTool(tool, "responses"));
  return [...new Set(left.map((tool) => `tools.${plainName(String((tool as { type?: unknown }).type))}`))];
}

/** The tools that stay; null: all do. */
function keptTools({ tools }: ToolBody, price: Route["price"]): unknown[] | null {
  if (!Array.isArray(tools) || price?.perToolUse != null) return null;
  const kept = tools.filter((tool) => !isBilledTool(tool, "responses"));
  return kept.length === tools.length ? null : kept;
}

function refuseDemand({ tool_choice }: ToolBody, kept: readonly unknown[]): void {
  const named = isObject(tool_choice) ? tool_choice.type : tool_choice;
  const isDemanded =
    named === "required" ? kept.length === 0 : !MILD.has(named) && isBilledTool({ type: named }, "responses");
  if (!isDemanded) return;
  throw apiError("unsupported_parameter", {
    userMessage: "The tool that tool_choice demands would run at the supplier, and has no price here.",
    param: "tool_choice",
  });
}

const MILD = new Set<unknown>([undefined, null, "auto", "none", "allowed_tools"]);

/** What a tool runs at most where the request says nothing of it. */
export const USUAL_TOOL_USES = 20;
/** Each use is held at its price before the first one runs. */
export const MAX_TOOL_USES = 1_000;

/** How often the tools of a request can be used that suppliers bill by use; undefined: none of them is there. */
export function billedUsesOf(tools: unknown, dialect: ToolDialect): number | undefined {
  if (!Array.isArray(tools)) return undefined;
  let count = 0;
  for (const tool of tools) if (isBilledTool(tool, dialect)) count += 1;
  return count === 0 ? undefined : Math.min(count * USUAL_TOOL_USES, MAX_TOOL_USES);
}

/** Tools that a supplier runs and does not bill, among those whose uses it counts. */
const UNBILLED = /^(?:web_fetch|tool_search)/;

/** The uses that `server_tool_use` tells of, by tool; -1 when it is nonsense, null when it is not there. */
export function toldUses(serverToolUse: unknown): number | null {
  if (!isObject(serverToolUse)) return null;
  let sum = 0;
  for (const [name, value] of Object.entries(serverToolUse)) {
    if (!name.endsWith("_requests") || UNBILLED.test(name) || value == null) continue;
    if (!isCount(value)) return -1;
    sum += value;
  }
  return sum;
}

/** Counters of whole usages, as several families of chat- and responses-style suppliers write them. */
const COUNTERS = ["num_server_side_tools_used", "num_search_queries", "server_side_tool_usage"];

/** The uses that a usage tells of; null where it says nothing about tools, -1 for nonsense. */
export function toldUsesIn(usage: Readonly<Record<string, unknown>>): number | null {
  let most = toldUses(usage.server_tool_use);
  for (const name of COUNTERS) {
    const told = usage[name];
    const uses = isObject(told) ? sumOf(Object.values(told)) : told == null ? null : isCount(told) ? told : -1;
    if (uses === -1) return -1;
    if (uses !== null) most = Math.max(most ?? 0, uses);
  }
  return most;
}

const sumOf = (counts: readonly unknown[]): number =>
  counts.every(isCount) ? counts.reduce((sum, count) => sum + count, 0) : -1;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Whether a block of a messages-style answer is a use that is billed. */
export function isBilledBlock({ type, name }: { type?: unknown; name?: unknown }): boolean {
  return type === "mcp_tool_use" || (type === "server_tool_use" && !UNBILLED.test(String(name)));
}

/** Calls of the client's own tools, in answers of the responses format. */
const CLIENTS_CALLS = /^(?:function|custom_tool|local_shell|apply_patch|computer|tool_search)_call$/;

/** Whether an item of a response is a use that is billed: every call that is not the client's to carry out. */
export function isBilledItem(item: unknown): boolean {
  if (!isObject(item) || typeof item.type !== "string" || !item.type.endsWith("_call")) return false;
  if (item.type === "shell_call") return isObject(item.environment) && item.environment.type !== "local";
  // Of a search in the web, reading on in what was found is not billed.
  if (item.type === "web_search_call" && isObject(item.action)) return item.action.type === "search";
  return !CLIENTS_CALLS.test(item.type);
}

/**
 * The uses that a message of a chat-style answer, or a piece of one, shows: the tools that were executed, else one where it cites
 * what was found.
 */
export function shownUses(message: unknown): number {
  if (!isObject(message)) return 0;
  const { executed_tools, annotations } = message;
  if (Array.isArray(executed_tools) && executed_tools.length > 0) return executed_tools.length;
  return Array.isArray(annotations) && annotations.some((note) => isObject(note) && note.type === "url_citation")
    ? 1
    : 0;
}
