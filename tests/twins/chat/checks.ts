import { inputsOf, plainName } from "../script";
import { type Json, parseExactly, type Refusal, type Rule } from "../twin";
import { contentText } from "./hear";

/** Returns the first unknown field name. */
export const unknownIn = (value: Json, known: ReadonlySet<string>): string | undefined =>
  Object.keys(value).find((name) => !known.has(name));

/** Splits a text into field names. */
export const names = (text: string): ReadonlySet<string> => new Set(text.split(" "));

export type Schema = Json;
type Keyword = { keyword: string; value: Json; schema: Schema; path: string };

const NESTED = new Set(["properties", "$defs", "definitions", "patternProperties", "dependentSchemas"]);
const LISTS = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);

/** Returns every keyword of a JSON schema and its subschemas, with its path. */
export function keywordsOf(schema: Schema, path = ""): Keyword[] {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]: [string, Json]) => {
    const at = path === "" ? keyword : `${path}.${keyword}`;
    const own = { keyword, value, schema, path };
    if (NESTED.has(keyword))
      return [own, ...Object.entries(value ?? {}).flatMap(([name, inner]) => keywordsOf(inner, `${at}.${name}`))];
    if (LISTS.has(keyword))
      return [own, ...(value as Json[]).flatMap((inner, index) => keywordsOf(inner, `${at}[${index}]`))];
    if (keyword === "items" || keyword === "additionalProperties" || keyword === "not")
      return [own, ...keywordsOf(value, at)];
    return [own];
  });
}

