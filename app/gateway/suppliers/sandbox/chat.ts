import type { Answer, SandboxAsk, SandboxDialect } from "./act";
import { type ChatRequest, promptOf, promptTokensOf, readChatRequest } from "./chat-request";
import { chatEvents } from "./chat-stream";
import { toolCallsOf } from "./chat-tools";
import { type Choice, chatError, headOf, logprobsOf, type Spent, usageOf } from "./chat-wire";
import { composeText, limited, type Prompt } from "./compose";
import { instanceOf } from "./instance";
import { countTokens } from "./tokens";

/** Chat completions, whole and streamed. */
export const chat: SandboxDialect = {
  answer: answerChat,
  errorBody: chatError,
  errorEvent: (problem) => Buffer.from(`data: ${chatError(problem).toString()}\n\n`),
};

function answerChat(ask: SandboxAsk): Answer {
  const request = readChatRequest(ask.body);
  const prompt = promptOf(request);
  const reasoning = reasoningOf(request);
  const choices = Array.from({ length: request.n ?? 1 }, (_, index) => choiceOf(request, prompt, reasoning, index));
  const spent: Spent = {
    prompt: promptTokensOf(request),
    completion: choices.reduce((sum, choice) => sum + reasoning + outputTokens(choice), 0),
    reasoning: reasoning * choices.length,
  };
  if (ask.stream) return { events: chatEvents(ask, request, choices, spent) };
  const completion = {
    ...headOf(ask, "chat.completion"),
    choices: choices.map(wireChoice),
    usage: usageOf(ask, spent),
  };
  return { contentType: "application/json", body: Buffer.from(JSON.stringify(completion)) };
}

function choiceOf(request: ChatRequest, prompt: Prompt, reasoning: number, index: number): Choice {
  const logprobs = request.logprobs === true ? Math.min(request.top_logprobs ?? 0, 20) : null;
  const { messages, tools, tool_choice, parallel_tool_calls } = request;
  const turn = `${JSON.stringify(messages.at(-1))}/${messages.length}/${index}`;
  const offer = { tools: tools ?? [], choice: tool_choice, parallel: parallel_tool_calls !== false, turn };
  const toolCalls = toolCallsOf(offer, prompt);
  if (toolCalls.length > 0) return { text: "", tokens: [], toolCalls, finishReason: "tool_calls", logprobs };
  const ceiling = ceilingOf(request);
  const { text, tokens, stoppedBy } = limited(textFor(request, prompt, index), {
    maxTokens: ceiling === null ? null : Math.max(0, ceiling - reasoning),
    stops: typeof request.stop === "string" ? [request.stop] : (request.stop ?? []),
  });
  return { text, tokens, toolCalls, finishReason: stoppedBy === "length" ? "length" : "stop", logprobs };
}

function textFor({ response_format: format }: ChatRequest, prompt: Prompt, choice: number): string {
  const about = prompt.toolResults[0] ?? prompt.text;
  if (format?.type === "json_schema") return JSON.stringify(instanceOf(format.json_schema?.schema ?? {}, about));
  const text = composeText(prompt, choice);
  return format?.type === "json_object" ? JSON.stringify({ answer: text }) : text;
}

function ceilingOf({ max_tokens, max_completion_tokens }: ChatRequest): number | null {
  const given = [max_tokens, max_completion_tokens].filter((ceiling) => ceiling != null);
  return given.length === 0 ? null : Math.min(...given);
}

const REASONING_TOKENS: Readonly<Record<string, number>> = { minimal: 4, low: 8, medium: 16, high: 32, xhigh: 64 };

/** Reasoning is only counted, as suppliers do that do not show it; it stays within the client's ceiling. */
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
