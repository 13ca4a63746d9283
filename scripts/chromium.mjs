// Finds a Chromium for the browser tests. Runs before packages are installed, so it imports only Node's modules.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

const ADVICE = `There is no Chromium, so the browser tests cannot run. Any of these helps:
  npx playwright install --with-deps chromium      Playwright's own, with the libraries that it needs
  apt-get install chromium                         Debian's package
  CHROMIUM_PATH=/path/of/a/chromium                one that is there already`;

/**
 * Returns the path of a Chromium: CHROMIUM_PATH, an installed one, else Playwright's own; null: none. With `download`,
 * fetches Playwright's into the user's cache, and prints the remaining steps. Installs nothing.
 */
export function chromiumForTests({ download = false, say = () => undefined } = {}) {
  const found = installed() ?? playwrights();
  if (found !== null || !download) return found;
  say("Downloading Playwright's Chromium for the browser tests …");
  spawnSync(process.execPath, ["node_modules/@playwright/test/cli.js", "install", "chromium"], {
    stdio: "ignore",
    timeout: 180_000,
  });
  const downloaded = playwrights();
  if (downloaded === null) say(ADVICE);
  return downloaded;
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
