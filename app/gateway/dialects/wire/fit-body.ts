import {
  EFFORT_LEVELS,
  type ModelProfile,
  profileOf,
  TUNING_FIELDS,
  type TuningField,
} from "~/domain/catalogue/profiles";
import type { Route } from "~/domain/catalogue/shared";
import { exactJson, exactMember } from "~/http/body/json/exact-numbers";
import type { Member } from "~/http/body/json/json-surgery";
import { knownCeilingField } from "./ceiling-field";
import { isObject, type JsonObject } from "./events/reading";
import { type BodyFit, type Fitting, fitMembers, fitNoTools, inNativeFields } from "./fit-members";
import { mustFit, toolSchema } from "./schemas/schema-rules";
import { isForeignThought } from "./thoughts/sealed-thoughts";
import { budgetFor, levelFor } from "./thoughts/thinking";
import { messagesWire } from "./thoughts/thoughts";

type Body = Readonly<Record<string, unknown>>;

/**
 * Returns the edits of a fit with the digits of numbers in schemas as the client wrote them. `fitted` fits a body that
 * has those digits.
 */
export function editsOf<Whole extends Body>(
  { edits }: BodyFit,
  source: { text: string; members: readonly Member[]; body: Whole },
  fitted: (body: Whole) => BodyFit,
): BodyFit["edits"] {
  if (!SCHEMAS.some((name) => edits[name] != null)) return edits;
  const { body } = source;
  const written = SCHEMAS.filter((name) => edits[name] != null);
  const exact = {
    ...body,
    ...Object.fromEntries(written.map((name) => [name, exactMember(body[name], name, source)])),
  };
  const exactEdits = fitted(exact).edits;
  return { ...edits, ...Object.fromEntries(written.map((name) => [name, exactJson(exactEdits[name]!)])) };
}

/** Members that contain schemas. */
const SCHEMAS = ["tools", "output_config"];

/** The fit without changes. */
const AS_IT_IS: BodyFit = Object.freeze({ edits: Object.freeze({}), leftOut: Object.freeze([]) });

/** Whether the supplier adapts requests to its models itself. */
const adaptsRequests = ({ supplier: { kind } }: Route): boolean =>
  kind === "gateway" || kind === "sandbox" || kind === "native_agent";

/**
 * Returns the edits that adapt a chat body to the route's model. They concern only values that the model is known to
 * reject: tuning fields, unknown efforts, the output ceiling under another name, tools without properties.
 */
export function fitChatBody(original: Body, route: Route): BodyFit {
  if (adaptsRequests(route)) return AS_IT_IS;
  const fit: Fitting = { edits: {}, leftOut: [] };
  const profile = profileOf(route);
  const body = inNativeFields(original, profile, fit);
  const effort = body.reasoning_effort ?? null;
  const switched = isObject(body.thinking) ? body.thinking.type : null;
  const says = effort === null ? switched : effort;
  const thinks = says === null ? profile.thinking.byDefault : says !== "none" && says !== "disabled";
  omitRefused({ body, profile, thinks, fields: TUNING_FIELDS }, fit);
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
  fitMembers(body, profile, fit);
  fitTools(tools, { profile, ...CHAT_TOOLS }, fit);
  return fit;
}

/** Same for a body of the responses format. */
export function fitResponsesBody(body: Body, route: Route): BodyFit {
  if (adaptsRequests(route)) return AS_IT_IS;
  const fit: Fitting = { edits: {}, leftOut: [] };
  const profile = profileOf(route);
  const reasoning = isObject(body.reasoning) ? body.reasoning : null;
  const effort = reasoning?.effort ?? null;
  const thinks = effort === null ? profile.thinking.byDefault : effort !== "none";
  omitRefused({ body, profile, thinks, fields: ["temperature", "top_p"] }, fit);
  const fitted = effortFor(effort, profile);
  if (reasoning !== null && fitted !== effort) {
    const { effort: _effort, ...rest } = reasoning;
    const fittedReasoning = fitted === null ? rest : { ...rest, effort: fitted };
    fit.edits.reasoning = Object.keys(fittedReasoning).length === 0 ? null : JSON.stringify(fittedReasoning);
    if (fitted === null) fit.leftOut.push("reasoning.effort");
  }
  const tools = Array.isArray(body.tools) ? body.tools : [];
  fitNoTools(body, profile, fit.edits);
  fitTools(tools, { profile, ...RESPONSES_TOOLS }, fit);
  return fit;
}

