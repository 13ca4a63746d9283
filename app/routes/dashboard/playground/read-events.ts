import type { Receipt } from "./receipt";

/** The state of an answer during its stream. */
export type Answer = { text: string; tools: string; error: string | null; receipt: Receipt | null };

export const NO_ANSWER: Answer = { text: "", tools: "", error: null, receipt: null };

type Chunk = {
  error?: { message?: string; human_message?: string };
  choices?: {
    delta?: { content?: string | null; tool_calls?: { function?: { name?: string; arguments?: string } }[] };
  }[];
};

/** Returns the answer after one more event of its stream; unsupported events change nothing. */
export function withEvent(answer: Answer, event: string): Answer {
  const lines = event.split(/\r?\n/);
  const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trimStart());
  const text = data.join("\n");
  if (text === "" || text === "[DONE]") return answer;
  if (lines.includes("event: receipt")) return { ...answer, receipt: JSON.parse(text) as Receipt };
  const { error, choices } = JSON.parse(text) as Chunk;
  if (error !== undefined) return { ...answer, error: error.human_message ?? error.message ?? "" };
  const delta = choices?.[0]?.delta;
  const tools = (delta?.tool_calls ?? []).map(
    ({ function: called }) => `${called?.name === undefined ? "" : `${called.name} `}${called?.arguments ?? ""}`,
  );
  return { ...answer, text: answer.text + (delta?.content ?? ""), tools: answer.tools + tools.join("") };
}

/** Reads an event stream to its end; `onAnswer` gets the answer after each chunk. */
export async function readEvents(body: ReadableStream<Uint8Array>, onAnswer: (answer: Answer) => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let answer = NO_ANSWER;
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (rest + value).split(/\r?\n\r?\n/);
    rest = events.pop() ?? "";
    for (const event of events) answer = withEvent(answer, event);
    onAnswer(answer);
  }
}
