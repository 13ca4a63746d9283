import { expect } from "vitest";
import type { Call, Conversation, Told, Tool, Wanted } from "./clients/client";
import type { ClientName } from "./clients/clients";
import { inputsOf, LARGE_PICTURE, LONG_THOUGHT, plainName, STRUCTURED } from "./script";
import { type Json, parseExactly } from "./twin";

export type Talk = {
  client: ClientName;
  conversation: Conversation;
  /** Sends the conversation and expects a complete, well-formed answer. */
  ask(wanted?: Partial<Wanted>): Promise<Told>;
};

type Scenario = {
  name: string;
  /** Clients whose dialects can express the scenario; absent: all. */
  clients?: readonly ClientName[];
  streamedOnly?: true;
  /** Twins that support the scenario; absent: all. */
  twins?: readonly string[];
  run(talk: Talk): Promise<void>;
};

const LOOK_UP: Tool = {
  name: "look_up",
  description: "Looks something up.",
  schema: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { id: { type: "integer", minimum: 0 }, what: { type: "string", maxLength: 200 } },
    required: ["id", "what"],
    additionalProperties: false,
  },
};
const STORE: Tool = {
  name: "store",
  description: "Stores a note.",
  schema: {
    type: "object",
    properties: {
      note: { type: "string" },
      parts: {
        type: "array",
        items: {
          type: "object",
          properties: { weight: { type: "number" }, count: { type: "integer" } },
          additionalProperties: false,
        },
      },
    },
    required: ["note"],
  },
};
const LIST: Tool = { name: "list", description: "Lists everything.", schema: { type: "object" } };
const SCREENSHOT: Tool = {
  name: "screenshot",
  description: "Takes a picture.",
  schema: { type: "object", properties: {} },
};
const SEARCH: Tool = {
  name: "search_documents",
  description: "Searches documents.",
  schema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
};

export const TOOLS: readonly Tool[] = [LOOK_UP, STORE];

/** Tools as MCP servers declare them; each has a form that at least one vendor rejects. */
const ODD: readonly Tool[] = [
  {
    name: "one_of_two",
    description: "Takes one of two.",
    schema: {
      type: "object",
      anyOf: [
        { properties: { path: { type: "string" } }, required: ["path"] },
        { properties: { line: { type: "integer" } }, required: ["line"] },
      ],
    },
  },
  {
    name: "referred",
    description: "Takes a list of nodes.",
    schema: {
      $ref: "#/$defs/Node",
      $defs: {
        Node: { type: "object", properties: { name: { type: "string" }, next: { $ref: "#/$defs/Node" } } },
      },
    },
  },
  {
    name: "1st",
    description: "Speaks older drafts.",
    schema: {
      type: "object",
      properties: {
        ttl: { type: "integer", minimum: 0, exclusiveMinimum: true },
        pair: { type: "array", items: [{ type: "string" }, { type: "number" }] },
        all: { type: "array" },
        mode: { enum: ["a", "b"] },
        either: { type: "string", anyOf: [{ enum: ["x"] }, { pattern: "^y" }] },
      },
      required: null,
    },
  },
  { name: "untyped", description: "Says no type.", schema: { properties: { query: { type: "string" } } } },
];

const SCORE = {
  type: "object",
  properties: {
    score: { type: "integer", minimum: 1, maximum: 10 },
    label: { type: "string", minLength: 1, maxLength: 20 },
    tags: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 5 },
  },
  required: ["score", "label", "tags"],
  additionalProperties: false,
};

/** The smallest picture: one transparent pixel. */
const PICTURE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Asserts that the calls of an answer are exactly those of the script. */
export function expectCalls(told: Told, ...expected: (readonly [tool: string, input: number])[]): void {
  expect(told.calls.map(({ name }) => plainName(name))).toEqual(expected.map(([tool]) => tool));
  const sorted = (text: string) =>
    JSON.stringify(parseExactly(text), (_key, value: Json) =>
      value !== null && typeof value === "object" && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort())
        : value,
    );
  expect(told.calls.map((call) => sorted(call.arguments))).toEqual(
    expected.map(([tool, at]) => sorted(inputsOf(tool)[at]!)),
  );
  expect(new Set(told.calls.map(({ id }) => id)).size).toBe(expected.length);
}

