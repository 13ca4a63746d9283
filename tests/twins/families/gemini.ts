import { changedCall, keywordsOf, names, unknownIn } from "../chat/checks";
import {
  type Api,
  dataEvent,
  eventStream,
  type Heard,
  type Json,
  json,
  pieces,
  type Refusal,
  type Reply,
  type Rule,
  type Said,
  type Turn,
  writeExactly,
} from "../twin";

const CREATE = "https://ai.google.dev/api/generate-content";
export const SIGNATURES = "https://ai.google.dev/gemini-api/docs/thought-signatures";
const CALLING = "https://ai.google.dev/gemini-api/docs/function-calling";

/** Values that the vendor accepts in place of an unknown signature of a call. */
export const PLACEHOLDERS = names("skip_thought_signature_validator context_engineering_is_the_way_to_go");

const FIELDS = names(
  "contents systemInstruction tools toolConfig generationConfig safetySettings cachedContent labels store serviceTier",
);
const CONFIG = names(
  "maxOutputTokens temperature topP topK stopSequences responseMimeType responseSchema responseJsonSchema responseModalities thinkingConfig candidateCount seed presencePenalty frequencyPenalty responseLogprobs logprobs mediaResolution speechConfig imageConfig",
);
const PARTS = names(
  "text inlineData fileData functionCall functionResponse thought thoughtSignature executableCode codeExecutionResult mediaResolution",
);
/** Keywords of the OpenAPI subset of `parameters` and `responseSchema`. */
const OPEN_API = names(
  "type format title description nullable enum maxItems minItems properties required minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering default items minimum maximum",
);

export const unknownName = (name: string, at: string): string =>
  `Invalid JSON payload received. Unknown name "${name}"${at === "" ? "" : ` at '${at}'`}: Cannot find field.`;

const partsOf = (contents: Json[]): { role: string; part: Json; at: number; index: number }[] =>
  contents.flatMap(({ role, parts }, at) =>
    (parts ?? []).map((part: Json, index: number) => ({ role, part, at, index })),
  );
const declarationsOf = ({ tools = [] }: Json): Json[] =>
  tools.flatMap(({ functionDeclarations = [] }: Json) => functionDeclarations);

/** Returns the start of the model's current turn: the index after the user's last text. */
const turnStart = (contents: Json[]): number =>
  contents.findLastIndex(({ role, parts }) => role === "user" && parts.some(({ text }: Json) => text !== undefined));

