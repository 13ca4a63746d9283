import { expect } from "vitest";
import { eventually } from "../support/chat-gateway";
import { type Gateway, startGateway } from "../support/gateway";
import { TWINS } from "./all";
import type { Impossible } from "./cannot-be";
import { type Conversation, eventsIn, type Told, type Wanted } from "./clients/client";
import { type ClientName, converse } from "./clients/clients";
import type { Talk } from "./scenarios";
import { startTwins, type Twins } from "./server";
import type { Heard, Said } from "./twin";

export type TwinGateway = {
  gateway: Gateway;
  twins: Twins;
  /** Sends a text completion. */
  complete(model: string, prompt: string, stream: boolean): Promise<{ status: number; text: string; finish: string }>;
  /** Begins a conversation; `model` is the name of a twin, and a single question may name another. */
  talk(client: ClientName, model: string, stream: boolean): Talk;
  /** Returns a copy of a conversation that continues with another model. */
  fork(talk: Talk, model: string, stream: boolean): Talk;
  close(): Promise<void>;
};

/** Starts one gateway in front of all twins, with one model per twin. */
export async function startTwinGateway(answer?: (heard: Heard) => Said): Promise<TwinGateway> {
  const twins = await startTwins(TWINS, answer);
  const gateway = await startGateway({ config: catalogueFor(twins.origin) });
  return {
    gateway,
    twins,
    talk: (client, model, stream) => talkWith(converse(client, gateway), client, model, stream),
    fork: ({ client, conversation }, model, stream) => talkWith(conversation.fork(), client, model, stream),
    async complete(model, prompt, stream) {
      const response = await fetch(`${gateway.url}/v1/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
        body: JSON.stringify({ model, prompt, stream, max_tokens: 500 }),
      });
      const raw = await response.text();
      if (!response.ok) throw new Error(`${response.status} ${raw}`);
      const choices = (stream ? eventsIn(raw) : [JSON.parse(raw)]).flatMap(({ choices: [choice] }) => choice ?? []);
      const finish = choices.findLast(({ finish_reason }) => finish_reason != null)?.finish_reason;
      return { status: response.status, text: choices.map(({ text }) => text).join(""), finish };
    },
    close: async () => {
      await gateway.close();
      await twins.close();
    },
  };
}

function talkWith(conversation: Conversation, client: ClientName, model: string, stream: boolean): Talk {
  const ask = async (wanted: Partial<Wanted> = {}): Promise<Told> => {
    const told = await conversation.ask({ model, stream, ...wanted });
    if (told.status !== 200) throw new Refused(told);
    const wrong = told.violations.filter((violation) => !isTheirs(violation, client, wanted.model ?? model));
    if (wrong.length > 0) throw new Error(`not a well-formed answer: ${wrong.slice(0, 3).join("; ")}`);
    return told;
  };
  return { client, conversation, ask };
}

/**
 * Whether a violation is the vendor's own. If both sides use chat completions, gw passes the stream through unchanged,
 * with the usage and the finish reasons of the vendor.
 */
const isTheirs = (violation: string, client: ClientName, model: string): boolean =>
  client === "chat" &&
  /^(usage|the finish reason $|choice \d+ goes on)/.test(violation) &&
  TWINS.some(({ name, apis }) => name === model && apis.some(({ path }) => path.source.includes("completions")));

/** An error answer: its status and message. */
class Refused extends Error {
  readonly told: Told;

  constructor(told: Told) {
    const [, words = told.raw] = /"(?:human_)?message":"((?:[^"\\]|\\.)*)"/.exec(told.raw) ?? [];
    super(`${told.status} ${words}`);
    this.told = told;
  }
}

/**
 * Asserts that an impossible cell is rejected as the table states, without a supplier call if gw rejects it; or that
 * it shows the vendor's known deviation.
 */
export async function expectRefused({ twins }: TwinGateway, cell: Promise<void>, cannotBe: Impossible): Promise<void> {
  const { says, byGateway, isAnswered } = cannotBe;
  const problem = await cell.then(
    () => new Error("it is answered as it should be: take it out of the table"),
    (cause: Error) => cause,
  );
  expect(problem.message).toMatch(says);
  expect(problem instanceof Refused).toBe(isAnswered !== true);
  if (!(problem instanceof Refused)) return;
  const asked = twins.asked.get(String(problem.told.headers.get("x-request-id"))) ?? [];
  expect(asked.length === 0).toBe(byGateway === true);
}

/** Asserts that each answer of a twin has one usage row with its counts, and that rejected requests cost nothing. */
export async function expectBilled({ gateway, twins }: TwinGateway, twin: string): Promise<void> {
  const billed = [...twins.asked].flatMap(([id, asked]) => {
    const last = asked.at(-1)!;
    return last.twin === twin ? [{ id, ...last }] : [];
  });
  const rows = await eventually(
    () =>
      gateway.sql(
        `SELECT request_id, outcome, input_tokens, cached_input_tokens, output_tokens, charged FROM usage_event
          WHERE request_id = ANY ($1::uuid[])`,
        [billed.map(({ id }) => id)],
      ),
    (found) => found.length >= billed.length,
  );
  const byId = new Map(rows.map((row) => [row.request_id, row]));
  const wrong = billed.flatMap(({ id, refused, counted }) => {
    const { outcome, input_tokens, cached_input_tokens, output_tokens, charged } = byId.get(id) ?? {};
    const booked =
      refused === null
        ? { input: input_tokens, cached: cached_input_tokens, output: output_tokens }
        : { charged: Number(charged) };
    const { input, cached, output, reasoning } = counted;
    const right = refused === null ? { input, cached, output: output + reasoning } : { charged: 0 };
    return JSON.stringify(booked) === JSON.stringify(right) ? [] : [{ id, outcome, booked, right }];
  });
  expect(billed.length).toBeGreaterThan(0);
  expect(wrong.slice(0, 3)).toEqual([]);
}

function catalogueFor(origin: string): object {
  return {
    suppliers: TWINS.map(({ name, base, supplier }) => ({
      name,
      base_url: `${origin}/${name}${base}`,
      cooldown: false,
      ...supplier,
    })),
    models: TWINS.map(({ name, model, supplier, route }) => ({
      id: name,
      owned_by: "twins",
      capability: "chat",
      context_tokens: 200_000,
      max_output_tokens: 32_000,
      routes: [
        {
          supplier: nameOf(supplier, name),
          upstream_model: model,
          price: { input_per_mtok: 1, output_per_mtok: 2, cached_input_per_mtok: 0.1 },
          ...route,
        },
      ],
    })),
  };
}

const nameOf = (supplier: object, name: string): string => ("name" in supplier ? String(supplier.name) : name);
