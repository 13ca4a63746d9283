import { useRef, useState } from "react";
import { href } from "react-router";
import { type Answer, NO_ANSWER, readEvents } from "./read-events";
import type { Turn } from "./stored-prompt";

/** The conversation with one model. `turns` are those before `asked`, which `answer` answers. */
export type Column = {
  model: string;
  turns: readonly Turn[];
  asked: string;
  answer: Answer;
  state: "running" | "done" | "stopped" | "failed";
};

/** The values of the page's form, by field name. */
export type Fields = Readonly<Record<string, string>>;

/**
 * Up to three answers side by side, each streamed by its own request; the conversation exists only in the page.
 * `earlier`: the turns with which it begins.
 */
export function useAnswers(image: string, earlier: readonly Turn[]) {
  const [begun, setBegun] = useState(earlier);
  const [columns, setColumns] = useState<readonly Column[]>([]);
  const stopper = useRef<AbortController | null>(null);
  const change = (index: number, part: Partial<Column>) =>
    setColumns((all) => all.map((column, at) => (at === index ? { ...column, ...part } : column)));

  const run = async (index: number, column: Column, { fields, signal }: { fields: Fields; signal: AbortSignal }) => {
    try {
      const { model_2: _second, model_3: _third, ...shared } = fields;
      const body = { ...shared, model: column.model, image, history: JSON.stringify(column.turns) };
      const response = await fetch(href("/dashboard/playground/run"), {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify(body),
        signal,
      });
      if (!response.ok || response.body === null) {
        const problem = (await response.json()) as { human_message?: string; error?: { human_message?: string } };
        const error = problem.human_message ?? problem.error?.human_message ?? "";
        return change(index, { state: "done", answer: { ...NO_ANSWER, error } });
      }
      await readEvents(response.body, (answer) => change(index, { answer }));
      change(index, { state: "done" });
    } catch {
      change(index, { state: signal.aborted ? "stopped" : "failed" });
    }
  };

  return {
    columns,
    running: columns.some(({ state }) => state === "running"),
    stop: () => stopper.current?.abort(),
    clear: () => {
      setColumns([]);
      setBegun([]);
    },
    send: (fields: Fields) => {
      const models = [fields.model, fields.model_2, fields.model_3].filter((model): model is string => !!model);
      const next = models.map((model, at): Column => {
        const turns = columns[at] === undefined ? begun : turnsOf(columns[at]);
        return { model, turns, asked: fields.message ?? "", answer: NO_ANSWER, state: "running" };
      });
      stopper.current = new AbortController();
      const { signal } = stopper.current;
      setColumns(next);
      return Promise.all(next.map((column, at) => run(at, column, { fields, signal })));
    },
  };
}

/** An incomplete or failed answer is not part of the continued conversation. */
function turnsOf(column: Column): readonly Turn[] {
  const { turns, asked, answer } = column;
  if (answer.text === "" || answer.error !== null) return turns;
  return [...turns, { role: "user", content: asked }, { role: "assistant", content: answer.text }];
}
