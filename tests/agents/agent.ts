import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Heard } from "../twins/twin";

/** The address of gw, and the key and the model for an agent. */
export type Place = { url: string; key: string; model: string };

/** How to run one agent without a person at the keyboard. */
export type Program = {
  name: string;
  /** The program, with the arguments before the agent's own; null if it is not installed. */
  command: readonly string[] | null;
  arguments(place: Place, prompt: string): readonly string[];
  /** Settings files by their path in the agent's home. */
  files?(place: Place): Record<string, object | string>;
  environment(place: Place, home: string): Record<string, string>;
  /** Prepares the working folder, which already contains the note. */
  prepare?(folder: string): void;
  /** The signal that ends the agent at once; absent: SIGKILL. */
  endedBy?: NodeJS.Signals;
};

/** A call of one of the agent's tools. */
type ToolCall = { name: string; input: object };

/**
 * One turn of the model: text or a call. `otherwise`: the call if the agent does not offer the tool of `call`. `shows`:
 * text that the agent's next request must contain.
 */
export type Step = { shows?: string } & ({ text: string } | { call: ToolCall; otherwise?: ToolCall });

/** An agent that changes a word of `note.txt` while its model follows a script. */
export type SessionAgent = Program & {
  /** Returns the turns of the model: the agent reads the note, edits it, and runs a command. */
  changing(folder: string, change: { from: string; to: string }): readonly Step[];
  /** Returns the agent's replies turn by turn; null for an unrelated request. By default the results of tools. */
  shown?(heard: Heard): readonly string[] | null;
};

export type Agent = SessionAgent & {
  /** Returns the call of the agent's own tool that reads `note.txt` in the working folder. */
  reading(folder: string): ToolCall;
};

/** The result of a run. `note`: the final text of `note.txt`. */
export type Run = { code: number | null; output: string; note: string };

/** Runs an agent once until it exits, in its own home and in its own working folder, which contains `note.txt`. */
export async function runAgent(
  agent: Program,
  place: Place,
  prompt: string,
  { note = "", started }: { note?: string; started?: (child: ChildProcess, folder: string) => void } = {},
): Promise<Run> {
  const home = await mkdtemp(join(tmpdir(), "gw-agent-"));
  const folder = join(home, "work");
  await mkdir(folder);
  await writeFile(join(folder, "note.txt"), note);
  agent.prepare?.(folder);
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
  const left = await readFile(join(folder, "note.txt"), "utf8");
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  return { code, output, note: left };
}

const INSTALLED = process.env.GW_AGENTS_DIR ?? join(tmpdir(), "gw-agents");

/** Returns the command for a file of an npm package; null if the package is not installed for this platform. */
export const packaged = (path: string, ...runner: string[]) => installed(join("node_modules", path), ...runner);

/** Returns the command for a program of the agents' Python environment; null if it is not installed. */
export const pythonProgram = (name: string) =>
  installed(join("python", process.platform === "win32" ? "Scripts" : "bin", name));

function installed(path: string, ...runner: string[]): readonly string[] | null {
  const file = join(INSTALLED, path);
  return existsSync(file) ? [...runner, file] : null;
}
