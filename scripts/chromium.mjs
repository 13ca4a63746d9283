// Finds a Chromium for the browser tests. Imported before packages are installed, so it uses Node itself only.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/**
 * The path of a Chromium: CHROMIUM_PATH, an installed one, else Playwright's own. Null when there is none. With `install`,
 * Playwright's is downloaded, and where that fails Debian's package is installed, if this is root.
 */
export function chromiumForTests({ install = false, say = () => undefined } = {}) {
  const found = installed() ?? playwrights();
  if (found !== null || !install) return found;
  say("Looking for a Chromium for the browser tests …");
  spawnSync(process.execPath, ["node_modules/@playwright/test/cli.js", "install", "chromium"], {
    stdio: "ignore",
    timeout: 180_000,
  });
  const downloaded = playwrights();
  if (downloaded !== null) return downloaded;
  if (process.getuid?.() === 0 && onPath("apt-get") !== null) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync("apt-get", ["update", "-qq"], { stdio: "ignore", env });
    spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], { stdio: "ignore", env });
  }
  const packaged = installed();
  if (packaged === null)
    say("There is no Chromium, so the browser tests are skipped. Install one, or set CHROMIUM_PATH.");
  return packaged;
}

function installed() {
  const named = process.env.CHROMIUM_PATH;
  if (named) return named;
  for (const name of NAMES) {
    const path = onPath(name);
    if (path !== null) return path;
  }
  return existsSync(MAC) ? MAC : null;
}

function playwrights() {
  const script = 'process.stdout.write(require("playwright-core").chromium.executablePath())';
  const asked = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
  return asked.status === 0 && existsSync(asked.stdout) ? asked.stdout : null;
}

function onPath(name) {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // Not in this folder.
    }
  }
  return null;
}
