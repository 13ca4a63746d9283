import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base } from "@playwright/test";

/** A freshly started gw with its own embedded database, as `npm start` runs it. */
export type Portal = { url: string; setupUrl: string };

/** `portal` is one running gw for all tests of a file. */
export const test = base.extend<object, { portal: Portal }>({
  portal: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the names of what a fixture needs
    async ({}, use) => {
      const running = await start();
      await use(running);
      await running.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
});

async function start(): Promise<Portal & { stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "gw-e2e-"));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: "production",
    PORT: String(port),
    DATA_DIR: dataDir,
  };
  const child = spawn(process.execPath, ["scripts/start.mjs"], { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const setupUrl = await answering(child, url, () => /\bhttp\S+\/setup\/[\w-]{20,}/.exec(output)?.[0]);
  if (setupUrl === null) throw new Error(`gw did not start, or printed no set-up link:\n${output}`);
  return {
    url,
    setupUrl,
    async stop() {
      const exited = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function answering(child: ChildProcess, url: string, link: () => string | undefined): Promise<string | null> {
  for (let tries = 0; tries < 400 && child.exitCode === null; tries += 1) {
    const healthy = await fetch(`${url}/health?ready`)
      .then((response) => response.ok)
      .catch(() => false);
    const found = link();
    if (healthy && found) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return null;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
