// npm run test:agents: runs unmodified coding agents from npm and PyPI against gw. They are installed into a temporary
// folder, not into this project. If those of npm cannot be installed the run fails, except with --if-available; agents
// in Python are skipped if they cannot be installed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { fillEnvironment } from "../python/environment.mjs";

const AGENTS = JSON.stringify({
  private: true,
  dependencies: {
    "@anthropic-ai/claude-code": "2.1.197",
    "@continuedev/cli": "1.5.47",
    "@openai/codex": "0.169.0",
    "opencode-ai": "1.18.33",
  },
});
const PYTHON_AGENTS = ["aider-chat==0.86.2"];
const folder = process.env.GW_AGENTS_DIR ?? join(tmpdir(), "gw-agents");

process.chdir(join(dirname(fileURLToPath(import.meta.url)), "../.."));
const given = process.argv.slice(2);
const isOptional = given.includes("--if-available");
if (!isInstalled(".installed", AGENTS) && !install()) {
  const consequence = isOptional ? "their tests are skipped" : "nothing was tested";
  process.stdout.write(`The coding agents could not be fetched from npm: ${consequence}.\n`);
  process.exit(isOptional ? 0 : 1);
}
if (!isInstalled(".installed-python", PYTHON_AGENTS.join())) installPython();
const tests = ["node_modules/vitest/vitest.mjs", "run", "--config", "tests/agents/vitest.config.ts"];
const { status } = spawnSync(
  process.execPath,
  [...tests, ...given.filter((argument) => argument !== "--if-available")],
  {
    stdio: "inherit",
    env: { ...process.env, GW_AGENTS_DIR: folder },
  },
);
process.exit(status ?? 1);

function isInstalled(stamp, what) {
  return existsSync(join(folder, stamp)) && readFileSync(join(folder, stamp), "utf8") === what;
}

function installPython() {
  process.stdout.write(`Fetching ${PYTHON_AGENTS.join(", ")} …\n`);
  const reason = fillEnvironment(join(folder, "python"), PYTHON_AGENTS);
  if (reason === null) writeFileSync(join(folder, ".installed-python"), PYTHON_AGENTS.join());
  else process.stdout.write(`Their sessions are skipped: ${reason}.\n`);
}

function install() {
  process.stdout.write(`Fetching the coding agents into ${folder} …\n`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), AGENTS);
  const options = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  if (spawnSync("npm", options, { cwd: folder, stdio: "inherit", shell: process.platform === "win32" }).status !== 0)
    return false;
  writeFileSync(join(folder, ".installed"), AGENTS);
  return true;
}
