// Prepares a fresh clone for a command: node scripts/prepare.mjs start|dev|build|test. Imports only Node's modules,
// because it runs before packages are installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { chromiumForTests } from "./chromium.mjs";

const MIN_NODE_VERSION = [20, 19];
const purpose = process.argv[2] ?? "build";
process.chdir(join(dirname(fileURLToPath(import.meta.url)), ".."));

refuseOldNode();
install();
generateClient();
if (purpose !== "dev") build();
if (purpose === "test") chromiumForTests({ download: true, say });

function refuseOldNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > MIN_NODE_VERSION[0] || (major === MIN_NODE_VERSION[0] && minor >= MIN_NODE_VERSION[1])) return;
  stop(`Node ${MIN_NODE_VERSION.join(".")} or newer is needed, this is ${process.versions.node}.`);
}

function install() {
  if (isInstalled()) return;
  say("Installing packages …");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const options = ["ci", "--ignore-scripts", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  run(npm, options, { shell: process.platform === "win32" });
}

/** Whether npm's record of node_modules has the same packages and versions as package-lock.json. */
function isInstalled() {
  if (!existsSync("node_modules/.package-lock.json")) return false;
  const read = (path) => JSON.parse(readFileSync(path, "utf8")).packages;
  const [wanted, there] = [read("package-lock.json"), read("node_modules/.package-lock.json")];
  // Optional packages of other systems are in the lock file, but not installed.
  const isMissing = ([path, { version, optional }]) =>
    path !== "" && there[path]?.version !== version && !(optional && there[path] === undefined);
  return !Object.entries(wanted).some(isMissing);
}

function generateClient() {
  const sources = [...filesUnder("prisma/schema"), "node_modules/prisma/package.json"];
  const state = hashOf(sources, (path) => readFileSync(path));
  if (isStamped("app/generated/.gw-generated", state)) return;
  say("Generating the database client …");
  // The command searches for an engine that `generate` does not use; any program satisfies it and saves a download.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: "1" };
  run(process.execPath, ["node_modules/prisma/build/index.js", "generate"], { env, quiet: true });
  mkdirSync("app/generated", { recursive: true });
  writeFileSync("app/generated/.gw-generated", state);
}

function build() {
  const settings = ["package-lock.json", "vite.config.ts", "react-router.config.ts", "tsconfig.json"];
  const sources = [...filesUnder("app"), ...filesUnder("public"), ...settings.filter(existsSync)];
  const state = hashOf(
    sources.filter((path) => !/\.test\.tsx?$|__fixtures__/.test(path)),
    (path) => `${statSync(path).size} ${statSync(path).mtimeMs}`,
  );
  if (isStamped("build/.gw-built", state) && existsSync("build/server/index.js")) return;
  say("Building …");
  const env = { ...process.env, NODE_ENV: "production" };
  // Most objects of a build are short-lived: a larger young generation needs fewer collections.
  run(process.execPath, ["--max-semi-space-size=64", "node_modules/@react-router/dev/bin.js", "build"], {
    env,
    quiet: true,
  });
  writeFileSync("build/.gw-built", state);
}

/** Runs a command; a quiet one prints its output only if it fails. */
function run(command, options, { quiet = false, ...more } = {}) {
  const done = spawnSync(command, options, { stdio: quiet ? "pipe" : "inherit", encoding: "utf8", ...more });
  if (done.status === 0) return;
  if (quiet) process.stderr.write(`${done.stdout ?? ""}${done.stderr ?? ""}`);
  stop(
    done.error
      ? `${command} could not be started: ${done.error.message}`
      : `${[command, ...options].join(" ")} failed.`,
  );
}

function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.name.startsWith("."));
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}

function hashOf(paths, content) {
  const hash = createHash("sha256");
  for (const path of paths.toSorted()) hash.update(`${path}\n`).update(content(path)).update("\n");
  return hash.digest("hex");
}

function isStamped(path, state) {
  return existsSync(path) && readFileSync(path, "utf8") === state;
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

function stop(line) {
  say(line);
  process.exit(1);
}
