// The development server: the same process as in production, with Vite in front, so that changes show at once.
import process from "node:process";
import { createServer } from "vite";

process.env.NODE_ENV ??= "development";
const devServer = await createServer({ server: { middlewareMode: true }, appType: "custom" });
const { start } = await devServer.ssrLoadModule("/app/server.ts");
await start({ devServer });
