import { createServer } from "node:http";
import { log } from "~/observe/log.server";
import { type Gauge, startMetrics, stopMetrics } from "~/observe/metrics.server";

/**
 * Starts counting, and serves `GET /metrics` on a port of its own without authentication. Returns its port, and
 * `close`, which stops it. Port 0: any free port.
 * @throws the system's error when the port is in use.
 */
export async function serveMetrics(
  { host, port }: { host: string | undefined; port: number },
  gauges: readonly Gauge[],
): Promise<{ port: number; close: () => Promise<void> }> {
  const { read, contentType } = await startMetrics(gauges);
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    const [path] = (incoming.url ?? "").split("?");
    if (path !== "/metrics") return void outgoing.writeHead(404).end();
    if (incoming.method !== "GET" && incoming.method !== "HEAD")
      return void outgoing.writeHead(405, { allow: "GET, HEAD" }).end();
    read().then(
      (text) => outgoing.writeHead(200, { "content-type": contentType, "cache-control": "no-store" }).end(text),
      (error) => {
        log.error({ err: error }, "metrics could not be read");
        outgoing.writeHead(500).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        stopMetrics();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
