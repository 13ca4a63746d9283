import { nativeViolations } from "../../support/stream-grammar";
import type { Json } from "../twin";
import { type Call, Conversation, eventsIn, failed, type Result, type Told, type Wanted } from "./client";

const EFFORTS = { none: "none", medium: "medium", most: "xhigh" } as const;

/** A client of the responses format like a native agent: nothing stored, encrypted thoughts, developer messages. */
export class ResponsesConversation extends Conversation {
  instruct(text: string): void {
    this.#message("developer", text);
  }

  instructLater(text: string): void {
    this.#message("developer", text);
  }

  say(text: string, picture?: string): void {
    const content = [
      { type: "input_text", text },
      ...(picture === undefined ? [] : [{ type: "input_image", image_url: picture }]),
    ];
    this.history.push({ type: "message", role: "user", content });
  }

  answer(results: readonly Result[], beside?: string): void {
    for (const { call, text, picture } of results)
      this.history.push({
        type: "function_call_output",
        call_id: call.id,
        output:
          picture === undefined
            ? text
            : [
                { type: "input_text", text },
                { type: "input_image", image_url: picture },
              ],
      });
    if (beside !== undefined) this.#message("user", beside);
  }

  #message(role: string, text: string): void {
    this.history.push({ type: "message", role, content: [{ type: "input_text", text }] });
  }

  async ask(wanted: Wanted): Promise<Told> {
    const reply = await this.post("/v1/responses", this.#body(wanted));
    if (reply.status !== 200) return failed(reply);
    const response = wanted.stream ? endOf(reply.raw) : JSON.parse(reply.raw);
    const output: Json[] = response?.output ?? [];
    this.history.push(...output);
    const usage = response?.usage;
    return {
      ...reply,
      text: output
        .flatMap(({ type, content }) => (type === "message" ? content.map(({ text = "" }: Json) => text) : []))
        .join(""),
      thought: output
        .flatMap(({ type, summary = [], content }) =>
          type === "reasoning" ? [...summary, ...(content ?? [])].map(({ text }: Json) => text) : [],
        )
        .join(""),
      calls: output.flatMap((item): Call[] =>
        item.type === "function_call"
          ? [
              {
                id: item.call_id,
                name: item.name,
                arguments: item.arguments,
                ...(item.namespace == null ? {} : { namespace: item.namespace }),
              },
            ]
          : [],
      ),
      pictures: [],
      usage: usage == null ? null : { input: usage.input_tokens, output: usage.output_tokens },
      violations: wanted.stream ? nativeViolations(reply.raw) : [],
    };
  }

  #body({ model, stream, tools, namespace, isForced, effort, schema, samples, mostOutput }: Wanted): object {
    const functions = tools?.map(({ name, description, schema: parameters }) => ({
      type: "function",
      name,
      description,
      parameters,
      strict: false,
    }));
    return {
      model,
      input: this.history,
      store: false,
      include: ["reasoning.encrypted_content"],
      ...(stream ? { stream } : {}),
      ...(functions === undefined
        ? {}
        : {
            tools:
              namespace === undefined
                ? functions
                : [{ type: "namespace", name: namespace, description: "A server's tools.", tools: functions }],
          }),
      ...(isForced ? { tool_choice: "required" } : {}),
      ...(effort === undefined ? {} : { reasoning: { effort: EFFORTS[effort], summary: "auto" } }),
      ...(schema === undefined ? {} : { text: { format: { type: "json_schema", name: "out", strict: true, schema } } }),
      ...(samples ? { temperature: 0.2, top_p: 0.9 } : {}),
      ...(mostOutput === undefined ? {} : { max_output_tokens: mostOutput }),
    };
  }
}

/** Returns the response of a stream's last event that has one. */
const endOf = (raw: string): Json => eventsIn(raw).findLast(({ response }) => response !== undefined)?.response;
