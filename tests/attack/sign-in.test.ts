import { afterAll, beforeAll, expect, test } from "vitest";
import { OWNER_PASSWORD } from "../support/portal";
import { ATTEMPTS, FULL, MAX_LATENESS_MS, report, startTarget, type Target } from "./target";

const AT_ONCE = FULL ? 200 : 60;
const GUESSES = FULL ? 1_000 : 150;

let target: Target;
beforeAll(async () => {
  target = await startTarget({ env: { TRUST_PROXY: "1" } });
}, 120_000);
afterAll(() => target?.close());

const network = (n: number) => ({ "x-forwarded-for": `203.0.${Math.floor(n / 250) % 250}.${n % 250}` });
const signIn = (email: string, password: string, from: number, browser = target.visitor()) =>
  browser.post("/auth/login", { email, password }, { json: true, headers: network(from) });

test("many sign-ins at once leave the event loop free", async () => {
  let latestMs = Number.POSITIVE_INFINITY;
  let statuses: number[] = [];
  for (let attempt = 0; attempt < ATTEMPTS && latestMs > MAX_LATENESS_MS; attempt += 1) {
    await target.lateness();
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) => signIn(`nobody-${attempt}-${n}@example.com`, "several wrong words", n)),
    );
    statuses = answers.map(({ status }) => status);
    latestMs = Math.min(latestMs, (await target.lateness()).latestMs);
  }
  const wrong = statuses.filter((status) => status !== 401 && status !== 429).map((status) => `status ${status}`);
  report({ group: `${AT_ONCE} sign-ins at once`, requests: AT_ONCE, wrong, latestMs });
  expect(wrong).toEqual([]);
  expect(latestMs).toBeLessThanOrEqual(MAX_LATENESS_MS);
}, 240_000);

test("registering and then signing in does not tell who has an account", async () => {
  const wrong: string[] = [];
  const shapes = new Set<string>();
  const { email: withoutPassword } = await target.addPerson();
  const addresses = [
    "owner@example.com",
    withoutPassword,
    ...Array.from({ length: 4 }, (_, n) => `new-${n}@example.com`),
  ];
  for (const [n, email] of addresses.entries()) {
    const password = `a password of mine ${n}`;
    const fields = { email, password, name: "Somebody", accept_terms: "on" };
    const registered = await target.visitor().post("/auth/register", fields, { json: true, headers: network(500 + n) });
    const tried = await signIn(email, password, 600 + n);
    const { code } = (await tried.json()) as { code?: string };
    shapes.add(JSON.stringify([registered.status, tried.status, code]));
  }
  if (shapes.size !== 1) wrong.push(`several answers: ${[...shapes].join(" ")}`);
  report({ group: "register, then sign in", requests: addresses.length * 2, wrong });
  expect(wrong).toEqual([]);
}, 60_000);

test("of a run of guesses at one account nearly all are refused, and who knows the password still gets in", async () => {
  const email = "owner@example.com";
  const known = target.visitor();
  expect((await signIn(email, OWNER_PASSWORD, 9_001, known)).status).toBe(200);
  const answers: number[] = [];
  for (let n = 0; n < GUESSES; n += 1) answers.push((await signIn(email, `guess number ${n}`, n % 5)).status);
  const blocked = answers.filter((status) => status === 429).length;
  const wrong = answers.some((status) => status === 200) ? ["a guess was right"] : [];
  // By design the first ten guesses are not blocked.
  if (blocked < GUESSES - 15) wrong.push(`only ${blocked} of ${GUESSES} blocked`);
  const again = await signIn(email, OWNER_PASSWORD, 9_001, known);
  if (again.status !== 200) wrong.push(`the owner's own browser gets ${again.status}`);
  report({ group: "guesses at one password", requests: GUESSES, wrong });
  expect(wrong).toEqual([]);
}, 240_000);
