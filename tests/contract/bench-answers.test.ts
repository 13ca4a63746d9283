import { spawn } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerCheck } from "../../scripts/bench/answers.mjs";

let supplier: ReturnType<typeof spawn>;
let port: number;
beforeAll(async () => {
  supplier = spawn(process.execPath, ["scripts/bench/upstream.mjs"], { stdio: ["ignore", "pipe", "inherit"] });
  port = await new Promise((resolve) => supplier.stdout?.once("data", (text) => resolve(Number(text))));
});
afterAll(() => supplier?.kill("SIGKILL"));

const DIALECTS = { chat: "/v1/chat/completions", messages: "/v1/messages", responses: "/v1/responses" } as const;
const cases = (["chat", "messages", "responses"] as const).flatMap((dialect) =>
  [true, false].map((stream) => ({ dialect, stream })),
);

test.each(cases)(
  "the benchmark counts what the supplier said, and nothing else: $dialect, stream $stream",
  async (what) => {
    const { dialect, stream } = what;
    const body = JSON.stringify({ model: "bench", ...(stream ? { stream } : {}) });
    const said = await (await fetch(`http://127.0.0.1:${port}${DIALECTS[dialect]}`, { method: "POST", body })).text();
    const check = () => answerCheck({ client: dialect, supplier: dialect, stream });
    expect(check()(said)).toBe(true);
    expect(check()(said.replace("word", "ward"))).toBe(false);
    expect(check()('{"error":{"code":"budget_exceeded"}}')).toBe(false);
    expect(check()(said.slice(0, -10))).toBe(false);
    if (!stream) return;
    // A lost event in the middle is detected in every answer, not only in every twentieth.
    const events = said.split("\n\n").filter((event) => !event.includes(" word40"));
    const later = check();
    expect([later(said), later(events.join("\n\n"))]).toEqual([true, false]);
  },
);
