import { createHash } from "node:crypto";
import type { Conversation, ToolDefinition } from "../../canonical/conversation";
import { closed, EFFORTS, isVisible, JSON_ONLY, toolsOfHistory } from "../messages/write-request";
import { writeTurns } from "../messages/write-turns";
import type { FormatRequest } from "../translate/formats";
import { isObject } from "../wire/reading";
import { malformed, unsupported } from "../wire/unsupported";
import { cachePoint, writeConverseBlocks } from "./write-blocks";

/**
 * A conversation as the body of a Converse request; the model stands in the address.
 * @throws AppError unsupported_parameter for what Converse cannot say.
 */
export function writeConverseRequest(conversation: Conversation, { model, names }: FormatRequest): string {
  const { endUser, outputFormat, turns, tools } = conversation;
  refuseAddresses(conversation);
  const known = abilitiesOf(model);
  const { system, messages } = writeTurns(turns, names, known.thinks === "thinking" ? "converse" : null);
  const history = toolsOfHistory(messages);
  const offered = toolsOffered(conversation, history);
  const blocks = writeConverseBlocks(system, known.caches);
  if (outputFormat?.kind === "json") blocks.push({ text: JSON_ONLY });
  const body: Record<string, unknown> = {
    ...(blocks.length === 0 ? {} : { system: blocks }),
    messages: messages.map(({ role, content }) => ({ role, content: writeConverseBlocks(content, known.caches) })),
    ...inferenceConfigOf(conversation),
    ...(offered.length === 0
      ? {}
      : {
          toolConfig: {
            tools: offered.flatMap((tool) => [
              writeTool(tool, names.fit(tool.name)),
              ...(known.caches ? cachePoint(tool.cacheControl) : []),
            ]),
            ...choiceOf(conversation, (name) => names.fit(name)),
          },
        }),
    ...(endUser === null ? {} : { requestMetadata: { user: metadataOf(endUser) } }),
  };
  const more = moreFieldsOf(conversation, known, tools.length > 0 && offered.length > 0);
  if (Object.keys(more).length > 0) body.additionalModelRequestFields = more;
  if (outputFormat?.kind === "schema") {
    const schema = JSON.stringify(closed(outputFormat.schema));
    const structure = { jsonSchema: { name: outputFormat.name, schema } };
    body.outputConfig = { textFormat: { type: "json_schema", structure } };
  }
  return JSON.stringify(body);
}

/** What only tunes an answer and has no place in a request to this model. */
export function leftOutOfConverse(conversation: Conversation, model: string): string[] {
  const { leftOut, stopSequences, temperature, topK, reasoning, parallelToolCalls, tools } = conversation;
  const known = abilitiesOf(model);
  const wantsThoughts = reasoning !== null && reasoning.kind !== "off";
  return [
    ...leftOut,
    ...(stopSequences.every(isVisible) ? [] : ["stop"]),
    ...(temperature !== null && temperature > 1 ? ["temperature"] : []),
    ...(topK === null || known.topK !== null ? [] : ["top_k"]),
    ...(wantsThoughts && known.thinks === null ? ["thinking"] : []),
    ...(parallelToolCalls === false && tools.length > 0 && !known.oneAtATime ? ["parallel_tool_calls"] : []),
  ];
}

/** What a family of models takes beyond what all of them do. */
type Abilities = {
  caches: boolean;
  topK: "top_k" | "inferenceConfig" | null;
  thinks: "thinking" | "reasoning_effort" | null;
  oneAtATime: boolean;
};

function abilitiesOf(model: string): Abilities {
  if (/anthropic\./.test(model)) return { caches: true, topK: "top_k", thinks: "thinking", oneAtATime: true };
  if (/amazon\.nova/.test(model)) return { caches: true, topK: "inferenceConfig", thinks: null, oneAtATime: false };
  const thinks = /openai\.gpt/.test(model) ? "reasoning_effort" : null;
  return { caches: false, topK: null, thinks, oneAtATime: false };
}