/** Same for a messages body. Converts thinking between budget and effort if the model accepts only one of them. */
export function fitMessagesBody(body: Body, route: Route): BodyFit {
  if (adaptsRequests(route)) return AS_IT_IS;
  const fit: Fitting = { edits: {}, leftOut: [] };
  const profile = profileOf(route);
  const thinking = isObject(body.thinking) ? body.thinking : null;
  const thinks = thinking !== null && thinking.type !== "disabled";
  omitRefused({ body, profile, thinks, fields: ["temperature", "top_p", "top_k"] }, fit);
  const isBoth = body.temperature != null && body.top_p != null && fit.edits.top_p === undefined;
  if (profile.samplers === "one" && isBoth) {
    fit.edits.top_p = null;
    if (body.top_p !== 1) fit.leftOut.push("top_p");
  }
  if (Array.isArray(body.tools)) fitTools(body.tools, { profile, ...MESSAGES_TOOLS }, fit);
  if (profile.takesSealedThoughts) fitThinking({ body, thinking, profile }, fit);
  return fit;
}

type Refusable = { body: Body; profile: ModelProfile; thinks: boolean; fields: readonly TuningField[] };

/** Values without an effect: their removal is not reported. */
const IDLE: Partial<Record<TuningField, unknown>> = {
  frequency_penalty: 0,
  presence_penalty: 0,
  logprobs: false,
  parallel_tool_calls: true,
};

function omitRefused({ body, profile, thinks, fields }: Refusable, { edits, leftOut }: Fitting): void {
  for (const field of fields) {
    const rule = profile.fields[field];
    if (rule !== "refused" && !(rule === "withoutThinking" && thinks)) continue;
    const value = body[field];
    if (value == null) continue;
    // 1 is the default of both; models that reject other values accept it.
    if (value === 1 && (field === "temperature" || field === "top_p")) continue;
    edits[field] = null;
    if (value !== IDLE[field]) leftOut.push(field);
  }
}

/** Returns the effort in the model's own levels; null if the model has none. Unknown efforts stay unchanged. */
function effortFor(effort: unknown, profile: ModelProfile): unknown {
  const { form, levels } = profile.thinking;
  if (effort === null || profile.name === "general") return effort;
  if (form === "none") return null;
  // A server with a chat template may accept an effort as well; the profile then lists its levels.
  const hasLevels = form === "effort" || (form === "template" && levels.length > 0);
  if (!hasLevels || levels.some((level) => level === effort)) return effort;
  const known = EFFORT_LEVELS.find((level) => level === effort);
  if (known === undefined) return effort;
  return known === "none" ? null : levelFor(known, profile);
}

function moveCeiling(body: Body, route: Route, { edits }: Fitting): void {
  const field = knownCeilingField(route);
  if (field === null || body[field] != null) return;
  const other = field === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  if (body[other] == null) return;
  edits[other] = null;
  edits[field] = JSON.stringify(body[other]);
}

/**
 * Location of a tool's declaration in a format. `place` returns the member with the declaration, "" for the tool
 * itself, and null if the tool is not a function. `schema` is the member with the parameters.
 */
type ToolPlace = { place(tool: JsonObject): string | null; schema: "parameters" | "input_schema" };

const CHAT_TOOLS: ToolPlace = {
  place: (tool) => (isObject(tool.function) ? "function" : null),
  schema: "parameters",
};
const RESPONSES_TOOLS: ToolPlace = { place: ({ type }) => (type === "function" ? "" : null), schema: "parameters" };
const MESSAGES_TOOLS: ToolPlace = {
  place: ({ type, input_schema }) => ((type == null || type === "custom") && isObject(input_schema) ? "" : null),
  schema: "input_schema",
};

/** Adapts the declarations of tools to the model. */
function fitTools(
  tools: readonly unknown[],
  { profile, place, schema }: { profile: ModelProfile } & ToolPlace,
  { edits }: Fitting,
): void {
  if (tools.length === 0) return;
  const rules = profile.toolSchema;
  const declared = (tool: unknown) => {
    const member = isObject(tool) ? place(tool) : null;
    return member === null ? null : ((member === "" ? tool : (tool as JsonObject)[member]) as JsonObject);
  };
  const isMixed = mixesStrictness(tools.map(declared), profile);
  const isOdd = (declaration: JsonObject | null): declaration is JsonObject =>
    declaration !== null && (mustFit(declaration[schema], rules) || (isMixed && "strict" in declaration));
  const isMarked = (tool: unknown) => profile.cachePoints === "refused" && isObject(tool) && "cache_control" in tool;
  if (!tools.some((tool) => isOdd(declared(tool)) || isMarked(tool))) return;
  const fitted = tools.map((tool) => {
    if (!isObject(tool)) return tool;
    const { cache_control: _mark, ...plain } = tool;
    const fittedTool = isMarked(tool) ? plain : tool;
    const declaration = declared(fittedTool);
    if (!isOdd(declaration)) return fittedTool;
    const { strict, ...whole } = { ...declaration, [schema]: toolSchema(declaration[schema], rules) } as JsonObject;
    const declares = strict === undefined || isMixed ? whole : { ...whole, strict };
    return declaration === fittedTool ? declares : { ...fittedTool, function: declares };
  });
  edits.tools = JSON.stringify(fitted);
}

