import { createHash } from "node:crypto";
import type { ModelProfile } from "~/domain/catalogue/profiles";
import type { Conversation, ToolDefinition } from "../../canonical/conversation";
import { isVisible, toolsOfHistory, writeThinking } from "../messages/write-request";
import { endWithUser, writeTurns } from "../messages/write-turns";
import { withFewerMarks } from "../wire/cache-marks";
import { fitSchema, toolSchema } from "../wire/schemas/schema-rules";
import { JSON_ONLY, outputInstructions, structuredFor } from "../wire/schemas/structured";
import type { FormatRequest } from "../wire/supplier-format";
import { type ThinkingApi, thinkingFor, writeChatThinking } from "../wire/thoughts/thinking";
import { type Tuning, tuningFor } from "../wire/tuning";
import { malformed, unsupported } from "../wire/unsupported";
import { cachePoint, writeConverseBlocks } from "./write-blocks";

/**
 * Writes a conversation as the body of a Converse request; the URL contains the model.
 * @throws AppError unsupported_parameter for fields that Converse cannot express.
 */
export function writeConverseRequest(requested: Conversation, { profile, names }: FormatRequest): string {
  const conversation = withFewerMarks(structuredFor(requested, profile));
  const { endUser, outputFormat, turns, tools } = conversation;
  refuseAddresses(conversation);
  const tuning = tuningOf(conversation, profile);
  const { system, messages } = writeTurns(turns, names, profile.takesSealedThoughts ? "converse" : null);
  if (profile.lastAssistant === "refused") endWithUser(messages);
  const history = toolsOfHistory(messages);
  const offered = toolsOffered(conversation, history);
  const blocks = writeConverseBlocks(system, profile);
  if (outputFormat?.kind === "json") blocks.push({ text: JSON_ONLY });
  const body: Record<string, unknown> = {
    ...(blocks.length === 0 ? {} : { system: blocks }),
    messages: messages.map(({ role, content }) => ({
      role,
      content: writeConverseBlocks(content, profile),
    })),
    ...inferenceConfigOf(conversation.maxOutputTokens, tuning),
    ...(offered.length === 0
      ? {}
      : {
          toolConfig: {
            tools: offered.flatMap((tool) => [
              writeTool(tool, names.fit(tool.name), profile),
              ...(profile.cachePoints === "everywhere" ? cachePoint(tool.cacheControl, profile) : []),
            ]),
            ...choiceOf(conversation, (name) => names.fit(name)),
          },
        }),
    ...(endUser === null ? {} : { requestMetadata: { user: metadataOf(endUser) } }),
  };
  const more = moreFieldsOf(conversation, profile, { tuning, hasTools: tools.length > 0 && offered.length > 0 });
  if (Object.keys(more).length > 0) body.additionalModelRequestFields = more;
  if (outputFormat?.kind === "schema") {
    const schema = JSON.stringify(fitSchema(outputFormat.schema, profile.outputSchema));
    const structure = { jsonSchema: { name: outputFormat.name, schema } };
    body.outputConfig = { textFormat: { type: "json_schema", structure } };
  }
  return JSON.stringify(body);
}

/** Returns the tuning fields that a request to this model omits. */
export function fieldsOmittedFromConverse(conversation: Conversation, profile: ModelProfile): string[] {
  const thinking = thinkingFor(conversation, profile, CONVERSE_THINKING);
  const isSaid = Object.keys(reasoningOf(conversation, profile)).length > 0;
  return [
    ...conversation.leftOut,
    ...tuningOf(conversation, profile).leftOut,
    ...(thinking.isLost && !isSaid ? ["thinking"] : []),
    ...outputInstructions(conversation, profile),
  ];
}

/** Forms of the thinking setting that are sent in the model's own fields. */
const CONVERSE_THINKING: ThinkingApi = {
  forms: new Set(["adaptive", "budget", "effort", "reasoning", "reasoningConfig"]),
};

const tuningOf = (conversation: Conversation, profile: ModelProfile): Tuning =>
  tuningFor(conversation, profile, {
    thinking: thinkingFor(conversation, profile, CONVERSE_THINKING),
    isVisible,
  });

function inferenceConfigOf(maxOutputTokens: number | null, { temperature, topP, stop }: Tuning): object {
  const config = {
    ...(maxOutputTokens === null ? {} : { maxTokens: maxOutputTokens }),
    // Omit default values, because newer models reject the fields as such.
    ...(temperature === null || temperature === 1 ? {} : { temperature }),
    ...(topP === null || topP === 1 ? {} : { topP }),
    ...(stop.length === 0 ? {} : { stopSequences: stop }),
  };
  return Object.keys(config).length === 0 ? {} : { inferenceConfig: config };
}

/** Returns the callable tools. For the choice "none" they are omitted, which is invalid after tool calls. */
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

function writeTool({ description, schema, strict }: ToolDefinition, name: string, profile: ModelProfile): object {
  const fit = toolSchema(schema, strict === true ? profile.strictToolSchema : profile.toolSchema);
  return {
    toolSpec: {
      name,
      ...(description === null || description === "" ? {} : { description }),
      inputSchema: { json: fit },
      ...(strict === true ? { strict } : {}),
    },
  };
}

function moreFieldsOf(
  conversation: Conversation,
  profile: ModelProfile,
  { tuning, hasTools }: { tuning: Tuning; hasTools: boolean },
): Record<string, unknown> {
  const { toolChoice } = conversation;
  const { topK, parallelToolCalls } = tuning;
  const more: Record<string, unknown> = reasoningOf(conversation, profile);
  if (topK !== null && profile.topKField === "top_k") more.top_k = topK;
  if (topK !== null && profile.topKField === "inferenceConfig.topK") more.inferenceConfig = { topK };
  if (parallelToolCalls === false && hasTools && (toolChoice === null || toolChoice.kind === "auto"))
    more.tool_choice = { type: "auto", disable_parallel_tool_use: true };
  return more;
}

function reasoningOf(conversation: Conversation, profile: ModelProfile): Record<string, unknown> {
  const { form } = profile.thinking;
  if (form === "adaptive" || form === "budget")
    return writeThinking(conversation, profile, conversation.maxOutputTokens);
  const thinking = thinkingFor(conversation, profile, CONVERSE_THINKING);
  if (form !== "reasoningConfig") return writeChatThinking(thinking, profile);
  if (thinking.says === "nothing") return {};
  if (thinking.says === "off") return { reasoningConfig: { type: "disabled" } };
  return { reasoningConfig: { type: "enabled", maxReasoningEffort: thinking.level } };
}

/** Rejects images and documents by URL, because Converse does not fetch them. */
function refuseAddresses({ turns }: Conversation): void {
  for (const { parts } of turns)
    for (const part of parts) {
      const media = part.kind === "toolResult" ? part.parts : [part];
      for (const each of media)
        if ((each.kind === "image" || each.kind === "document") && each.source.kind === "url")
          throw unsupported(each.at, "Images and documents come as base64 data.");
    }
}

/** Returns the user as metadata; hashed if it has invalid characters or more than 256. */
const metadataOf = (user: string): string =>
  /^[a-zA-Z0-9\s:_@$#=/+,.-]{1,256}$/.test(user) ? user : createHash("sha256").update(user).digest("hex");
