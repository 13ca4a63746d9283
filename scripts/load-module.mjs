import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Calls `work` with a function that imports TypeScript modules of the application, for commands that run beside the
 * server.
 */
export async function withModules(work) {
  const vite = await createServer({
    root,
    configFile: false,
    appType: "custom",
    logLevel: "error",
    resolve: { alias: { "~": `${root}app` } },
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  });
  try {
    return await work((path) => vite.ssrLoadModule(`/${path}`));
  } finally {
    await vite.close();
  }
}