/** Returns the vendor's message about the first object schema that violates strict mode. */
export function strictFault(schema: Schema): string | undefined {
  for (const { keyword, value, schema: around, path } of keywordsOf(schema)) {
    if (keyword !== "type" || value !== "object") continue;
    if (around.additionalProperties !== false)
      return `In context=(${path}), 'additionalProperties' is required to be supplied and to be false.`;
    const missing = Object.keys(around.properties ?? {}).find((name) => !(around.required ?? []).includes(name));
    if (missing !== undefined)
      return `In context=(${path}), 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
  }
  return undefined;
}

/** Returns the vendors' message about the first keyword whose value has the form of an older draft. */
export function draftFault(schema: Schema): string | undefined {
  for (const { keyword, value, path } of keywordsOf(schema)) {
    const at = path === "" ? keyword : `${path}.${keyword}`;
    if (/^exclusiveM(in|ax)imum$/.test(keyword) && typeof value === "boolean")
      return `${at}: ${value} is not of type 'number'`;
    if (keyword === "items" && Array.isArray(value)) return `${at}: [{...}] is not of type 'object', 'boolean'`;
    if (keyword === "required" && !Array.isArray(value)) return `${at}: None is not of type 'array'`;
  }
  return undefined;
}

type Pairing = { at: number; ids: string[]; problem: "unanswered" | "orphan" };

/** Returns the first unpaired call or result of a chat history; results must directly follow their calls. */
export function badPairing(messages: readonly Json[]): Pairing | undefined {
  let open: { at: number; ids: string[] } | null = null;
  for (const [at, { role, tool_calls, tool_call_id }] of messages.entries()) {
    if (role === "tool") {
      if (open === null || !open.ids.includes(tool_call_id)) return { at, ids: [tool_call_id], problem: "orphan" };
      open.ids = open.ids.filter((id) => id !== tool_call_id);
      continue;
    }
    if (open !== null && open.ids.length > 0) return { ...open, problem: "unanswered" };
    open = role === "assistant" && tool_calls?.length > 0 ? { at, ids: tool_calls.map(({ id }: Json) => id) } : null;
  }
  return open !== null && open.ids.length > 0 ? { ...open, problem: "unanswered" } : undefined;
}

/** Returns the calls in a chat history. */
export const callsIn = (messages: readonly Json[]): { call: Json; at: number; message: Json }[] =>
  messages.flatMap((message, at) => (message.tool_calls ?? []).map((call: Json) => ({ call, at, message })));

const OWN = "https://www.rfc-editor.org/rfc/rfc8259#section-6";

/** Returns an error message if a call in the history is not exactly one that the scripted model has made. */
export function changedCall(name: string, text: string): string | undefined {
  const made = inputsOf(plainName(name));
  if (made.length === 0) return undefined;
  const asMade = made.map((input) => JSON.stringify(sorted(parseExactly(input))));
  let came: Json;
  try {
    came = parseExactly(text);
  } catch {
    return `the arguments of ${name} are not JSON: ${text}`;
  }
  return asMade.includes(JSON.stringify(sorted(came))) ? undefined : `the arguments of ${name} have changed: ${text}`;
}

const sorted = (value: Json): Json =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));

/** Arguments of calls must come back unchanged. No vendor checks it, but its model would otherwise read wrong data. */
export const exactArguments: Rule = {
  rule: "arguments of calls come back exactly, integers beyond 2^53 included",
  source: OWN,
  date: "2017-12",
  check: ({ messages }) =>
    callsIn(messages)
      .map(({ call }) => changedCall(call.function?.name ?? "", call.function?.arguments ?? ""))
      .find((fault) => fault !== undefined),
};

const CREATE = "https://platform.openai.com/docs/api-reference/chat/create";

/** Errors that all vendors of chat completions reject, with the messages of the original vendor. */
export const SHAPE: readonly Rule[] = [
  {
    rule: "there are messages, each with a role that exists",
    source: CREATE,
    date: "2026-06",
    check: ({ messages }) => {
      if (!Array.isArray(messages) || messages.length === 0)
        return {
          message: "Invalid 'messages': empty array. Expected an array with minimum length 1.",
          param: "messages",
        };
      const at = messages.findIndex(({ role }: Json) => !ROLES.has(role));
      return at < 0 ? undefined : { message: `Invalid value: '${messages[at].role}'.`, param: `messages[${at}].role` };
    },
  },
  {
    rule: "the last message is not the model's own empty one, and messages have content or calls",
    source: CREATE,
    date: "2026-06",
    check: ({ messages }) => {
      const at = messages.findIndex(
        ({ role, content, tool_calls }: Json) =>
          !(tool_calls?.length > 0) &&
          (content === undefined ||
            content === null ||
            (role !== "tool" && contentText(content) === "" && !Array.isArray(content))),
      );
      return at < 0
        ? undefined
        : { message: `Invalid value for 'content': expected a string, got null.`, param: `messages.[${at}].content` };
    },
  },
  {
    rule: "a call is answered directly behind its message, and a result has its call",
    source: "https://platform.openai.com/docs/api-reference/chat/create",
    date: "2026-06",
    check: ({ messages }) => {
      const bad = badPairing(messages);
      if (bad === undefined) return undefined;
      const param = `messages.[${bad.at}].role`;
      return bad.problem === "orphan"
        ? {
            message:
              "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
            param,
          }
        : {
            message: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${bad.ids.join(", ")}`,
            param,
          };
    },
  },
  {
    rule: "names of functions are plain and at most 64 characters long",
    source: CREATE,
    date: "2026-06",
    check: ({ tools = [], messages }) => {
      const all = [
        ...tools.map(({ function: tool }: Json) => tool?.name),
        ...callsIn(messages).map(({ call }) => call.function?.name),
      ];
      const bad = all.find((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name));
      return bad === undefined
        ? undefined
        : {
            message: `Invalid 'tools[0].function.name': string does not match pattern. Got '${bad}'.`,
            param: "tools[0].function.name",
          };
    },
  },
  {
    rule: "tools are functions and no two have one name",
    source: CREATE,
    date: "2026-06",
    check: ({ tools = [] }) => {
      const said = tools.map(({ function: tool }: Json) => tool?.name);
      if (tools.some(({ type }: Json) => type !== "function"))
        return { message: "Invalid value: 'type'. Supported values are: 'function'.", param: "tools[0].type" };
      return new Set(said).size === said.length ? undefined : { message: "Tool names must be unique.", param: "tools" };
    },
  },
  {
    rule: "a tool may be demanded only where there are tools",
    source: CREATE,
    date: "2026-06",
    check: ({ tools, tool_choice }) =>
      tool_choice !== undefined && tools === undefined
        ? {
            message: "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
            param: "tool_choice",
          }
        : undefined,
  },
  exactArguments,
];

const ROLES = names("system developer user assistant tool function");

/** Returns the index of a system message that is not the only one at the beginning. */
export const lateSystem = (messages: readonly Json[]): number =>
  messages.findIndex(({ role }, at) => at > 0 && (role === "system" || role === "developer"));

/** Returns a rule that rejects fields by name while `when` is true. */
export const refusesFields = (
  rule: Pick<Rule, "rule" | "source" | "date">,
  fields: readonly string[],
  refusal: (field: string, body: Json) => Refusal | string,
  when: (body: Json, field: string) => boolean = () => true,
): Rule => ({
  ...rule,
  check: (body) => {
    const field = fields.find((name) => body[name] !== undefined && body[name] !== null && when(body, name));
    return field === undefined ? undefined : refusal(field, body);
  },
});
