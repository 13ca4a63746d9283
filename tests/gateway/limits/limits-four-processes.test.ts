import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pause } from "../../support/chat-gateway";
import { freshDatabase, type TestDatabase } from "../../support/database";
import { type Gateway, startGateway } from "../../support/gateway";

const PROCESSES = 4;
const LIMIT = 60;
const WINDOW_MS = 60_000;
// LIMIT_SECONDS=150 covers more than two windows; `npm test` covers the first burst, its rejections and one retry.
const SECONDS = Number(process.env.LIMIT_SECONDS ?? 0);

type Answer = { status: number; sentMs: number; endMs: number; retryAfter: string | null };

describe.runIf(process.env.TEST_DATABASE_URL)("a limit of 60 requests a minute, four processes, one PostgreSQL", () => {
  let database: TestDatabase;
  const gateways: Gateway[] = [];
  beforeAll(async () => {
    database = await freshDatabase();
    const first = await startGateway({ database });
    gateways.push(first);
    const others = Array.from({ length: PROCESSES - 1 }, () => startGateway({ database, adminKey: first.adminKey }));
    gateways.push(...(await Promise.all(others)));
  }, 120_000);
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.close()));
    await database?.close();
  });

  const ask = async (key: string, process: number): Promise<Answer> => {
    const sentMs = performance.now();
    const response = await fetch(`${gateways[process % PROCESSES]?.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "Hello" }] }),
    });
    await response.text();
    return {
      status: response.status,
      sentMs,
      endMs: performance.now(),
      retryAfter: response.headers.get("retry-after"),
    };
  };

  test("exactly 60 of a burst are accepted, whichever process is asked, and every refusal says when", async () => {
    const { key } = await gateways[0]!.createKey({ rate_limit_rpm: LIMIT });
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => ask(key, index)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
    for (const { retryAfter } of answers.filter(({ status }) => status === 429)) {
      expect(retryAfter).toMatch(/^\d+$/);
      expect(Number(retryAfter)).toBeGreaterThan(0);
      expect(Number(retryAfter)).toBeLessThanOrEqual(61);
    }
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(200 - LIMIT);
  }, 60_000);

  test.runIf(SECONDS > 0)(
    "never more than 60 in any minute, and a retry at Retry-After is accepted",
    async () => {
      const { key } = await gateways[0]!.createKey({ rate_limit_rpm: LIMIT });
      const accepted: Answer[] = [];
      const until = performance.now() + SECONDS * 1_000;
      const hammer = async (process: number) => {
        while (performance.now() < until) {
          const answer = await ask(key, process);
          if (answer.status === 200) accepted.push(answer);
          await pause(100 + Math.random() * 400);
        }
      };
      await Promise.all(Array.from({ length: PROCESSES * 2 }, (_, process) => hammer(process)));
      accepted.sort((a, b) => a.endMs - b.endMs);
      for (const [index, answer] of accepted.entries()) {
        const next = accepted[index + LIMIT];
        // A call is accepted between its start and its end, so call n and call n + LIMIT are at least a window apart.
        if (next) expect(next.endMs - answer.sentMs).toBeGreaterThan(WINDOW_MS);
      }
      const refused = await ask(key, 1);
      if (refused.status === 429) {
        await pause(Number(refused.retryAfter) * 1_000);
        expect((await ask(key, 2)).status).toBe(200);
      }
    },
    SECONDS * 1_000 + 120_000,
  );
});
