import { GENERAL, type ModelProfile } from "~/domain/catalogue/profiles";
import { isObject, type JsonObject } from "./events/reading";
import { readThinking } from "./thoughts/read-thinking";
import { CHAT_THINKING, thinkingAlone, writeChatThinking } from "./thoughts/thinking";

/** Changes to a body that is otherwise forwarded byte for byte, for `editMembers`, and the names of the fields left out. */
export type BodyFit = {
  readonly edits: Readonly<Record<string, string | null>>;
  readonly leftOut: readonly string[];
};

/** A fit that is being built. */
export type Fitting = { edits: Record<string, string | null>; leftOut: string[] };

type Body = Readonly<Record<string, unknown>>;

/** Labels for the supplier's records and hints for its cache: their removal is not reported. */
const LABELS = new Set(["metadata", "prompt_cache_key", "prompt_cache_retention", "safety_identifier", "prediction"]);
/** Values without an effect. */
const IDLE: Readonly<Record<string, readonly unknown[]>> = { store: [false], service_tier: ["auto", "default"] };

/**
 * Removes members of a chat body that the model rejects: members of other suppliers, and tool settings without tools.
 */
export function fitMembers(body: Body, profile: ModelProfile, { edits, leftOut }: Fitting): void {
  for (const name of profile.refusedMembers) {
    if (!Object.hasOwn(body, name)) continue;
    edits[name] = null;
    const value = body[name];
    if (value != null && !LABELS.has(name) && IDLE[name]?.includes(value) !== true) leftOut.push(name);
  }
  const { messages } = body;
  if (profile.messageMembers.user?.includes("name") === false && Array.isArray(messages) && messages.some(isNamed))
    leftOut.push("messages.name");
  fitNoTools(body, profile, edits);
}

/** Removes all tool settings from a body without tools, if the model rejects them. */
export function fitNoTools(body: Body, profile: ModelProfile, edits: Fitting["edits"]): void {
  const { tools } = body;
  if (profile.emptyTools === "taken" || (Array.isArray(tools) && tools.length > 0)) return;
  if (Array.isArray(tools)) edits.tools = null;
  if (body.tool_choice === "none" || body.tool_choice === "auto") edits.tool_choice = null;
  if (body.parallel_tool_calls != null) edits.parallel_tool_calls = null;
}

const isNamed = (message: unknown): boolean =>
  isObject(message) && message.role !== "tool" && typeof message.name === "string" && message.name !== "";

/** Members in which other suppliers accept the thinking effort. */
const ASIDE = ["reasoning", "enable_thinking", "thinking_budget"] as const;

/**
 * Moves a thinking effort from another supplier's member to the model's own.
 * @returns the body as if the client had used the model's own member
 */
export function inNativeFields(body: Body, profile: ModelProfile, { edits, leftOut }: Fitting): Body {
  const { form } = profile.thinking;
  if (profile.name === GENERAL.name || form === "reasoning" || form === "enableThinking") return body;
  const foreign = ASIDE.filter((name) => body[name] != null);
  if (foreign.length === 0 || (foreign[0] === "reasoning" && !isObject(body.reasoning))) return body;
  for (const name of foreign) edits[name] = null;
  if (body.reasoning_effort != null || body.thinking != null) return body;
  const requested = thinkingAlone(readThinking(body as JsonObject), profile, CHAT_THINKING);
  const thinking = writeChatThinking(requested, profile);
  for (const [name, value] of Object.entries(thinking)) edits[name] = JSON.stringify(value);
  if (requested.isLost) leftOut.push(foreign[0]!);
  return { ...body, ...thinking };
}
