import { EFFORT_LEVELS, type EffortLevel, type ModelProfile, type ThinkingForm } from "~/domain/catalogue/profiles";
import type { AssistantPart, Conversation, Reasoning } from "../../../canonical/conversation";
import { unsupported } from "../unsupported";
import { mayGoTo, messagesWire } from "./thoughts";

/**
 * The thinking setting of a request to a model: on, with a level and perhaps the client's budget; off; or unset.
 * `isLost`: the setting differs from the client's.
 */
export type AskedThinking = {
  says: "on" | "off" | "nothing";
  level: EffortLevel | null;
  budget: number | null;
  isLost: boolean;
};

/** Forms of the thinking setting that an API can express. `isChat`: it is the chat completions API. */
export type ThinkingApi = { forms: ReadonlySet<ThinkingForm>; isChat?: boolean };

/** Fields of a conversation that determine its thinking setting. */
type Asking = Pick<Conversation, "reasoning" | "tools" | "toolChoice" | "maxOutputTokens" | "turns">;

const isToolDemanded = ({ toolChoice }: Asking): boolean => toolChoice?.kind === "any" || toolChoice?.kind === "tool";

const NOTHING = { says: "nothing", level: null, budget: null } as const;

/**
 * Returns the thinking setting of a request in a form that its model accepts on this API.
 * @throws AppError unsupported_parameter for an effort that no model has.
 */
export function thinkingFor(conversation: Asking, profile: ModelProfile, api: ThinkingApi): AskedThinking {
  const { reasoning, tools } = conversation;
  const { form, byDefault, canStop } = profile.thinking;
  const isStopped = isOff(reasoning);
  if (form === "none" || !api.forms.has(form))
    return { ...NOTHING, isLost: reasoning !== null && (!isStopped || byDefault) };
  const isRefused =
    (profile.forcedToolWhileThinking === "refused" && isToolDemanded(conversation)) ||
    (api.isChat === true && profile.toolsWhileThinking === "responses" && tools.length > 0) ||
    (form === "budget" && goesOnWithoutThought(conversation, profile));
  if (isStopped) return { ...NOTHING, says: canStop ? "off" : "nothing", isLost: !canStop };
  if (isRefused) {
    const says = byDefault && canStop ? "off" : "nothing";
    return { ...NOTHING, says, isLost: reasoning !== null };
  }
  if (reasoning === null) return { ...NOTHING, isLost: false };
  const level = levelFor(effortOf(reasoning as AskedReasoning), levelsBeside(conversation.maxOutputTokens, profile));
  const isSaid = level !== null || profile.thinking.levels.length === 0;
  return { says: isSaid ? "on" : "nothing", level, budget: budgetOf(reasoning), isLost: !isSaid };
}

/** Same for a request without tools, output ceiling and history. */
export const thinkingAlone = (reasoning: Reasoning | null, profile: ModelProfile, api: ThinkingApi): AskedThinking =>
  thinkingFor({ reasoning, tools: [], toolChoice: null, maxOutputTokens: null, turns: [] }, profile, api);

/** Removes levels that the model rejects beside an output ceiling. The ceiling stays: it limits the cost. */
function levelsBeside(ceiling: number | null, { thinking }: ModelProfile): Pick<ModelProfile, "thinking"> {
  const { levels, unbounded } = thinking;
  if (ceiling === null || unbounded.length === 0) return { thinking };
  return { thinking: { ...thinking, levels: levels.filter((level) => !unbounded.includes(level)) } };
}

/** Whether the last assistant message calls tools without an accepted thought; with a budget that is rejected. */
function goesOnWithoutThought({ turns }: Asking, profile: ModelProfile): boolean {
  const last = turns.findLast(({ role }) => role === "assistant");
  const parts: readonly AssistantPart[] = last?.role === "assistant" ? last.parts : [];
  const wire = messagesWire(profile);
  const isThought = (part: AssistantPart) => part.kind === "thinking" && mayGoTo(wire, part.signature);
  return parts.some(({ kind }) => kind === "toolCall") && !parts.some(isThought);
}

