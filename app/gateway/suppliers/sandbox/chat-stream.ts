import type { SandboxRequest } from "./act";
import type { ChatRequest } from "./chat-request";
import { type Choice, headOf, logprobsOf, type Spent, type ToolCall, usageOf } from "./chat-wire";
import { tokensOf, wordsOf } from "./tokens";

/**
 * Writes a completion as server-sent events: the role, one word per event (alternating between choices), the finish
 * reasons, the usage if requested, and `[DONE]`.
 */
export function chatEvents({
  inference,
  request,
  choices,
  spent,
}: {
  inference: SandboxRequest;
  request: ChatRequest;
  choices: readonly Choice[];
  spent: Spent;
}): Buffer[] {
  const head = headOf(inference, "chat.completion.chunk");
  const includeUsage = request.stream_options?.include_usage === true;
  const chunk = (inside: object[], usage: object | null | undefined = null) =>
    event({ ...head, choices: inside, ...(includeUsage && usage !== undefined ? { usage } : {}) });
  const deltas = choices.map((choice, index) =>
    deltasOf(choice).map((delta) => ({ index, ...delta, finish_reason: null })),
  );
  const events: Buffer[] = [];
  for (let step = 0; deltas.some((list) => step < list.length); step += 1) {
    for (const list of deltas) if (step < list.length) events.push(chunk([list[step]!]));
  }
  for (const [index, { finishReason }] of choices.entries()) {
    events.push(chunk([{ index, delta: {}, logprobs: null, finish_reason: finishReason }]));
  }
  const usage = usageOf(inference, spent);
  if (includeUsage && usage !== undefined) events.push(chunk([], usage));
  events.push(Buffer.from("data: [DONE]\n\n"));
  return events;
}

type Delta = { delta: object; logprobs: object | null };

function deltasOf({ text, toolCalls, logprobs }: Choice): Delta[] {
  const plain = (delta: object): Delta => ({ delta, logprobs: null });
  if (toolCalls.length > 0) {
    const opening = plain({ role: "assistant", content: null, refusal: null });
    return [opening, ...toolCalls.flatMap(callDeltas).map((call) => plain({ tool_calls: [call] }))];
  }
  const tokens = wordsOf(text).map((content) => ({
    delta: { content },
    logprobs: logprobs === null ? null : logprobsOf(tokensOf(content), logprobs),
  }));
  return [plain({ role: "assistant", content: "", refusal: null }), ...tokens];
}

const PIECE = 12;

/** A call's name and id first, then its arguments in pieces. */
function callDeltas(call: ToolCall, index: number): object[] {
  const { id, type } = call;
  if (call.type === "custom") {
    const pieces = piecesOf(call.custom.input).map((input) => ({ index, custom: { input } }));
    return [{ index, id, type, custom: { name: call.custom.name, input: "" } }, ...pieces];
  }
  const pieces = piecesOf(call.function.arguments).map((piece) => ({ index, function: { arguments: piece } }));
  return [{ index, id, type, function: { name: call.function.name, arguments: "" } }, ...pieces];
}

function piecesOf(text: string): string[] {
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / PIECE) }, (_, piece) =>
    characters.slice(piece * PIECE, (piece + 1) * PIECE).join(""),
  );
}

const event = (chunk: object) => Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`);
