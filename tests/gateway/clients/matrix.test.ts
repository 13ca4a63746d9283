import { createOpenAI } from "@ai-sdk/openai";
import { generateText } from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pause } from "../../support/chat-gateway";
import { aiAnthropic, aiChat, aiCompatible, aiResponses, aiTranslated, aiVendorb } from "./ai-sdk-clients";
import { anthropicBefore, anthropicNow } from "./anthropic-client";
import { type Absent, type Client, isAbsent } from "./client";
import { cohereV1, cohereV2 } from "./cohere-clients";
import { langchainAnthropic, langchainOpenai, langchainResponses } from "./langchain-clients";
import { openaiChat, openaiResponses, openaiTranslated } from "./openai-client";
import { conversations, native, placeOf, ranks, type Stage } from "./stages";

/** Every client with every case and every kind of supplier. An impossible cell is shown as skipped, with its reason. */
const CLIENTS: Readonly<Record<Client["speaks"], { open(): Promise<Stage>; clients: readonly Client[] }>> = {
  conversations: {
    open: conversations,
    clients: [
      ...[openaiChat, anthropicNow, anthropicBefore],
      ...[aiCompatible, aiChat, aiAnthropic, langchainOpenai, langchainAnthropic],
      ...[openaiTranslated, aiTranslated, langchainResponses],
    ],
  },
  native: { open: native, clients: [openaiResponses, aiResponses, aiVendorb] },
  ranks: { open: ranks, clients: [cohereV1, cohereV2] },
};

const PNG = "iVBORw0KGgo=";
const STATUSES = [400, 404, 422, 429, 503, 529];
const MODELS: Readonly<Record<Client["speaks"], readonly number[]>> = {
  conversations: [0, 1],
  native: [0],
  ranks: [0],
};

for (const [speaks, { open, clients }] of Object.entries(CLIENTS)) {
  describe(speaks, () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await open();
    });
    afterAll(() => stage?.close());

    for (const client of clients) {
      describe.each(MODELS[client.speaks])(`${client.name}, supplier %i`, (at) => {
        const place = () => placeOf(stage, stage.models[at]!);

        cell("whole", client.whole, async (whole) => {
          await stage.answer("Hello there");
          expect(await whole(place())).toBe(speaks === "ranks" ? "0 1" : "Hello there");
        });

        cell("stream", client.stream, async (stream) => {
          await stage.answer("one two three");
          const pieces = await all(stream(place()));
          expect(pieces.filter((piece) => piece !== "").length).toBeGreaterThan(1);
          expect(pieces.join("")).toBe("one two three");
        });

        cell("tools, parallel, several turns", client.tools, async (tools) => {
          await stage.callTools("Sun everywhere");
          expect(await tools(place())).toBe("Sun everywhere");
          await expectResults(stage);
        });

        cell("tools, parallel, several turns, streamed", client.streamedTools, async (tools) => {
          await stage.callTools("Sun everywhere");
          // The AI SDK returns the text of all turns.
          expect(await tools(place())).toMatch(/^(Let me look)?Sun everywhere$/);
          await expectResults(stage);
        });

        cell("image", client.image, async (image) => {
          await stage.answer("A moon");
          expect(await image(place(), PNG)).toBe("A moon");
          expect(await stage.lastRequest()).toContain(PNG);
        });

        const any = isAbsent(client.whole) ? streamed(client.stream) : client.whole;

        test.each(STATUSES)("typed exception for %i", async (status) => {
          const model = await stage.refuse(status, place().model);
          const problem = await problemOf(any({ ...place(), model }));
          expect(client.isTyped(problem, status), String(problem)).toBe(true);
        });

        test("typed exception for gw's own refusals: a wrong key, a model out of bounds, a model that is not there", async () => {
          await stage.answer("Hello there");
          const wrong = await problemOf(any({ ...place(), key: `gw_${"a".repeat(49)}` }));
          expect(client.isTyped(wrong, 401), String(wrong)).toBe(true);
          const { key } = await stage.gateway.createKey({ allowed_models: ["no-such-model"] });
          const outside = await problemOf(any({ ...place(), key }));
          expect(client.isTyped(outside, 403), String(outside)).toBe(true);
          const missing = await problemOf(any({ ...place(), model: "no-such-model" }));
          expect(client.isTyped(missing, 404), String(missing)).toBe(true);
        });

        cell("exception for a refusal, streamed", client.stream, async (stream) => {
          const model = await stage.refuse(429, place().model);
          const problem = await problemOf(all(stream({ ...place(), model })));
          expect(client.isTyped(problem, 429), String(problem)).toBe(true);
        });

        for (const how of ["error", "cut"] as const) {
          cell(`exception for a stream that breaks off by ${how}`, client.stream, async (stream) => {
            await stage.breakOff(how);
            const pieces: string[] = [];
            // The AI SDK throws the content of the event, which is not an Error.
            expect(await problemOf(all(stream(place()), pieces))).not.toBe(NO_EXCEPTION);
            expect(pieces.join("")).toMatch(/^one two/);
          });
        }

        cell("leaves a stream, and the supplier is left within a second", client.stream, async (stream) => {
          const model = await stage.dawdle(place().model);
          const abort = new AbortController();
          const reading = (async () => {
            for await (const piece of stream({ ...place(), model }, abort.signal)) if (piece !== "") abort.abort();
          })();
          await reading.catch(() => undefined);
          await expect.poll(() => stage.wasLeft(), { timeout: 1_000, interval: 20 }).toBe(true);
        });

        cell("leaves before a whole answer, and the supplier is left within a second", client.whole, async (whole) => {
          const model = await stage.dawdle(place().model);
          const abort = new AbortController();
          const asking = problemOf(whole({ ...place(), model }, abort.signal));
          await pause(400);
          abort.abort();
          expect(await asking).toBeInstanceOf(Error);
          await expect.poll(() => stage.wasLeft(), { timeout: 1_000, interval: 20 }).toBe(true);
        });
      });
    }
  });
}

