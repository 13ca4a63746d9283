import { type Answer, requestIn, type SandboxDialect, type SandboxRequest } from "./act";
import { areTools, bad, type OfferedTool } from "./chat-request";
import { toolCallsOf } from "./chat-tools";
import { chatError } from "./chat-wire";
import { limited, type Prompt } from "./compose";
import { framed } from "./response-frame";
import { type TextFormat, textIn as textInForm } from "./structured";
import { countTokens, jsonOf, TokenCount, wordsOf } from "./tokens";

type NativeRequest = {
  input?: unknown;
  instructions?: unknown;
  max_output_tokens?: number | null;
  tools?: readonly { type: string; name?: string; parameters?: unknown }[];
  tool_choice?: unknown;
  parallel_tool_calls?: boolean;
  text?: { format?: TextFormat } | null;
};

/** The native agents' format: an event stream that ends with the complete response. */
export const native: SandboxDialect = {
  answer: answerNative,
  errorBody: chatError,
  errorEvent: ({ code, message }) =>
    event(
      { type: "response.failed", response: { object: "response", status: "failed", error: { code, message } } },
      BEHIND_ALL,
    ),
};

/** Sequence number of an event that may follow any other. */
const BEHIND_ALL = 1_000_000;

async function answerNative(inference: SandboxRequest): Promise<Answer> {
  const request = (await requestIn(inference)) as NativeRequest;
  const items = itemsOf(request.input);
  if (items.length === 0) throw bad("input must be a text or a list of items");
  if (!areTools(request.tools)) throw bad("tools must be a list of tools");
  const prompt = promptOf(items);
  const output = outputOf({ inference, request, prompt, items });
  const isCut = output.some(({ status }) => status === "incomplete");
  const status = isCut ? "incomplete" : "completed";
  const createdAt = Math.floor(Date.now() / 1000);
  const response = {
    id: `resp_${inference.callId.replaceAll("-", "")}`,
    object: "response",
    created_at: createdAt,
    completed_at: isCut ? null : createdAt,
    model: inference.model,
    status,
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    ...framed(request),
    output,
    usage: await usageOf({ inference, request, items, output }),
  };
  if (!inference.stream) return { contentType: "application/json", body: Buffer.from(JSON.stringify(response)) };
  const open = { status: "in_progress", completed_at: null, incomplete_details: null, output: [], usage: null };
  const opening = { ...response, ...open };
  const events = [
    { type: "response.created", response: opening },
    { type: "response.in_progress", response: opening },
    ...output.flatMap(itemEvents),
    { type: `response.${status}`, response },
  ];
  return { events: events.map(event) };
}

type InputItem = { type?: unknown; role?: unknown; content?: unknown; output?: unknown; text?: unknown };

const itemsOf = (input: unknown): InputItem[] =>
  typeof input === "string"
    ? [{ role: "user", content: input }]
    : Array.isArray(input)
      ? input.filter((item) => typeof item === "object" && item !== null)
      : [];

function promptOf(items: readonly InputItem[]): Prompt {
  const last = items.findLastIndex(({ role }) => role === "user");
  const after = items.slice(last + 1);
  return {
    text: textIn(items[last]?.content),
    toolResults: after.filter(({ type }) => String(type).endsWith("_call_output")).map(({ output }) => textIn(output)),
    attachments: itemsOf(items[last]?.content).filter(({ type }) => /image|file|audio/.test(String(type))).length,
    seed: "",
  };
}

function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  return itemsOf(content)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .filter((text) => text !== "")
    .join(" ");
}

type OutputItem =
  | {
      type: "message";
      id: string;
      status: string;
      role: string;
      content: { type: string; text: string; annotations: []; logprobs: [] }[];
    }
  | { type: "function_call"; id: string; call_id: string; status: string; name: string; arguments: string };

function outputOf({
  inference,
  request,
  prompt,
  items,
}: {
  inference: SandboxRequest;
  request: NativeRequest;
  prompt: Prompt;
  items: readonly InputItem[];
}): OutputItem[] {
  const tools = (request.tools ?? []).flatMap(({ type, name, parameters }): OfferedTool[] =>
    type === "function" && name ? [{ type, function: { name, parameters } }] : [],
  );
  const choice = request.tool_choice as { type?: string; name?: string } | string | undefined;
  const calls = toolCallsOf(
    {
      tools,
      choice:
        typeof choice === "object" && choice?.name ? { type: "function", function: { name: choice.name } } : choice,
      parallel: request.parallel_tool_calls !== false,
      turn: `${JSON.stringify(items.at(-1))}/${items.length}`,
    },
    prompt,
  );
  const status = "completed";
  if (calls.length > 0) {
    return calls.flatMap((call): OutputItem[] =>
      call.type === "function"
        ? [{ type: "function_call", id: `fc_${call.id}`, call_id: call.id, status, ...call.function }]
        : [],
    );
  }
  const answerText = textInForm(request.text?.format, prompt);
  const { text, stoppedBy } = limited(answerText, { maxTokens: request.max_output_tokens ?? null, stops: [] });
  const content = [{ type: "output_text", text, annotations: [] as [], logprobs: [] as [] }];
  const id = `msg_${inference.callId.replaceAll("-", "")}`;
  return [{ type: "message", id, status: stoppedBy === "length" ? "incomplete" : status, role: "assistant", content }];
}

function itemEvents(item: OutputItem, index: number): WireEvent[] {
  const at = { item_id: item.id, output_index: index };
  const done = { type: "response.output_item.done", output_index: index, item };
  if (item.type === "function_call") {
    const added = { ...item, status: "in_progress", arguments: "" };
    return [
      { type: "response.output_item.added", output_index: index, item: added },
      { type: "response.function_call_arguments.delta", ...at, delta: item.arguments },
      { type: "response.function_call_arguments.done", ...at, arguments: item.arguments },
      done,
    ];
  }
  const part = item.content[0]!;
  const inside = { ...at, content_index: 0 };
  return [
    { type: "response.output_item.added", output_index: index, item: { ...item, status: "in_progress", content: [] } },
    { type: "response.content_part.added", ...inside, part: { ...part, text: "" } },
    ...wordsOf(part.text).map((delta) => ({ type: "response.output_text.delta", ...inside, delta, logprobs: [] })),
    { type: "response.output_text.done", ...inside, text: part.text, logprobs: [] },
    { type: "response.content_part.done", ...inside, part },
    done,
  ];
}

async function usageOf({
  inference,
  request,
  items,
  output,
}: {
  inference: SandboxRequest;
  request: NativeRequest;
  items: readonly InputItem[];
  output: readonly OutputItem[];
}) {
  if (inference.usage === "none") return null;
  if (inference.usage === "insane") return { input_tokens: -1, output_tokens: 1_000_000_000_000, total_tokens: 0 };
  const count = new TokenCount();
  const tools = request.tools && request.tools.length > 0 ? count.of(await jsonOf(request.tools)) : 0;
  const turns = items.reduce((sum, { content, output: result }) => sum + 4 + count.of(textIn(content ?? result)), 0);
  const input = turns + tools + count.of(textIn(request.instructions));
  const made = output.reduce(
    (sum, item) => sum + countTokens(item.type === "message" ? item.content[0]!.text : item.name + item.arguments),
    0,
  );
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: made,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + made,
  };
}

type WireEvent = { type: string; [member: string]: unknown };

function event(data: WireEvent, number: number): Buffer {
  return Buffer.from(`event: ${data.type}\ndata: ${JSON.stringify({ ...data, sequence_number: number })}\n\n`);
}
