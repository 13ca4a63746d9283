import type { z } from "zod";
import type { Actor } from "~/domain/accounts/shared";
import { callModel } from "./call.server";
import type { PlaygroundForm } from "./playground-form.schema";
import { type Answer, NO_ANSWER } from "./read-events";
import type { Column } from "./use-answers";

type Completion = {
  error?: { message?: string; human_message?: string };
  choices?: {
    message?: { content?: string | null; tool_calls?: { function?: { name?: string; arguments?: string } }[] };
  }[];
};

/** Calls the models of a form concurrently, and waits for all answers. @throws AppError for the key */
export async function answerAtOnce(
  actor: Actor,
  { key_id, model, model_2, model_3, ...rest }: z.output<typeof PlaygroundForm>,
  signal: AbortSignal,
): Promise<{ columns: Column[] }> {
  const models = [model, model_2, model_3].filter((each) => each !== "");
  const columns = models.map(async (each): Promise<Column> => {
    const call = { ...rest, model: each };
    const { response, receipt } = await callModel(actor, { keyId: key_id, call, stream: false, signal });
    const answer = answerOf((await response.json()) as Completion);
    const turns = rest.history ?? [];
    return { model: each, turns, asked: rest.message, answer: { ...answer, receipt: await receipt }, state: "done" };
  });
  return { columns: await Promise.all(columns) };
}

function answerOf({ error, choices }: Completion): Answer {
  if (error !== undefined) return { ...NO_ANSWER, error: error.human_message ?? error.message ?? "" };
  const message = choices?.[0]?.message;
  const tools = message?.tool_calls?.map(({ function: called }) => `${called?.name ?? ""} ${called?.arguments ?? ""}`);
  return { ...NO_ANSWER, text: message?.content ?? "", tools: tools?.join("\n") ?? "" };
}
