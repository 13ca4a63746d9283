import {
  EFFORT_LEVELS,
  type ModelProfile,
  profileOf,
  TUNING_FIELDS,
  type TuningField,
} from "~/domain/catalogue/profiles";
import type { Route } from "~/domain/catalogue/shared";
import { exactJson, exactMember } from "~/http/exact-numbers";
import type { Member } from "~/http/json-surgery";
import { knownCeilingField } from "./ceiling-field";
import { isObject, type JsonObject } from "./reading";
import { lacksProperties, toolSchema } from "./schema-rules";
import { isForeignThought } from "./sealed-thoughts";
import { budgetFor, levelFor } from "./thinking";

/** What is changed of a body that else goes on as its client wrote it, for `editMembers`, and what of it is left out. */
export type BodyFit = { edits: Record<string, string | null>; leftOut: string[] };

type Body = Readonly<Record<string, unknown>>;

/** The edits of such a fit, with the numbers in schemas as the client wrote them. */
export function editsOf<Whole extends Body>(
  fitted: (body: Whole, route: Route) => BodyFit,
  source: { text: string; members: readonly Member[]; body: Whole },
  route: Route,
): BodyFit["edits"] {
  const { body } = source;
  const { edits } = fitted(body, route);
  const written = SCHEMAS.filter((name) => edits[name] != null);
  if (written.length === 0) return edits;
  const exact = {
    ...body,
    ...Object.fromEntries(written.map((name) => [name, exactMember(body[name], name, source)])),
  };
  const exactEdits = fitted(exact, route).edits;
  return { ...edits, ...Object.fromEntries(written.map((name) => [name, exactJson(exactEdits[name]!)])) };
}

/** Members that hold schemas. */
const SCHEMAS = ["tools", "output_config"];

/** Another gateway knows itself what its models take. */
const knowsItself = ({ supplier: { kind } }: Route): boolean =>
  kind === "gateway" || kind === "sandbox" || kind === "native_agent";

/**
 * What a chat body has that the route's model is known to refuse: fields that tune, an effort that does not exist, the ceiling under
 * another name, a tool without properties. Everything else stays as it is.
 */
export function fitChatBody(body: Body, route: Route): BodyFit {
  const fit: BodyFit = { edits: {}, leftOut: [] };
  if (knowsItself(route)) return fit;
  const profile = profileOf(route);
  const effort = body.reasoning_effort ?? null;
  const switched = isObject(body.thinking) ? body.thinking.type : null;
  const says = effort === null ? switched : effort;
  const thinks = says === null ? profile.thinking.byDefault : says !== "none" && says !== "disabled";
  leaveOutRefused({ body, profile, thinks, fields: TUNING_FIELDS }, fit);
  if (fit.edits.logprobs === null && Object.hasOwn(body, "top_logprobs")) fit.edits.top_logprobs = null;
  const fitted = effortFor(effort, profile);
  if (fitted !== effort) {
    fit.edits.reasoning_effort = fitted === null ? null : JSON.stringify(fitted);
    if (fitted === null) fit.leftOut.push("reasoning_effort");
  }
  const tools = Array.isArray(body.tools) ? body.tools : [];
  if (tools.length > 0 && thinks && profile.toolsWhileThinking === "responses") {
    if (profile.thinking.canStop) fit.edits.reasoning_effort = '"none"';
    if (effort !== null) fit.leftOut.push("reasoning_effort");
  }
  moveCeiling(body, route, fit);
  fitTools(tools, { profile, place: (tool) => (isObject(tool.function) ? "function" : null) }, fit);
  return fit;
}

