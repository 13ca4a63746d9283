// Portkey's gateway, for comparison: a proxy for the same suppliers without accounting. Installed from npm.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// Newer versions of its server library pass it immutable headers, and every stream fails.
const PACKAGE = {
  private: true,
  dependencies: { "@portkey-ai/gateway": "1.15.2" },
  overrides: { "@hono/node-server": "1.13.8" },
};

/** Installs and starts it. Resolves with its process and its end; null if the installation fails. */
export async function startPortkey(parent, port) {
  const folder = join(parent, "portkey");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify(PACKAGE));
  const options = ["install", "--ignore-scripts", "--no-audit", "--no-fund"];
  if (spawnSync("npm", options, { cwd: folder, stdio: "ignore" }).status !== 0) return null;
  const child = spawn(
    process.execPath,
    ["node_modules/@portkey-ai/gateway/build/start-server.js", "--headless", `--port=${port}`],
    { cwd: folder, stdio: "ignore", env: { ...process.env, NODE_ENV: "production" } },
  );
  for (let tries = 0; tries < 300; tries += 1) {
    if (await fetch(`http://127.0.0.1:${port}/`).catch(() => null))
      return { pid: child.pid, end: () => child.kill("SIGKILL") };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill("SIGKILL");
  return null;
}
