import { frame } from "../../support/stand-in-bedrock";
import {
  type Api,
  type Heard,
  type Json,
  json,
  pieces,
  type Refusal,
  type Reply,
  type Said,
  type Turn,
  writeExactly,
} from "../twin";
import { FAMILIES, type Family } from "./bedrock-models";
import { allBlocks, SHAPE, toolsOf } from "./bedrock-rules";

function hearer(thinks: Family["thinks"]): (body: Json) => Heard {
  return (body) => {
    const told: Json[] = allBlocks(body.messages)
      .filter(({ role }) => role === "user")
      .map(({ block }) => block);
    const results = told.flatMap(({ toolResult }) => (toolResult === undefined ? [] : [toolResult]));
    const textsIn = (blocks: Json[]) => blocks.flatMap(({ text }) => (text === undefined ? [] : [text])).join("\n");
    return {
      text: [textsIn(body.system ?? []), textsIn(told)].join("\n"),
      tools: toolsOf(body).map(({ name }) => name),
      results: results.map(({ content }) => textsIn(content)),
      pictures: [...told, ...results.flatMap(({ content }) => content)].filter(({ image }) => image !== undefined)
        .length,
      thinks: thinks(body),
      hasSchema: body.outputConfig !== undefined,
    };
  };
}

function sayer({ isSealed }: Family) {
  return (said: Said, turn: Turn): Reply => {
    const { input, cached, output, reasoning } = turn.counted;
    const text = said.thoughts.join("");
    const signature = isSealed && text !== "" ? turn.memory.seal(turn.serial, text) : null;
    if (signature !== null) turn.memory.seals.set(signature, text);
    // A model without signatures rejects thoughts in its history.
    const sealed = signature === null ? {} : { signature };
    const usage = {
      inputTokens: input - cached,
      outputTokens: output + reasoning,
      totalTokens: input + output + reasoning,
      cacheReadInputTokens: cached,
      cacheWriteInputTokens: 0,
    };
    const calls = said.calls.map(({ name, input: given }, at) => ({
      toolUse: { toolUseId: `tooluse_${turn.serial}_${at}`, name, input: given },
    }));
    const content: Json[] = [
      ...(text === "" ? [] : [{ reasoningContent: { reasoningText: { text, ...sealed } } }]),
      ...(said.text === "" ? [] : [{ text: said.text }]),
      ...calls,
    ];
    const stopReason = calls.length > 0 ? "tool_use" : "end_turn";
    if (!turn.stream)
      return json(200, {
        output: { message: { role: "assistant", content } },
        stopReason,
        usage,
        metrics: { latencyMs: 1 },
      });
    const event = (name: string, body: Json) => frameOf(name, { ...body, p: "abcdefgh" });
    return {
      status: 200,
      headers: { "content-type": "application/vnd.amazon.eventstream" },
      chunks: [
        event("messageStart", { role: "assistant" }),
        ...content.flatMap((block, contentBlockIndex) => blockFrames(block, contentBlockIndex, said, event)),
        event("messageStop", { stopReason }),
        event("metadata", { usage, metrics: { latencyMs: 1 } }),
      ],
    };
  };
}

const frameOf = (name: string, body: Json): Buffer =>
  frame({ ":event-type": name, ":content-type": "application/json", ":message-type": "event" }, body);

function blockFrames(
  block: Json,
  contentBlockIndex: number,
  said: Said,
  event: (name: string, body: Json) => Buffer,
): Buffer[] {
  const delta = (part: Json) => event("contentBlockDelta", { contentBlockIndex, delta: part });
  const stop = event("contentBlockStop", { contentBlockIndex });
  if (block.text !== undefined) return [...pieces(block.text).map((text) => delta({ text })), stop];
  if (block.reasoningContent !== undefined) {
    const { signature } = block.reasoningContent.reasoningText;
    return [
      ...said.thoughts.map((text) => delta({ reasoningContent: { text } })),
      ...(signature === undefined ? [] : [delta({ reasoningContent: { signature } })]),
      stop,
    ];
  }
  const { toolUseId, name, input } = block.toolUse;
  return [
    event("contentBlockStart", { contentBlockIndex, start: { toolUse: { toolUseId, name } } }),
    ...pieces(writeExactly(input), 11).map((piece) => delta({ toolUse: { input: piece } })),
    stop,
  ];
}

const refuse = ({ message, status = 400, type = "ValidationException" }: Refusal): Reply =>
  json(status, { message }, { "x-amzn-errortype": `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/` });

/** Converse with a model of a family. */
export const converseApi = (name: keyof typeof FAMILIES): Api => {
  const family: Family = FAMILIES[name];
  return {
    path: /^\/model\/[^/]+\/converse(-stream)?$/,
    rules: [...SHAPE, ...family.rules],
    isStream: ({ path }) => path.endsWith("-stream"),
    hear: hearer(family.thinks),
    say: sayer(family),
    refuse,
  };
};
