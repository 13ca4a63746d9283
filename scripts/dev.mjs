// The development server: the same process as in production, with Vite in front, so that changes show at once.
import process from "node:process";
import { createServer } from "vite";

const ENTRY = "/app/server.ts";
const PAGES = "virtual:react-router/server-build";

process.env.NODE_ENV ??= "development";
const devServer = await createServer({ server: { middlewareMode: true }, appType: "custom" });
const modules = devServer.environments.ssr.moduleGraph;

let running = await begin(await load());
let turn = Promise.resolve();
devServer.watcher.on("change", (file) => {
  if (isOfTheProcess(file)) turn = turn.then(restart);
});

/** Pages are loaded anew by Vite; what the process has started, such as its database, would be lost with its module. */
function isOfTheProcess(file) {
  const seen = new Set(modules.getModulesByFile(file));
  for (const module of seen) {
    if (module.url === ENTRY) return true;
    if (!module.url.includes(PAGES)) for (const user of module.importers) seen.add(user);
  }
  return false;
}

async function restart() {
  modules.invalidateAll();
  // What cannot be loaded is put right by the next change; until then the process stays as it is.
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
    // What the operator has to change is one line; anything else is a fault of the program, with its trace.
    process.stderr.write(`${error?.name === "ConfigError" ? error.message : error?.stack}\n`);
    process.exit(1);
  }
}
