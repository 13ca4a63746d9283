import { TimeSlice } from "~/values/time-slice";
import { type Answer, requestIn, type SandboxDialect, type SandboxRequest } from "./act";
import { type ChatRequest, promptOf, promptTokensOf, readChatRequest } from "./chat-request";
import { chatEvents } from "./chat-stream";
import { toolCallsOf } from "./chat-tools";
import { type Choice, chatError, headOf, logprobsOf, type Spent, usageOf } from "./chat-wire";
import { limited, type Prompt } from "./compose";
import { type TextFormat, textIn } from "./structured";
import { countTokens } from "./tokens";

/** Chat completions, whole and streamed. */
export const chat: SandboxDialect = {
  answer: answerChat,
  errorBody: chatError,
  errorEvent: (problem) => Buffer.from(`data: ${chatError(problem).toString()}\n\n`),
};

async function answerChat(inference: SandboxRequest): Promise<Answer> {
  const request = readChatRequest(await requestIn(inference));
  const prompt = { ...promptOf(request), mostWords: maxWordsOf(request) };
  const reasoning = reasoningOf(request);
  const turn = `${JSON.stringify(request.messages.at(-1), abridged)}/${request.messages.length}`;
  const choices: Choice[] = [];
  const slice = new TimeSlice();
  for (let index = 0; index < (request.n ?? 1); index += 1) {
    choices.push(choiceOf(request, prompt, { reasoning, turn: `${turn}/${index}`, index }));
    if (slice.isOver) await slice.next();
  }
  const spent: Spent = {
    prompt: await promptTokensOf(request),
    completion: choices.reduce((sum, choice) => sum + reasoning + outputTokens(choice), 0),
    reasoning: reasoning * choices.length,
  };
  if (inference.stream) return { events: chatEvents({ inference, request, choices, spent }) };
  const completion = {
    ...headOf(inference, "chat.completion"),
    choices: choices.map(wireChoice),
    usage: usageOf(inference, spent),
  };
  return { contentType: "application/json", body: Buffer.from(JSON.stringify(completion)) };
}

const MAX_CHARACTERS_COMPARED = 4_096;

/** Shortens long texts to their beginning and length, which is enough to tell turns apart. */
const abridged = (_name: string, value: unknown): unknown =>
  typeof value === "string" && value.length > MAX_CHARACTERS_COMPARED
    ? `${value.slice(0, MAX_CHARACTERS_COMPARED)}/${value.length}`
    : value;

type Place = { reasoning: number; turn: string; index: number };

function choiceOf(request: ChatRequest, prompt: Prompt, { reasoning, turn, index }: Place): Choice {
  const logprobs = request.logprobs === true ? Math.min(request.top_logprobs ?? 0, 20) : null;
  const { tools, tool_choice, parallel_tool_calls } = request;
  const offer = { tools: tools ?? [], choice: tool_choice, parallel: parallel_tool_calls !== false, turn };
  const toolCalls = toolCallsOf(offer, prompt);
  if (toolCalls.length > 0) return { text: "", tokens: [], toolCalls, finishReason: "tool_calls", logprobs };
  const ceiling = ceilingOf(request);
  const { text, tokens, stoppedBy } = limited(textIn(formatOf(request), prompt, index), {
    maxTokens: ceiling === null ? null : Math.max(0, ceiling - reasoning),
    stops: typeof request.stop === "string" ? [request.stop] : (request.stop ?? []),
  });
  return { text, tokens, toolCalls, finishReason: stoppedBy === "length" ? "length" : "stop", logprobs };
}

const formatOf = ({ response_format: format }: ChatRequest): TextFormat =>
  format == null ? null : { type: format.type, schema: format.json_schema?.schema };

/** Maximum words of all choices together, including the alternatives of each word. */
const MAX_WORDS_WRITTEN = 20_000;

function maxWordsOf({ n, logprobs, top_logprobs }: ChatRequest): number {
  const alternatives = logprobs === true ? Math.min(top_logprobs ?? 0, 20) : 0;
  return Math.ceil(MAX_WORDS_WRITTEN / ((n ?? 1) * (1 + alternatives)));
}

function ceilingOf({ max_tokens, max_completion_tokens }: ChatRequest): number | null {
  const present = [max_tokens, max_completion_tokens].filter((ceiling) => ceiling != null);
  return present.length === 0 ? null : Math.min(...present);
}

const REASONING_TOKENS: Readonly<Record<string, number>> = { minimal: 4, low: 8, medium: 16, high: 32, xhigh: 64 };

/** Reasoning is only counted, as by suppliers that hide it; it counts towards the client's maximum. */
function reasoningOf(request: ChatRequest): number {
  const effort = REASONING_TOKENS[request.reasoning_effort ?? ""] ?? 0;
  return Math.min(effort, ceilingOf(request) ?? effort);
}

const outputTokens = ({ tokens, toolCalls }: Choice) =>
  toolCalls.length === 0 ? tokens.length : toolCalls.reduce((sum, call) => sum + countTokens(JSON.stringify(call)), 0);

function wireChoice({ text, tokens, toolCalls, finishReason, logprobs }: Choice, index: number): object {
  return {
    index,
    message: {
      role: "assistant",
      content: toolCalls.length > 0 ? null : text,
      refusal: null,
      annotations: [],
      ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
    },
    logprobs: logprobs === null ? null : logprobsOf(tokens, logprobs),
    finish_reason: finishReason,
  };
}
