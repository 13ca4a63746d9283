// npm run test:agents: the coding agents that npm ships for this platform, unchanged, against gw. They are fetched into a
// folder of their own beside the temporary files and not into this project. Where they cannot be had the run fails, unless
// it is told --if-available.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const AGENTS = JSON.stringify({
  private: true,
  dependencies: {
    "@anthropic-ai/claude-code": "2.1.197",
    "@continuedev/cli": "1.5.47",
    "@openai/codex": "0.169.0",
    "opencode-ai": "1.18.33",
  },
});
const folder = process.env.GW_AGENTS_DIR ?? join(tmpdir(), "gw-agents");

process.chdir(join(dirname(fileURLToPath(import.meta.url)), "../.."));
const given = process.argv.slice(2);
const isOptional = given.includes("--if-available");
if (!isInstalled() && !install()) {
  const consequence = isOptional ? "their tests are skipped" : "nothing was tested";
  process.stdout.write(`The coding agents could not be fetched from npm: ${consequence}.\n`);
  process.exit(isOptional ? 0 : 1);
}
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

function isInstalled() {
  const stamp = join(folder, ".installed");
  return existsSync(stamp) && readFileSync(stamp, "utf8") === AGENTS;
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
