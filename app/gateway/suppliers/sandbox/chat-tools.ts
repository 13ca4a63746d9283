import { digested, nameOf } from "./chance";
import { bad, nameOfTool, type OfferedTool } from "./chat-request";
import type { ToolCall } from "./chat-wire";
import type { Prompt } from "./compose";
import { instanceOf } from "./instance";

/** The tools of a request in any dialect. */
export type ToolOffer = {
  tools: readonly OfferedTool[];
  /** As in the chat format: "none", "auto", "required", or an object that names one or several tools. */
  choice: unknown;
  parallel: boolean;
  /** Unique text for this turn of a conversation; the ids of its calls derive from it. */
  turn: string;
};

/**
 * Returns the tool calls of an answer. None without offered tools, if the client wants none, or directly after tool
 * results. Otherwise every tool that the prompt names, or the first one.
 * @throws SupplierFailure 400 if the client requires a tool that it does not offer.
 */
export function toolCallsOf(offer: ToolOffer, prompt: Prompt, idPrefix = "call_"): ToolCall[] {
  const requested = wantedTools(offer.choice, offer.tools);
  if (requested.length === 0 || prompt.toolResults.length > 0) return [];
  const lower = prompt.text.slice(0, 20_000).toLowerCase();
  const named = requested.filter((tool) => mentions(lower, nameOfTool(tool)!));
  const called = named.length === 0 ? requested.slice(0, 1) : named;
  const calls = called.slice(0, offer.parallel ? MAX_CALLS : 1);
  const turn = digested(offer.turn);
  return calls.map((tool, index) => callOf(tool, prompt.text, `${idPrefix}${nameOf(`${turn}/${index}`)}`));
}

/** Maximum tool calls per answer, as of real models. */
const MAX_CALLS = 32;

function wantedTools(choice: unknown, offered: readonly OfferedTool[]): readonly OfferedTool[] {
  if (choice === "none") return [];
  if (typeof choice !== "object" || choice === null) return offered;
  const named = choice as OfferedTool & { allowed_tools?: { tools?: OfferedTool[] } };
  const names =
    named.type === "allowed_tools" ? (named.allowed_tools?.tools ?? []).map(nameOfTool) : [nameOfTool(named)];
  const matches = offered.filter((tool) => names.includes(nameOfTool(tool)));
  if (matches.length === 0) throw bad("tool_choice names a tool that is not offered");
  return matches;
}

/** Whether a lower-case text mentions a tool: by its name, or by all words of its name. */
function mentions(lower: string, name: string): boolean {
  if (lower.includes(name.toLowerCase())) return true;
  const terms = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2 && !VERBS.has(word));
  return terms.length > 0 && terms.every((word) => lower.includes(word));
}

/** Verbs too common in names of tools to identify one. */
const VERBS = new Set(["get", "set", "find", "fetch", "list", "read", "call", "run", "make", "create", "lookup"]);

function callOf(tool: OfferedTool, text: string, id: string): ToolCall {
  if (tool.custom) return { id, type: "custom", custom: { name: tool.custom.name, input: text.slice(0, 200) } };
  const { name, parameters } = tool.function!;
  const filled = instanceOf(parameters ?? { type: "object" }, text);
  return { id, type: "function", function: { name, arguments: JSON.stringify(filled) } };
}
