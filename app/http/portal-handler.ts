import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { createRequestHandler, type ServerBuild } from "react-router";

/**
 * Everything that is not the gateway's: built files, then React Router. `readBuild` is asked once, or for every request
 * in development.
 */
export function portalHandler(
  readBuild: () => Promise<ServerBuild>,
  development: boolean,
): (request: Request) => Promise<Response> {
  const app = new Hono();
  if (!development) {
    app.use(
      "/assets/*",
      serveStatic({
        root: "./build/client",
        onFound: (_path, c) => c.header("cache-control", "public, max-age=31536000, immutable"),
      }),
    );
    app.use(
      "*",
      serveStatic({ root: "./build/client", onFound: (_path, c) => c.header("cache-control", "public, max-age=3600") }),
    );
  }
  let handler: ReturnType<typeof createRequestHandler> | null = null;
  app.all("*", async (c) => {
    if (handler === null || development)
      handler = createRequestHandler(await readBuild(), development ? "development" : "production");
    return handler(c.req.raw);
  });
  return async (request) => app.fetch(request);
}
