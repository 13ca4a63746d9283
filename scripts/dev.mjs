// The development server: the production process with Vite in front, so that changes take effect at once.
import process from "node:process";
import { createServer } from "vite";

const ENTRY = "/app/server.ts";
const PAGES = "virtual:react-router/server-build";

process.env.NODE_ENV ||= "development";
const devServer = await createServer({ server: { middlewareMode: true }, appType: "custom" });
const modules = devServer.environments.ssr.moduleGraph;

let running = await begin(await load());
let turn = Promise.resolve();
devServer.watcher.on("change", (file) => {
  if (!isOfTheProcess(file)) return;
  // Vite does the same, but possibly after the restart.
  modules.onFileChange(file);
  turn = turn.then(restart);
});

/**
 * Whether a change needs a restart: Vite reloads pages, but resources of the process, such as its database, would be
 * lost with their module.
 */
function isOfTheProcess(file) {
  const seen = new Set(modules.getModulesByFile(file));
  for (const module of seen) {
    if (module.url === ENTRY) return true;
    if (!module.url.includes(PAGES)) for (const user of module.importers) seen.add(user);
  }
  return false;
}

async function restart() {
  // All modules run again; only changed ones are transformed again.
  const [seen, now] = [new Set(), Date.now()];
  for (const module of modules.idToModuleMap.values()) modules.invalidateModule(module, seen, now, false, true);
  // If loading fails, the process keeps running until the next change.
  const start = await load().catch((problem) => devServer.ssrFixStacktrace(problem) ?? console.error(problem));
  if (start === undefined) return;
  await running.stop();
  running = await begin(start);
}

async function load() {
  return (await devServer.ssrLoadModule(ENTRY)).start;
}

async function begin(start) {
  try {
    return await start({ devServer });
  } catch (error) {
    // A configuration error is printed as one line; any other error is a bug, printed with its stack.
    process.stderr.write(`${error?.name === "ConfigError" ? error.message : error?.stack}\n`);
    process.exit(1);
  }
}