/** Thinking budgets, in tokens, below which the effort counts as low or medium. */
const LOW_BELOW = 4_096;
const MEDIUM_BELOW = 16_384;

/** Whether a request turns thinking off, in any form. */
export const isOff = (reasoning: Reasoning | null): boolean =>
  reasoning?.kind === "off" || (reasoning?.kind === "thinking" && reasoning.config.type === "disabled");

export type AskedReasoning = Exclude<Reasoning, { kind: "off" }>;

/** Returns the requested effort; a budget is converted to an effort. */
export function effortOf(reasoning: AskedReasoning): EffortLevel {
  const { effort } = reasoning;
  if (effort !== null) {
    const level = EFFORT_LEVELS.find((each) => each === effort);
    if (level !== undefined) return level;
    throw unsupported("reasoning_effort", `Use one of ${EFFORT_LEVELS.join(", ")}.`);
  }
  const budget = budgetOf(reasoning);
  if (budget === null) return "medium";
  return budget < LOW_BELOW ? "low" : budget < MEDIUM_BELOW ? "medium" : "high";
}

function budgetOf(reasoning: Reasoning): number | null {
  if (reasoning.kind !== "thinking") return null;
  const { budget_tokens } = reasoning.config;
  return typeof budget_tokens === "number" ? budget_tokens : null;
}

/** Returns the model's level for a level: itself, the profile's choice, the next lower or higher; null if none. */
export function levelFor(level: EffortLevel, { thinking }: Pick<ModelProfile, "thinking">): EffortLevel | null {
  const levels: readonly EffortLevel[] = thinking.levels.filter((each) => each !== "none");
  const instead = thinking.standsFor[level] ?? level;
  if (levels.includes(instead)) return instead;
  const at = EFFORT_LEVELS.indexOf(instead);
  return (
    EFFORT_LEVELS.findLast((each, index) => index < at && levels.includes(each)) ??
    EFFORT_LEVELS.find((each, index) => index > at && levels.includes(each)) ??
    null
  );
}

const TOKENS: Readonly<Record<EffortLevel, number>> = {
  none: 0,
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 24_576,
  max: 32_000,
};

/** Returns the thinking budget in tokens: the client's, or the one for its effort, clamped to the model's range. */
export function budgetFor(
  { level, budget }: Pick<AskedThinking, "level" | "budget">,
  { thinking }: ModelProfile,
): number {
  return Math.min(thinking.maxBudget, Math.max(thinking.minBudget, budget ?? TOKENS[level ?? "medium"]));
}

/** The forms of the chat completions API. */
export const CHAT_THINKING: ThinkingApi = {
  forms: new Set(["effort", "reasoning", "switch", "enableThinking", "template"]),
  isChat: true,
};

/** Returns the thinking setting as members of a chat request. */
export function writeChatThinking(requested: AskedThinking, profile: ModelProfile): Record<string, unknown> {
  const { says, level, budget } = requested;
  if (says === "nothing") return {};
  const isOn = says === "on";
  const { form, levels, templateKey } = profile.thinking;
  switch (form) {
    case "effort":
      return isOn ? { reasoning_effort: level } : levels.includes("none") ? { reasoning_effort: "none" } : {};
    case "reasoning":
      return { reasoning: budget !== null ? { max_tokens: budget } : { effort: isOn ? level : "none" } };
    case "switch":
      return {
        thinking: { type: isOn ? "enabled" : "disabled" },
        ...(level === null ? {} : { reasoning_effort: level }),
      };
    case "enableThinking":
      return { enable_thinking: isOn, ...(budget === null ? {} : { thinking_budget: budget }) };
    case "template":
      return { chat_template_kwargs: { [templateKey]: isOn } };
    default:
      return {};
  }
}