const resultOf = (call: Call, text: string, picture?: string) => ({
  call,
  text,
  ...(picture === undefined ? {} : { picture }),
});

/** Runs one tool loop: expects a call, sends its result, and expects the answer in words. */
async function oneLoop({ conversation, ask }: Talk, wanted: Partial<Wanted>): Promise<Told> {
  conversation.say("Look it up, please. script:once");
  const told = await ask(wanted);
  expectCalls(told, ["look_up", 0]);
  conversation.answer([resultOf(told.calls[0]!, "found it")]);
  const end = await ask({ ...wanted, isForced: undefined });
  expect(end.text).toBe("Done with once. Results: found it.");
  return told;
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "tools over three turns",
    async run({ conversation, ask }) {
      conversation.instruct("You are an agent. mark-agent");
      conversation.say("Look it up and store it. script:tools");
      const first = await ask({ tools: TOOLS });
      expectCalls(first, ["look_up", 0]);
      conversation.answer([resultOf(first.calls[0]!, "found it")]);
      const second = await ask({ tools: TOOLS });
      expectCalls(second, ["store", 0]);
      conversation.answer([resultOf(second.calls[0]!, "stored it")]);
      const third = await ask({ tools: TOOLS });
      expect(third.calls).toEqual([]);
      expect(third.text).toBe("Done with tools. Results: found it | stored it. Marks: mark-agent.");
    },
  },
  {
    name: "parallel calls",
    async run({ conversation, ask }) {
      conversation.say("Look both up. script:parallel");
      const told = await ask({ tools: TOOLS });
      expectCalls(told, ["look_up", 0], ["look_up", 1]);
      conversation.answer([resultOf(told.calls[0]!, "one"), resultOf(told.calls[1]!, "two")]);
      expect((await ask({ tools: TOOLS })).text).toBe("Done with parallel. Results: one | two.");
    },
  },
  {
    name: "a text beside a result, and a further question",
    async run({ conversation, ask }) {
      conversation.say("Look it up. script:once");
      const told = await ask({ tools: TOOLS });
      conversation.answer([resultOf(told.calls[0]!, "found it")], "<system-reminder>mark-reminder</system-reminder>");
      expect((await ask({ tools: TOOLS })).text).toBe("Done with once. Results: found it. Marks: mark-reminder.");
      conversation.say("And now? script:further");
      expect((await ask({ tools: TOOLS })).text).toBe("Done with once. Results: found it. Marks: mark-reminder.");
    },
  },
  {
    name: "thinking on",
    run: (talk) => oneLoop(talk, { tools: TOOLS, effort: "medium" }).then(() => undefined),
  },
  {
    name: "thinking as much as it can",
    run: (talk) => oneLoop(talk, { tools: TOOLS, effort: "most" }).then(() => undefined),
  },
  {
    name: "thinking off",
    run: (talk) => oneLoop(talk, { tools: TOOLS, effort: "none" }).then(() => undefined),
  },
  {
    name: "a forced call beside an effort",
    run: (talk) => oneLoop(talk, { tools: TOOLS, effort: "medium", isForced: true }).then(() => undefined),
  },
  {
    name: "structured output with constraints",
    async run({ conversation, ask }) {
      conversation.say("Judge it as JSON. script:schema");
      expect(JSON.parse((await ask({ schema: SCORE })).text)).toEqual(JSON.parse(STRUCTURED));
    },
  },
  {
    name: "a picture",
    async run({ conversation, ask }) {
      conversation.say("See here. script:look", PICTURE);
      expect((await ask()).text).toBe("Done with look. Pictures: 1.");
    },
  },
  {
    name: "a picture in a result",
    async run({ conversation, ask }) {
      conversation.say("Take one. script:screenshot");
      const told = await ask({ tools: [SCREENSHOT] });
      expectCalls(told, ["screenshot", 0]);
      conversation.answer([resultOf(told.calls[0]!, "taken", PICTURE)]);
      expect((await ask({ tools: [SCREENSHOT] })).text).toBe("Done with screenshot. Results: taken. Pictures: 1.");
    },
  },
  {
    name: "instructions at the beginning and in the middle",
    async run({ conversation, ask }) {
      conversation.instruct("mark-first");
      conversation.instruct("mark-second");
      conversation.say("Hello. script:plain");
      conversation.instructLater("mark-third");
      conversation.say("And now?");
      expect((await ask()).text).toBe("Done with plain. Marks: mark-first mark-second mark-third.");
    },
  },
  {
    name: "sampling and stop sequences",
    async run({ conversation, ask }) {
      conversation.say("Hello. script:plain");
      expect((await ask({ samples: true })).text).toBe("Done with plain.");
    },
  },
  {
    name: "sampling beside an effort",
    async run({ conversation, ask }) {
      conversation.say("Hello. script:plain");
      expect((await ask({ samples: true, effort: "medium" })).text).toBe("Done with plain.");
    },
  },
  {
    name: "a ceiling of the output",
    async run({ conversation, ask }) {
      conversation.say("Hello. script:plain");
      expect((await ask({ mostOutput: 500 })).text).toBe("Done with plain.");
    },
  },
  {
    name: "a low ceiling of the output beside an effort",
    async run({ conversation, ask }) {
      conversation.say("Hello. script:plain");
      expect((await ask({ mostOutput: 500, effort: "medium" })).text).toBe("Done with plain.");
    },
  },
  {
    name: "a tool without properties",
    async run({ conversation, ask }) {
      conversation.say("List it. script:blank");
      const told = await ask({ tools: [LIST, LOOK_UP] });
      expectCalls(told, ["list", 0]);
      conversation.answer([resultOf(told.calls[0]!, "nothing")]);
      expect((await ask({ tools: [LIST, LOOK_UP] })).text).toBe("Done with blank. Results: nothing.");
    },
  },
  {
    name: "tools as odd servers declare them",
    run: (talk) => oneLoop(talk, { tools: [LOOK_UP, ...ODD] }).then(() => undefined),
  },
  {
    name: "what clients of a dialect send to every supplier",
    clients: ["chat", "messages"],
    async run({ conversation, ask }) {
      conversation.instruct("You are an agent. mark-agent");
      for (const question of ["Hello. script:plain", "And now?", "And then?"]) {
        conversation.say(question);
        expect((await ask({ habits: true })).text).toBe("Done with plain. Marks: mark-agent.");
      }
    },
  },
  {
    name: "a namespace of tools",
    clients: ["responses"],
    async run({ conversation, ask }) {
      conversation.say("Search. script:namespace");
      const wanted = { tools: [SEARCH], namespace: "mcp__docs" };
      const told = await ask(wanted);
      expectCalls(told, ["search_documents", 0]);
      expect(told.calls[0]).toMatchObject({ name: "search_documents", namespace: "mcp__docs" });
      conversation.answer([resultOf(told.calls[0]!, "three")]);
      expect((await ask(wanted)).text).toBe("Done with namespace. Results: three.");
    },
  },
  {
    name: "a long thought",
    streamedOnly: true,
    async run({ conversation, ask }) {
      conversation.say("Think long. script:long-thought");
      const told = await ask({ effort: "medium" });
      expect(told.text).toBe("Done with long-thought.");
      if (told.thought !== "") expect(told.thought.split(" a thought").length - 1).toBe(LONG_THOUGHT);
    },
  },
  {
    name: "a picture of eight megabytes in one piece",
    clients: ["chat"],
    twins: ["openrouter", "gemini"],
    async run({ conversation, ask }) {
      conversation.say("Draw it. script:draw");
      const told = await ask();
      expect(told.text).toBe("Done with draw.");
      expect(told.pictures).toEqual([LARGE_PICTURE]);
    },
  },
];