const RULES: readonly Rule[] = [
  {
    rule: "the key stands in a header",
    source: "https://ai.google.dev/gemini-api/docs/api-key",
    date: "2026-06",
    check: (_body, _memory, { request }) =>
      request.headers["x-goog-api-key"] === undefined
        ? {
            status: 403,
            message:
              "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
          }
        : undefined,
  },
  {
    rule: "no field that is not described",
    source: CREATE,
    date: "2026-06",
    check: (body) => {
      const unknown = unknownIn(body, FIELDS);
      if (unknown !== undefined) return unknownName(unknown, "");
      const config = unknownIn(body.generationConfig ?? {}, CONFIG);
      if (config !== undefined) return unknownName(config, "generation_config");
      const bad = partsOf(body.contents).find(({ part }) => unknownIn(part, PARTS) !== undefined);
      return bad === undefined
        ? undefined
        : unknownName(unknownIn(bad.part, PARTS)!, `contents[${bad.at}].parts[${bad.index}]`);
    },
  },
  {
    rule: "contents are of the user and the model, begin with the user and have parts",
    source: CREATE,
    date: "2026-06",
    check: ({ contents }) => {
      if (!Array.isArray(contents) || contents.length === 0)
        return "* GenerateContentRequest.contents: contents is not specified";
      if (contents.some(({ role }: Json) => role !== "user" && role !== "model"))
        return "Please use a valid role: user, model.";
      if (contents.some(({ parts }: Json) => !(parts?.length > 0)))
        return "* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.";
      return undefined;
    },
  },
  {
    rule: "a part has data",
    source: "https://ai.google.dev/api/generate-content",
    date: "2026-06",
    check: ({ contents }) => {
      const bad = partsOf(contents).find(
        ({ part }) =>
          part.text === undefined &&
          part.inlineData === undefined &&
          part.fileData === undefined &&
          part.functionCall === undefined &&
          part.functionResponse === undefined,
      );
      return bad === undefined
        ? undefined
        : `* GenerateContentRequest.contents[${bad.at}].parts[${bad.index}].data: required oneof field 'data' must have one initialized field`;
    },
  },
  {
    rule: "calls stand behind the user or results, and as many results directly behind them",
    source: CALLING,
    date: "2026-06",
    check: ({ contents }) => {
      const count = (content: Json, kind: string) =>
        (content?.parts ?? []).filter((part: Json) => part[kind] !== undefined).length;
      for (const [at, content] of contents.entries()) {
        const made = count(content, "functionCall");
        if (made > 0 && (at === 0 || contents[at - 1].role !== "user"))
          return "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
        if (made > 0 && count(contents[at + 1], "functionResponse") !== made)
          return "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
        if (count(content, "functionResponse") > 0 && count(contents[at - 1], "functionCall") === 0)
          return "Please ensure that function response turn comes immediately after a function call turn.";
      }
      return undefined;
    },
  },
  {
    rule: "the first call of each step of the running turn has its thought's signature",
    source: SIGNATURES,
    date: "2025-11",
    check: ({ contents }, memory) => {
      const start = turnStart(contents);
      for (const [at, { role, parts }] of contents.entries()) {
        if (role !== "model") continue;
        const first = parts.find(({ functionCall }: Json) => functionCall !== undefined);
        if (first === undefined || at < start) continue;
        if (first.thoughtSignature === undefined)
          return `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${first.functionCall.name}\` , position ${at + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`;
      }
      const bad = partsOf(contents).find(
        ({ part: { thoughtSignature: seal } }) =>
          seal !== undefined && !memory.seals.has(seal) && !PLACEHOLDERS.has(seal),
      );
      return bad === undefined ? undefined : "Thought signature is not valid.";
    },
  },
  {
    rule: "names of functions begin with a letter",
    source: CREATE,
    date: "2026-06",
    check: (body) => {
      const bad = declarationsOf(body).findIndex(({ name }) => !/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(name));
      return bad < 0
        ? undefined
        : `* GenerateContentRequest.tools[0].function_declarations[${bad}].name: [FIELD_INVALID] Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.`;
    },
  },
  {
    rule: "parameters are of the OpenAPI subset",
    source: "https://github.com/openswarm-ai/openswarm/issues/24",
    date: "2026-05",
    check: (body) => {
      for (const [at, { parameters, parametersJsonSchema }] of declarationsOf(body).entries()) {
        if (parameters !== undefined && parametersJsonSchema !== undefined)
          return "parameters and parametersJsonSchema cannot be set together";
        const bad = keywordsOf(parameters).find(({ keyword }) => !OPEN_API.has(keyword));
        if (bad !== undefined)
          return unknownName(
            bad.keyword,
            `tools[0].function_declarations[${at}].parameters${bad.path === "" ? "" : `.${bad.path}`}`,
          );
        const { type, properties } = parameters ?? {};
        if (type === "OBJECT" && Object.keys(properties ?? {}).length === 0)
          return `* GenerateContentRequest.tools[0].function_declarations[${at}].parameters.properties: should be non-empty for OBJECT type`;
      }
      return undefined;
    },
  },
  {
    rule: "an effort is a level, and not beside a budget",
    source: "https://ai.google.dev/gemini-api/docs/gemini-3",
    date: "2025-11",
    check: ({ generationConfig }) => {
      const { thinkingLevel: level, thinkingBudget: budget } = generationConfig?.thinkingConfig ?? {};
      if (level !== undefined && budget !== undefined)
        return "You can only set only one of thinking budget and thinking level.";
      if (budget === 0) return "Budget 0 is invalid. This model only works in thinking mode.";
      return level === undefined || /^(low|medium|high|LOW|MEDIUM|HIGH)$/.test(level)
        ? undefined
        : `Thinking level ${String(level).toUpperCase()} is not supported for this model.`;
    },
  },
  {
    rule: "penalties are not for these models",
    source: "https://ai.google.dev/api/generate-content",
    date: "2026-06",
    check: ({ generationConfig = {} }) =>
      (generationConfig.presencePenalty ?? generationConfig.frequencyPenalty) === undefined
        ? undefined
        : "Penalty is not enabled for this model",
  },
  {
    rule: "at most five stop sequences",
    source: CREATE,
    date: "2026-06",
    check: ({ generationConfig }) =>
      generationConfig?.stopSequences?.length > 5
        ? "Invalid value at 'generation_config.stop_sequences': at most 5 are allowed"
        : undefined,
  },
  {
    rule: "arguments of calls come back exactly, integers beyond 2^53 included",
    source: "https://www.rfc-editor.org/rfc/rfc8259#section-6",
    date: "2017-12",
    check: ({ contents }) =>
      partsOf(contents)
        .flatMap(({ part: { functionCall } }) =>
          functionCall === undefined ? [] : [changedCall(functionCall.name, writeExactly(functionCall.args ?? {}))],
        )
        .find((fault) => fault !== undefined),
  },
];

