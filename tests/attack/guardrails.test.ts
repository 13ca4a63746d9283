import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ATTEMPTS, FULL, faultIn, MAX_LATENESS_MS, report, startTarget, type Target } from "./target";

const AT_ONCE = FULL ? 10 : 2;
const BODY_BYTES = FULL ? 10_000_000 : 500_000;

/** The most expensive valid patterns: they have no early match, and the texts look like their beginning everywhere. */
const PATTERNS = [
  String.raw`(?:[a-z]{1,12} ){4,8}\d{4}`,
  String.raw`\b(?:a|b|c|ab|bc|abc){6,20}z{3}`,
  "[a-z ]{20,150}!!",
  String.raw`(?:\w+\s){3}\w+@@`,
];

let target: Target;
beforeAll(async () => {
  target = await startTarget();
  const { browser } = await target.signInAs("org_admin", { adminMode: true });
  const add = async (rule: Record<string, string>) => {
    const answer = await browser.post(
      "/dashboard/guardrails/add",
      { on: "input", action: "flag", ...rule },
      { json: true },
    );
    expect(answer.status, JSON.stringify(rule)).toBe(200);
  };
  for (const text of PATTERNS) await add({ name: `Pattern ${text}`.slice(0, 60), kind: "pattern", text });
  const words = Array.from({ length: 100 }, (_, n) => `*abc${n.toString(36)}*`);
  await add({ name: "Words", kind: "words", text: words.join("\n") });
  await add({ name: "Personal", kind: "personal", email: "true", phone: "true", card: "true", iban: "true" });
  await add({ name: "In force", kind: "words", text: "inforce", action: "refuse" });
  await vi.waitFor(async () => expect((await ask("inforce")).code).toBe("request_rejected"), 10_000);
}, 120_000);
afterAll(() => target?.close());

async function ask(content: string): Promise<{ code: string | undefined; fault: string | null }> {
  const response = await fetch(`${target.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${target.gateway.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-chat", max_tokens: 5, messages: [{ role: "user", content }] }),
  });
  const text = await response.text();
  return {
    code: JSON.parse(text).error?.code,
    fault: faultIn(response.status, response.headers.get("content-type"), text),
  };
}

/** Repetitions of each pattern's beginning, without its end. */
const TEXTS: Readonly<Record<string, string>> = {
  "words without an end": "abc abcab bca cab ",
  "one word": "abcabcbcab",
  "half an address": "ada.lovelace.of.london@a",
  "figures like cards": "4111 1111 1111 1112 ",
};

test.each(Object.keys(TEXTS))(
  "long bodies of %s against heavy guardrails: each is answered, and the event loop goes on",
  async (kind) => {
    const text = (TEXTS[kind] as string)
      .repeat(Math.ceil(BODY_BYTES / (TEXTS[kind] as string).length))
      .slice(0, BODY_BYTES);
    const tries: number[] = [];
    let wrong: string[] = [];
    await target.lateness();
    while (tries.length < (FULL ? ATTEMPTS : 1)) {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => ask(text)));
      tries.push((await target.lateness()).latestMs);
      wrong = answers.flatMap(({ fault }) => fault ?? []);
      if (Math.min(...tries) <= MAX_LATENESS_MS) break;
    }
    // Take the minimum: expensive work blocks the loop in every attempt, but other load on the machine does not.
    const latestMs = Math.min(...tries);
    report({ group: `guardrails: ${kind}`, requests: AT_ONCE * tries.length, wrong, latestMs });
    expect(wrong).toEqual([]);
    expect((await ask("inforce, still")).code).toBe("request_rejected");
    if (FULL) expect(latestMs, "milliseconds that the event loop was late").toBeLessThanOrEqual(MAX_LATENESS_MS);
  },
  600_000,
);
