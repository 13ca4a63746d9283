import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { generateSecret } from "~/domain/keys/secrets/secret";
import { freePort } from "../../support/gateway";

const GREETING = /gw is running at/g;
const LONG = 300_000;
/** Maximum time of a start. The first start of the development server transforms all modules, on a busy machine. */
const START_MS = 120_000;

let dataDir: string;
let child: ChildProcess;
let output: string;
let url: string;
const adminKey = generateSecret();

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "gw-start-"));
  output = "";
});
afterEach(async () => {
  const isGone = child.exitCode !== null || child.signalCode !== null;
  const gone = isGone || new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await gone;
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

type More = { env?: Record<string, string>; cwd?: string };

async function launch(command: string, options: string[], { env = {}, cwd }: More = {}): Promise<void> {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const { PATH = "", HOME = "" } = process.env;
  const settings = {
    PORT: String(port),
    DATA_DIR: dataDir,
    GW_ROOT_ADMIN_KEY: adminKey,
    GW_PROVIDER_KEYS: "false",
  };
  child = spawn(command, options, {
    cwd,
    env: { PATH, HOME, ...settings, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (output += text));
}

const starts = () => output.match(GREETING)?.length ?? 0;
const models = async () => (await fetch(`${url}/v1/models`, { headers: { "x-api-key": adminKey } })).json();

test(
  "a process whose npm was asked to stop drains, although the shell between them tells it nothing",
  async () => {
    await launch("sh", ["-c", "node scripts/start.mjs; exit"], { env: { npm_lifecycle_event: "start" } });
    await expect.poll(starts, { timeout: START_MS }).toBe(1);
    child.kill("SIGTERM");
    const answers = () =>
      fetch(`${url}/health`).then(
        () => true,
        () => false,
      );
    await expect.poll(answers, { timeout: 20_000 }).toBe(false);
    await expect.poll(() => output, { timeout: 5_000 }).toContain('"msg":"draining"');
  },
  LONG,
);

test(
  "started from another folder, the process serves all it has",
  async () => {
    await launch(process.execPath, [resolve("scripts/start.mjs")], { cwd: dataDir });
    await expect.poll(starts, { timeout: START_MS }).toBe(1);
    const page = await (await fetch(`${url}/login`)).text();
    const script = /src="(\/assets\/enhance-[^"]+\.js)"/.exec(page)?.[1];
    const answer = await fetch(url + script);
    expect(answer.status).toBe(200);
    // Every page loads this script, so it must stay small.
    expect((await answer.text()).length).toBeLessThan(12_500);
    expect(await models()).not.toEqual([]);
  },
  LONG,
);

test(
  "a change of what the development server has started starts it again, with all it serves",
  async () => {
    await launch(process.execPath, ["scripts/dev.mjs"]);
    await expect.poll(starts, { timeout: START_MS }).toBe(1);
    const before = await models();
    expect(before).not.toEqual([]);
    const page = await (await fetch(`${url}/login`)).text();
    const [, script] = /src="([^"]+)"[^>]* data-enhance/.exec(page) ?? [];
    expect((await fetch(url + script)).headers.get("content-type")).toBe("text/javascript");
    const { atime, mtime } = await stat("app/values/money.ts");
    try {
      await utimes("app/values/money.ts", atime, new Date());
      await expect.poll(starts, { timeout: START_MS }).toBe(2);
      expect(await models()).toEqual(before);
      expect(output).not.toContain("Could not resolve");
    } finally {
      await utimes("app/values/money.ts", atime, mtime);
    }
  },
  LONG,
);
