// npm run check:docker: executes the Dockerfile without Docker, in temporary folders: COPY, RUN, ENV and CMD one by
// one, with this machine's Node instead of the base image. Starts the result on its embedded database, and calls its
// health check. Instructions that need their own root file system are listed and skipped. If hadolint is on the PATH,
// it also lints the Dockerfile.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { instructionsOf, isIgnored } from "./dockerfile.mjs";

process.chdir(join(dirname(fileURLToPath(import.meta.url)), ".."));
const folder = mkdtempSync(join(tmpdir(), "gw-docker-"));
const say = (line) => process.stdout.write(`${line}\n`);

try {
  lint();
  const image = build();
  say(
    `the image's files: ${megabytes(image.root)} MB, of which packages ${megabytes(join(image.root, image.workdir, "node_modules"))} MB`,
  );
  await run(image);
  say("The Dockerfile is carried out, and what it makes is healthy.");
} catch (error) {
  say(`FAILED: ${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function lint() {
  const done = spawnSync("hadolint", ["Dockerfile"], { encoding: "utf8" });
  if (done.error) return say("not linted: there is no hadolint on the PATH");
  if (done.status !== 0) throw new Error(`hadolint: ${done.stdout}${done.stderr}`);
  say("linted by hadolint");
}

function build() {
  const stages = new Map();
  let stage = null;
  for (const { name, value, flags, json } of instructionsOf(readFileSync("Dockerfile", "utf8"))) {
    say(`${name} ${value}`);
    if (name === "FROM") {
      const [, alias = `stage ${stages.size}`] = /\sAS\s+(\S+)$/i.exec(value) ?? [];
      stage = { root: join(folder, `${stages.size}`), workdir: "/", env: {}, command: null, health: null };
      mkdirSync(stage.root);
      stages.set(alias, stage);
    } else if (name === "WORKDIR") {
      stage.workdir = value;
      mkdirSync(join(stage.root, value), { recursive: true });
    } else if (name === "ENV") {
      Object.assign(stage.env, Object.fromEntries(value.split(/\s+/).map((pair) => pair.split(/=(.*)/s).slice(0, 2))));
    } else if (name === "COPY") copy(stage, value.split(/\s+/), stages.get(flags.from));
    else if (name === "RUN") runStep(stage, value);
    else if (name === "CMD") stage.command = json;
    else if (name === "HEALTHCHECK") stage.health = JSON.parse(value.slice(value.indexOf("[")));
    else if (!["USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "LABEL"].includes(name))
      throw new Error(`${name} is not known here`);
  }
  return stage;
}

function copy(stage, words, from) {
  const target = words.at(-1);
  const inStage = (path, { root, workdir }) => join(root, isAbsolute(path) ? path : join(workdir, path));
  for (const source of words.slice(0, -1)) {
    const to = inStage(target, stage);
    const path = from ? inStage(source, from) : resolve(source);
    if (!existsSync(path)) throw new Error(`COPY: ${source} is not there`);
    if (!from && statSync(path).isDirectory()) copyContext(to);
    else if (statSync(path).isDirectory()) cpSync(path, to, { recursive: true, verbatimSymlinks: true });
    else cpSync(path, target.endsWith("/") ? join(to, source) : to);
  }
}

/** Copies the context of `docker build`: the files that git tracks or would add, without those in .dockerignore. */
function copyContext(to) {
  const rules = readFileSync(".dockerignore", "utf8");
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" });
  for (const path of files.trim().split("\n")) {
    if (!isIgnored(path, rules) && existsSync(path)) cpSync(path, join(to, path));
  }
}

function runStep({ root, workdir, env }, command) {
  if (/(^|\s)\/\w/.test(command)) return say("  not run: it changes the file system of the image");
  const done = spawnSync("sh", ["-c", command], {
    cwd: join(root, workdir),
    env: cleanEnvironment(env),
    encoding: "utf8",
  });
  if (done.status !== 0) throw new Error(`${command}: ${done.stdout}${done.stderr}`);
}

async function run({ root, workdir, env, command, health }) {
  const port = await freePort();
  const dataDir = join(folder, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  const settings = cleanEnvironment({ ...env, PORT: String(port), HOST: "127.0.0.1", DATA_DIR: dataDir });
  const cwd = join(root, workdir);
  let output = "";
  const server = spawn(command[0], command.slice(1), { cwd, env: settings, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (text) => (output += text));
  const ended = new Promise((done) => server.once("exit", done));
  try {
    let healthy = false;
    for (let tries = 0; tries < 240 && !healthy && server.exitCode === null; tries += 1) {
      await pause(500);
      healthy = spawnSync(health[0], health.slice(1), { cwd, env: settings }).status === 0;
    }
    if (!healthy) throw new Error(`the health check never passed:\n${output}`);
    const ready = await fetch(`http://127.0.0.1:${port}/health?ready`);
    const page = await fetch(`http://127.0.0.1:${port}/login`);
    if (!ready.ok || !page.ok) throw new Error(`ready ${ready.status}, /login ${page.status}`);
    say("started: the health check, /health?ready and /login answer");
  } finally {
    server.kill("SIGTERM");
  }
  if ((await ended) !== 0) throw new Error(`after SIGTERM it did not end with 0:\n${output}`);
  say("stopped by SIGTERM with exit code 0");
}

/** The environment of a container: none of this shell's variables except PATH and npm's settings. */
function cleanEnvironment(env) {
  const kept = Object.entries(process.env).filter(([name]) => name === "PATH" || /^npm_config_/i.test(name));
  return { ...Object.fromEntries(kept), HOME: process.env.HOME ?? folder, ...env };
}

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

function megabytes(path) {
  const sizes = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1_048_576);
}
