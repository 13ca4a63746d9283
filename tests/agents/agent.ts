import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where an agent finds gw, and which model it is to use. */
export type Place = { url: string; key: string; model: string };

/** How one agent is started without a person at the keyboard. */
export type Agent = {
  name: string;
  /** The program and the arguments before its own; null when npm has none for this platform. */
  command: readonly string[] | null;
  arguments(place: Place, prompt: string): readonly string[];
  /** Its settings: files by their path in its home, and variables. */
  files?(place: Place): Record<string, object | string>;
  environment(place: Place, home: string): Record<string, string>;
  /** What its own tool for reading `note.txt` in the working folder is called with. */
  reading(folder: string): { name: string; input: object };
  /** Its own tools for a small change of that note: reading, editing, and running a command that shows it. */
  changing?(folder: string, change: { from: string; to: string }): readonly { name: string; input: object }[];
  /** The signal that ends it at once; absent: SIGKILL. */
  endedBy?: NodeJS.Signals;
};

export type Run = { code: number | null; output: string };

/** Runs an agent once, in a home and a working folder of its own, until it ends. `note.txt` is in the working folder. */
export async function runAgent(
  agent: Agent,
  place: Place,
  prompt: string,
  { note = "", started }: { note?: string; started?: (child: ChildProcess, folder: string) => void } = {},
): Promise<Run> {
  const home = await mkdtemp(join(tmpdir(), "gw-agent-"));
  const folder = join(home, "work");
  await mkdir(folder);
  await writeFile(join(folder, "note.txt"), note);
  for (const [path, content] of Object.entries(agent.files?.(place) ?? {})) {
    await mkdir(join(home, path, ".."), { recursive: true });
    await writeFile(join(home, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  const [program, ...before] = agent.command!;
  const child = spawn(program!, [...before, ...agent.arguments(place, prompt)], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: home, ...agent.environment(place, home) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  started?.(child, folder);
  const patience = setTimeout(() => child.kill("SIGKILL"), 100_000);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearTimeout(patience);
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  return { code, output };
}

const INSTALLED = process.env.GW_AGENTS_DIR ?? join(tmpdir(), "gw-agents");

/** A file of an installed package, behind what it takes to run it; null when this platform's package is not there. */
export function packaged(path: string, ...runner: string[]): readonly string[] | null {
  const file = join(INSTALLED, "node_modules", path);
  return existsSync(file) ? [...runner, file] : null;
}