/** Whether a request mixes strict and other tools for a model that rejects the mixture. */
const mixesStrictness = (declarations: readonly (JsonObject | null)[], { strictTools }: ModelProfile): boolean =>
  strictTools === "uniform" &&
  declarations.some((declaration) => declaration?.strict === true) &&
  declarations.some((declaration) => declaration?.strict !== true);

/** Minimum tokens of the output ceiling that remain for the answer after the thoughts. */
const MIN_ANSWER_TOKENS = 1_024;

function fitThinking(
  { body, thinking, profile }: { body: Body; thinking: JsonObject | null; profile: ModelProfile },
  { edits, leftOut }: Fitting,
): void {
  const { form, takesBudget, outputEffort, canStop, minBudget } = profile.thinking;
  const config = isObject(body.output_config) ? body.output_config : null;
  const effort = config?.effort;
  if (config !== null && typeof effort === "string") {
    const known = EFFORT_LEVELS.find((level) => level === effort);
    const level = !outputEffort || known === undefined ? null : levelFor(known, profile);
    if (level !== effort) {
      const { effort: _effort, ...rest } = config;
      const fittedReasoning = level === null ? rest : { ...rest, effort: level };
      edits.output_config = Object.keys(fittedReasoning).length === 0 ? null : JSON.stringify(fittedReasoning);
      if (level === null && form !== "budget") leftOut.push("output_config.effort");
    }
  }
  if (thinking === null) return;
  if (thinking.type === "disabled" && !canStop) edits.thinking = null;
  else if (thinking.type === "enabled" && form === "adaptive" && !takesBudget)
    edits.thinking = JSON.stringify({ type: "adaptive", display: "summarized" });
  else if (thinking.type === "adaptive" && form === "budget") {
    const maximum =
      typeof body.max_tokens === "number" ? body.max_tokens - MIN_ANSWER_TOKENS : Number.POSITIVE_INFINITY;
    const level = EFFORT_LEVELS.find((each) => each === effort) ?? null;
    const budget = Math.min(maximum, budgetFor({ level, budget: null }, profile));
    const isTaken = budget >= minBudget && !goesOnWithoutThought(body.messages, profile);
    edits.thinking = isTaken ? JSON.stringify({ type: "enabled", budget_tokens: budget }) : null;
    if (isTaken) omitBesideThinking(body, profile, { edits, leftOut });
    else leftOut.push("thinking");
  } else if (form === "none" && thinking.type !== "disabled") {
    edits.thinking = null;
    leftOut.push("thinking");
  } else if (
    thinking.type === "enabled" &&
    !profile.thinking.byDefault &&
    goesOnWithoutThought(body.messages, profile)
  ) {
    edits.thinking = null;
    leftOut.push("thinking");
  }
}

/** Removes sampling fields that the model rejects with a thinking budget, if gw has introduced the budget. */
function omitBesideThinking(body: Body, { minTopPWhileThinking }: ModelProfile, { edits, leftOut }: Fitting): void {
  if (minTopPWhileThinking === null) return;
  const isTaken = (field: string, value: unknown) =>
    (field === "temperature" && value === 1) ||
    (field === "top_p" && typeof value === "number" && value >= minTopPWhileThinking);
  for (const field of ["temperature", "top_p", "top_k"]) {
    if (body[field] == null || edits[field] !== undefined || isTaken(field, body[field])) continue;
    edits[field] = null;
    leftOut.push(field);
  }
}

/**
 * Whether the last assistant message calls tools and does not begin with a thought that this supplier accepts. With a
 * thinking budget the supplier rejects such a history.
 */
function goesOnWithoutThought(messages: unknown, profile: ModelProfile): boolean {
  const wire = messagesWire(profile);
  const last = Array.isArray(messages)
    ? messages.findLast((each) => isObject(each) && each.role === "assistant")
    : null;
  const content: readonly unknown[] = isObject(last) && Array.isArray(last.content) ? last.content : [];
  const blocks = content.filter((block) => isObject(block)).filter((block) => !isForeignThought(block, wire));
  const first = blocks[0]?.type;
  return blocks.some(({ type }) => type === "tool_use") && first !== "thinking" && first !== "redacted_thinking";
}