/** The same of a body of the responses format. */
export function fitResponsesBody(body: Body, route: Route): BodyFit {
  const fit: BodyFit = { edits: {}, leftOut: [] };
  if (knowsItself(route)) return fit;
  const profile = profileOf(route);
  const reasoning = isObject(body.reasoning) ? body.reasoning : null;
  const effort = reasoning?.effort ?? null;
  const thinks = effort === null ? profile.thinking.byDefault : effort !== "none";
  leaveOutRefused({ body, profile, thinks, fields: ["temperature", "top_p"] }, fit);
  const fitted = effortFor(effort, profile);
  if (reasoning !== null && fitted !== effort) {
    const { effort: _effort, ...rest } = reasoning;
    const kept = fitted === null ? rest : { ...rest, effort: fitted };
    fit.edits.reasoning = Object.keys(kept).length === 0 ? null : JSON.stringify(kept);
    if (fitted === null) fit.leftOut.push("reasoning.effort");
  }
  const tools = Array.isArray(body.tools) ? body.tools : [];
  fitTools(tools, { profile, place: ({ type }) => (type === "function" ? "" : null) }, fit);
  return fit;
}

/** The same of a messages body. Thinking is told in the other form where Claude has only that one. */
export function fitMessagesBody(body: Body, route: Route): BodyFit {
  const fit: BodyFit = { edits: {}, leftOut: [] };
  if (knowsItself(route)) return fit;
  const profile = profileOf(route);
  const thinking = isObject(body.thinking) ? body.thinking : null;
  const thinks = thinking !== null && thinking.type !== "disabled";
  leaveOutRefused({ body, profile, thinks, fields: ["temperature", "top_p", "top_k"] }, fit);
  const isBoth = body.temperature != null && body.top_p != null && fit.edits.top_p === undefined;
  if (profile.samplers === "one" && isBoth) {
    fit.edits.top_p = null;
    if (body.top_p !== 1) fit.leftOut.push("top_p");
  }
  if (profile.takesSealedThoughts) fitThinking({ body, thinking, profile }, fit);
  return fit;
}

type Refusable = { body: Body; profile: ModelProfile; thinks: boolean; fields: readonly TuningField[] };

/** Values that ask for nothing: they are left out without a word. */
const IDLE: Partial<Record<TuningField, unknown>> = {
  frequency_penalty: 0,
  presence_penalty: 0,
  logprobs: false,
  parallel_tool_calls: true,
};

function leaveOutRefused({ body, profile, thinks, fields }: Refusable, { edits, leftOut }: BodyFit): void {
  for (const field of fields) {
    const value = body[field];
    if (value == null) continue;
    const rule = profile.fields[field];
    if (rule !== "refused" && !(rule === "withoutThinking" && thinks)) continue;
    // One is the default of both, which is taken where no other value is.
    if (value === 1 && (field === "temperature" || field === "top_p")) continue;
    edits[field] = null;
    if (value !== IDLE[field]) leftOut.push(field);
  }
}

/** The effort as the model has it; null: it takes none. What no table knows stays. */
function effortFor(effort: unknown, profile: ModelProfile): unknown {
  const { form, levels } = profile.thinking;
  if (effort === null || profile.name === "general") return effort;
  if (form === "none") return null;
  // A server with a template may take an effort as well, and knows its levels then.
  const hasLevels = form === "effort" || (form === "template" && levels.length > 0);
  if (!hasLevels || levels.some((level) => level === effort)) return effort;
  const known = EFFORT_LEVELS.find((level) => level === effort);
  if (known === undefined) return effort;
  return known === "none" ? null : levelFor(known, profile);
}

function moveCeiling(body: Body, route: Route, { edits }: BodyFit): void {
  const field = knownCeilingField(route);
  if (field === null || body[field] != null) return;
  const other = field === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  if (body[other] == null) return;
  edits[other] = null;
  edits[field] = JSON.stringify(body[other]);
}

/** Gives tools their properties where the model wants to be told. `place`: the member that declares one; null: it is no function. */
function fitTools(
  tools: readonly unknown[],
  { profile, place }: { profile: ModelProfile; place: (tool: JsonObject) => string | null },
  { edits }: BodyFit,
): void {
  const rules = profile.toolSchema;
  if (!rules.properties) return;
  const declared = (tool: unknown) => {
    const member = isObject(tool) ? place(tool) : null;
    return member === null ? null : ((member === "" ? tool : (tool as JsonObject)[member]) as JsonObject);
  };
  if (!tools.some((tool) => lacksProperties(declared(tool)?.parameters))) return;
  const fitted = tools.map((tool) => {
    const declaration = declared(tool);
    if (declaration === null || !lacksProperties(declaration.parameters)) return tool;
    const whole = { ...declaration, parameters: toolSchema(declaration.parameters, rules) };
    return declaration === tool ? whole : { ...(tool as JsonObject), function: whole };
  });
  edits.tools = JSON.stringify(fitted);
}