function inferenceConfigOf({ maxOutputTokens, temperature, topP, stopSequences }: Conversation): object {
  const visible = stopSequences.filter(isVisible);
  const config = {
    ...(maxOutputTokens === null ? {} : { maxTokens: maxOutputTokens }),
    // Values that are the default are left out: newer models refuse the fields as such.
    ...(temperature !== null && temperature < 1 ? { temperature } : {}),
    ...(topP !== null && topP < 1 ? { topP } : {}),
    ...(visible.length === 0 ? {} : { stopSequences: visible }),
  };
  return Object.keys(config).length === 0 ? {} : { inferenceConfig: config };
}

/** Tools that may be called. There is no word for "none": they are left out then, which a history with calls does not allow. */
function toolsOffered({ tools, toolChoice }: Conversation, history: readonly ToolDefinition[]) {
  if (tools.length === 0) {
    if (toolChoice?.kind === "any" || toolChoice?.kind === "tool") throw malformed("tool_choice", "needs tools");
    return history;
  }
  if (toolChoice?.kind !== "none") return tools;
  if (history.length > 0)
    throw unsupported("tool_choice", "Behind tool calls this supplier cannot be kept from calling tools.");
  return [];
}

function choiceOf({ tools, toolChoice }: Conversation, named: (name: string) => string): { toolChoice?: object } {
  if (tools.length === 0 || toolChoice === null || toolChoice.kind === "none") return {};
  if (toolChoice.kind === "tool") return { toolChoice: { tool: { name: named(toolChoice.name) } } };
  return { toolChoice: { [toolChoice.kind]: {} } };
}

function writeTool({ description, schema, strict }: ToolDefinition, name: string): object {
  const json = isObject(schema) && schema.type === undefined ? { type: "object", ...schema } : schema;
  return {
    toolSpec: {
      name,
      ...(description === null || description === "" ? {} : { description }),
      inputSchema: { json },
      ...(strict === true ? { strict } : {}),
    },
  };
}

function moreFieldsOf(conversation: Conversation, known: Abilities, hasTools: boolean): Record<string, unknown> {
  const { topK, parallelToolCalls, toolChoice } = conversation;
  const more: Record<string, unknown> = reasoningOf(conversation, known);
  if (topK !== null && known.topK === "top_k") more.top_k = topK;
  if (topK !== null && known.topK === "inferenceConfig") more.inferenceConfig = { topK };
  if (
    parallelToolCalls === false &&
    hasTools &&
    known.oneAtATime &&
    (toolChoice === null || toolChoice.kind === "auto")
  )
    more.tool_choice = { type: "auto", disable_parallel_tool_use: true };
  return more;
}

function reasoningOf({ reasoning }: Conversation, { thinks }: Abilities): Record<string, unknown> {
  if (reasoning === null || thinks === null) return {};
  if (thinks === "reasoning_effort") {
    if (reasoning.kind === "off") return {};
    const effort = reasoning.effort ?? "medium";
    return { reasoning_effort: effort === "xhigh" || effort === "max" ? "high" : effort };
  }
  if (reasoning.kind === "thinking") return { thinking: reasoning.config };
  if (reasoning.kind === "off") return { thinking: { type: "disabled" } };
  const effort = reasoning.effort === "minimal" ? "low" : reasoning.effort;
  if (!EFFORTS.has(effort)) throw unsupported("reasoning_effort", `Use one of ${[...EFFORTS].join(", ")}.`);
  return { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort } };
}

/** What is fetched from an address is nothing that Converse does. */
function refuseAddresses({ turns }: Conversation): void {
  for (const { parts } of turns)
    for (const part of parts) {
      const media = part.kind === "toolResult" ? part.parts : [part];
      for (const each of media)
        if ((each.kind === "image" || each.kind === "document") && each.source.kind === "url")
          throw unsupported(each.at, "Images and documents come as base64 data.");
    }
}

/** Metadata has few characters and little room. */
const metadataOf = (user: string): string =>
  /^[a-zA-Z0-9\s:_@$#=/+,.-]{1,256}$/.test(user) ? user : createHash("sha256").update(user).digest("hex");