test("a whole answer of a native agent is refused by name, and by the AI SDK's own exception", async () => {
  const stage = await native();
  try {
    const { url, key } = stage.gateway;
    for (const path of ["v1", "v1/vendorb"]) {
      const model = createOpenAI({ baseURL: `${url}/${path}`, apiKey: key })("agent");
      const problem = await problemOf(generateText({ model, prompt: "hi", maxRetries: 0 }));
      expect(problem).toMatchObject({ statusCode: 400, message: expect.stringContaining("stream") });
    }
  } finally {
    await stage.close();
  }
});

/** Defines one cell: a test, or a skipped test with the reason. */
function cell<Run extends (...given: never[]) => unknown>(
  name: string,
  run: Run | Absent,
  check: (run: Run) => Promise<void>,
): void {
  if (isAbsent(run)) test.skip(`${name}: ${run.none}`, () => undefined);
  else test(name, () => check(run));
}

async function all(stream: AsyncIterable<string>, pieces: string[] = []): Promise<string[]> {
  for await (const piece of stream) pieces.push(piece);
  return pieces;
}

function streamed(
  stream: Client["stream"],
): (place: Parameters<Exclude<Client["stream"], Absent>>[0]) => Promise<string> {
  if (isAbsent(stream)) throw new Error("a client that can do nothing");
  return async (place) => (await all(stream(place))).join("");
}

const NO_EXCEPTION = "no exception at all";

async function problemOf(asking: Promise<unknown>): Promise<unknown> {
  return asking.then(
    () => NO_EXCEPTION,
    (error: unknown) => error,
  );
}

/** Asserts that both results have come back, in the order of their calls. */
async function expectResults(stage: Stage): Promise<void> {
  const request = await stage.lastRequest();
  expect(request.indexOf("sun in Rome")).toBeGreaterThan(0);
  expect(request.indexOf("sun in Oslo")).toBeGreaterThan(request.indexOf("sun in Rome"));
}