/** What is left of a ceiling for the answer behind the thoughts. */
const MIN_ANSWER_TOKENS = 1_024;

function fitThinking(
  { body, thinking, profile }: { body: Body; thinking: JsonObject | null; profile: ModelProfile },
  { edits, leftOut }: BodyFit,
): void {
  const { form, takesBudget, outputEffort, canStop, leastBudget } = profile.thinking;
  const config = isObject(body.output_config) ? body.output_config : null;
  const effort = config?.effort;
  if (config !== null && typeof effort === "string") {
    const known = EFFORT_LEVELS.find((level) => level === effort);
    const level = !outputEffort || known === undefined ? null : levelFor(known, profile);
    if (level !== effort) {
      const { effort: _effort, ...rest } = config;
      const kept = level === null ? rest : { ...rest, effort: level };
      edits.output_config = Object.keys(kept).length === 0 ? null : JSON.stringify(kept);
      if (level === null && form !== "budget") leftOut.push("output_config.effort");
    }
  }
  if (thinking === null) return;
  if (thinking.type === "disabled" && !canStop) edits.thinking = null;
  else if (thinking.type === "enabled" && form === "adaptive" && !takesBudget)
    edits.thinking = JSON.stringify({ type: "adaptive", display: "summarized" });
  else if (thinking.type === "adaptive" && form === "budget") {
    const most = typeof body.max_tokens === "number" ? body.max_tokens - MIN_ANSWER_TOKENS : Number.POSITIVE_INFINITY;
    const level = EFFORT_LEVELS.find((each) => each === effort) ?? null;
    const budget = Math.min(most, budgetFor({ level, budget: null }, profile));
    const isTaken = budget >= leastBudget && !goesOnWithoutThought(body.messages);
    edits.thinking = isTaken ? JSON.stringify({ type: "enabled", budget_tokens: budget }) : null;
    if (isTaken) leaveOutBesideThinking(body, profile, { edits, leftOut });
    else leftOut.push("thinking");
  } else if (form === "none" && thinking.type !== "disabled") {
    edits.thinking = null;
    leftOut.push("thinking");
  } else if (thinking.type === "enabled" && !profile.thinking.byDefault && goesOnWithoutThought(body.messages)) {
    edits.thinking = null;
    leftOut.push("thinking");
  }
}

/** Samplers that the model refuses beside the thinking that it was not asked for in these words. */
function leaveOutBesideThinking(
  body: Body,
  { leastTopPWhileThinking }: ModelProfile,
  { edits, leftOut }: BodyFit,
): void {
  if (leastTopPWhileThinking === null) return;
  const isTaken = (field: string, value: unknown) =>
    (field === "temperature" && value === 1) ||
    (field === "top_p" && typeof value === "number" && value >= leastTopPWhileThinking);
  for (const field of ["temperature", "top_p", "top_k"]) {
    if (body[field] == null || edits[field] !== undefined || isTaken(field, body[field])) continue;
    edits[field] = null;
    leftOut.push(field);
  }
}

/**
 * Whether the model's last answer called tools and does not begin with a thought, or with one of another supplier, which does not go
 * back: with a budget such a history is refused.
 */
function goesOnWithoutThought(messages: unknown): boolean {
  const last = Array.isArray(messages)
    ? messages.findLast((each) => isObject(each) && each.role === "assistant")
    : null;
  const content: readonly unknown[] = isObject(last) && Array.isArray(last.content) ? last.content : [];
  const blocks = content.filter((block) => isObject(block)).filter((block) => !isForeignThought(block));
  const first = blocks[0]?.type;
  return blocks.some(({ type }) => type === "tool_use") && first !== "thinking" && first !== "redacted_thinking";
}