function hear(body: Json): Heard {
  const told = partsOf(body.contents)
    .filter(({ role }) => role === "user")
    .map(({ part }) => part);
  const results = told.flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [functionResponse]));
  const textsIn = (parts: Json[]) => parts.flatMap(({ text }) => (text === undefined ? [] : [text])).join("\n");
  const inResults = results.flatMap(({ parts = [] }) => parts);
  return {
    text: [textsIn(body.systemInstruction?.parts ?? []), textsIn(told)].join("\n"),
    tools: declarationsOf(body).map(({ name }) => name),
    results: results.map(({ response }) =>
      String(response?.output ?? response?.result ?? response?.error ?? JSON.stringify(response)),
    ),
    pictures: [...told, ...inResults].filter(({ inlineData }) => inlineData !== undefined).length,
    thinks: true,
    hasSchema: body.generationConfig?.responseMimeType === "application/json",
  };
}

function partsSaid(said: Said, { serial, memory, body }: Turn): Json[] {
  const isShown = body.generationConfig?.thinkingConfig?.includeThoughts === true;
  const seal = memory.seal(serial, said.thoughts.join(""));
  const calls = said.calls.map(({ name, input }, at) => ({
    functionCall: { name, args: input },
    ...(at === 0 ? { thoughtSignature: seal } : {}),
  }));
  return [
    ...(isShown ? said.thoughts.map((text) => ({ text, thought: true })) : []),
    ...pieces(said.text).map((text) => ({ text })),
    ...(said.picture === undefined
      ? []
      : [{ inlineData: { mimeType: "image/png", data: said.picture.split(",")[1] } }]),
    ...calls,
    // In an answer without calls, an empty last part carries the signature.
    ...(calls.length === 0 ? [{ text: "", thoughtSignature: seal }] : []),
  ];
}

function say(said: Said, turn: Turn): Reply {
  const { input, cached, output, reasoning } = turn.counted;
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output + reasoning,
    cachedContentTokenCount: cached,
    promptTokensDetails: [{ modality: "TEXT", tokenCount: input }],
    thoughtsTokenCount: reasoning,
  };
  const shell = { modelVersion: turn.model, responseId: `resp${turn.serial}` };
  const parts = partsSaid(said, turn);
  const candidate = (each: Json[], more: object = {}) => ({
    candidates: [{ content: { parts: each, role: "model" }, index: 0, ...more }],
    ...shell,
  });
  if (!turn.stream) return json(200, { ...candidate(merged(parts), { finishReason: "STOP" }), usageMetadata });
  const events = parts.map((part, at) => {
    const isLast = at === parts.length - 1;
    const { candidatesTokenCount: _none, ...early } = usageMetadata;
    return {
      ...candidate([part], isLast ? { finishReason: "STOP" } : {}),
      usageMetadata: isLast ? usageMetadata : early,
    };
  });
  return eventStream(events.map((event) => dataEvent(event).replaceAll("\n", "\r\n")));
}

/** Merges consecutive texts of one kind into one part, as in an answer that is not streamed. */
function merged(parts: Json[]): Json[] {
  const all: Json[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    const isSame = last?.text !== undefined && part.text !== undefined && last.thought === part.thought;
    if (isSame) all[all.length - 1] = { ...last, ...part, text: last.text + part.text };
    else all.push(part);
  }
  return all;
}

const STATUSES: Readonly<Record<number, string>> = { 400: "INVALID_ARGUMENT", 403: "PERMISSION_DENIED" };
export const errorOf = ({ message, status = 400 }: Refusal): object => ({
  error: { code: status, message, status: STATUSES[status] ?? "INVALID_ARGUMENT" },
});

/** `generateContent` of a Gemini 3. */
export const generateContentApi: Api = {
  path: /^\/v1beta\/models\/[^/:]+:(generateContent|streamGenerateContent)$/,
  rules: RULES,
  isStream: ({ path }) => path.endsWith(":streamGenerateContent"),
  hear,
  say,
  refuse: (refusal) => json(refusal.status ?? 400, errorOf(refusal)),
};
