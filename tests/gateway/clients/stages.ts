import { type AgentGateway, startAgentGateway } from "../../support/agent-gateway";
import { AGENT_USAGE, answerEvents, eventOf } from "../../support/agent-supplier";
import { type BothDialects, startBothDialects } from "../../support/both-dialects";
import { freePort, type Gateway, startGateway } from "../../support/gateway";
import { startStandIn } from "../../support/stand-in-supplier";
import { catalogueFor } from "../faults/catalogue";
import { modelName } from "../faults/protocols";
import type { Place } from "./client";

/** A gateway with suppliers that follow the script of a case. */
export type Stage = {
  gateway: Gateway;
  /** Models that every client must support: one for each kind of supplier. */
  models: readonly string[];
  /** Sets the text of the next answer. */
  answer(text: string): Promise<void>;
  /** Answers with two calls of `get_weather`, for Rome and Oslo, and then with a text. */
  callTools(text: string): Promise<void>;
  /** Answers with an error status. Returns the model to call. */
  refuse(status: number, model: string): Promise<string>;
  /** Breaks the next stream after its first words. */
  breakOff(how: "error" | "cut"): Promise<void>;
  /** Answers after several seconds. Returns the model to call. */
  dawdle(model: string): Promise<string>;
  /** Returns the content of the last request. */
  lastRequest(): Promise<string>;
  /** Whether gw disconnected from the supplier before the last answer was complete. */
  wasLeft(): Promise<boolean>;
  close(): Promise<void>;
};

export const placeOf = ({ gateway }: Stage, model: string): Place => ({ url: gateway.url, key: gateway.key, model });

const MESSAGE = "The moon is in the wrong house";

/** Starts a chat-style and a messages-style supplier with one model each. */
export async function conversations(): Promise<Stage> {
  const both: BothDialects = await startBothDialects();
  const { supplier } = both;
  const calls = [{ input: { city: "Rome" } }, { input: { city: "Oslo" } }];
  return {
    gateway: both.gateway,
    models: ["chat-model", "messages-model"],
    answer: async (text) => supplier.say({ text }),
    callTools: async (text) => supplier.say({ text: "Let me look", calls }, { text }),
    async refuse(status, model) {
      supplier.say({ failure: { status, type: "some_error", message: MESSAGE, retryAfter: 1 } });
      return model;
    },
    breakOff: async (breaks) => supplier.say({ text: "one two three four five six", breaks }),
    async dawdle(model) {
      supplier.say({ text: "word ".repeat(300), paceMs: 20, delayMs: 2_000 });
      return model;
    },
    lastRequest: async () => JSON.stringify(supplier.last().body),
    wasLeft: async () => supplier.last().aborted,
    close: both.close,
  };
}

/** Starts a supplier of native agents. */
export async function native(): Promise<Stage> {
  const gateway: AgentGateway = await startAgentGateway({ count: 1, fixed: true }, { more: { cooldown: false } });
  const { supplier } = gateway;
  const last = () => supplier.calls.at(-1)!;
  return {
    gateway,
    models: ["agent"],
    answer: async (text) => supplier.answer(() => ({ events: answerEvents(text.split(/(?= )/)) })),
    callTools: async (text) =>
      supplier.answer(({ body }) => ({
        events: body.includes("function_call_output") ? answerEvents([text]) : toolEvents(["Rome", "Oslo"]),
      })),
    async refuse(status, model) {
      supplier.answer(() => ({ status, body: { error: { code: "some_error", message: MESSAGE } } }));
      return model;
    },
    breakOff: async (how) =>
      supplier.answer(() => {
        const events = answerEvents(["one ", "two ", "three ", "four "]).slice(0, 5);
        if (how === "cut") return { events, breaks: true };
        const error = { code: "server_error", message: MESSAGE };
        const response = { id: "resp_1", object: "response", status: "failed", error, output: [] };
        return { events: [...events, eventOf({ type: "response.failed", sequence_number: 5, response })] };
      }),
    async dawdle(model) {
      supplier.answer(() => ({ events: answerEvents(Array(300).fill("word ")), paceMs: 20 }));
      return model;
    },
    lastRequest: async () => last().body,
    wasLeft: async () => last().aborted,
    close: gateway.close,
  };
}

/** Returns a native answer with several calls of `get_weather`. */
function toolEvents(cities: readonly string[]): string[] {
  const response = { id: "resp_2", object: "response", created_at: 1_790_000_000, model: "agent", output: [] };
  const items = cities.map((city, at) => ({
    ...{ type: "function_call", id: `fc_${at}`, call_id: `call_${at}`, name: "get_weather", status: "completed" },
    arguments: JSON.stringify({ city }),
  }));
  const events = items.flatMap((item, output_index) => [
    { type: "response.output_item.added", output_index, item: { ...item, arguments: "", status: "in_progress" } },
    { type: "response.function_call_arguments.delta", item_id: item.id, output_index, delta: item.arguments },
    { type: "response.function_call_arguments.done", item_id: item.id, output_index, arguments: item.arguments },
    { type: "response.output_item.done", output_index, item },
  ]);
  return [
    { type: "response.created", response: { ...response, status: "in_progress" } },
    ...events,
    { type: "response.completed", response: { ...response, status: "completed", output: items, usage: AGENT_USAGE } },
  ].map((data, sequence_number) => eventOf({ ...data, sequence_number }));
}

/** Starts a supplier of ranks; the names of its models are faults. */
export async function ranks(): Promise<Stage> {
  const standIn = await startStandIn();
  const gateway = await startGateway({ config: catalogueFor(standIn.url, await freePort()) });
  const NAMES: Readonly<Record<number, string>> = { 429: "429:seconds" };
  const newest = async () => (await standIn.seen()).requests.at(-1)!;
  const never = () => Promise.reject(new Error("ranks are whole answers"));
  return {
    gateway,
    models: [modelName("rerank", "ok")],
    answer: () => standIn.plan({}).then(() => undefined),
    callTools: never,
    refuse: async (status) => modelName("rerank", NAMES[status] ?? String(status)),
    breakOff: never,
    async dawdle(model) {
      await standIn.plan({ delayMs: [3_000, 3_000] });
      return model;
    },
    lastRequest: async () => (await newest()).body,
    wasLeft: async () => (await newest()).abortedAt !== null,
    async close() {
      await gateway.close();
      await standIn.close();
    },
  };
}
