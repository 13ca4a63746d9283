import { createServer, type RequestListener, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { ServerBuild } from "react-router";
import type { ViteDevServer } from "vite";
import { bootstrap } from "./bootstrap.server";
import { startBus, stopBus } from "./bus.server";
import { type Config, ConfigProblem, config, loadConfig } from "./config.server";
import { closeDatabase, startDatabase } from "./database/start.server";
import { startAccounting, stopAccounting } from "./domain/accounting/index.server";
import { startCatalogue } from "./domain/catalogue/index.server";
import { startCredentials, stopCredentials } from "./domain/credentials/index.server";
import { refusal } from "./errors/app-error";
import { errorEnvelope, errorHeaders } from "./errors/envelope";
import { callsUnderWay } from "./gateway/call-record";
import { openStreams } from "./gateway/open-streams";
import { closePools } from "./gateway/suppliers/toolkit/pools";
import { startUpkeep, stopUpkeep } from "./gateway/upkeep";
import type { Connection } from "./http/connection";
import { beginDrain } from "./http/drain";
import { gatewayDispatch } from "./http/gateway-dispatch";
import { portalHandler } from "./http/portal-handler";
import { boundBody } from "./http/slow-body";
import { log } from "./log.server";
import { startMail, stopMail } from "./mail/outbox.server";

/** A running gateway: where it listens, and how to stop it. */
export type Running = { url: string; stop(): Promise<void> };

/** How long streams that were cut in a drain have to settle. */
const SETTLE_MS = 10_000;

/**
 * Starts the whole process: configuration, database and migrations, accounting, catalogue, first start, HTTP. An
 * impossible setting ends it with one line. SIGTERM and SIGINT drain it: no new work, streams finish or are cut, all is
 * settled, exit 0.
 */
export async function start(options: { devServer?: ViteDevServer } = {}): Promise<Running> {
  try {
    loadConfig();
  } catch (problem) {
    if (!(problem instanceof ConfigProblem)) throw problem;
    process.stderr.write(`${problem.message}\n`);
    process.exit(1);
  }
  const settings = config();
  const { limits } = settings;
  // The port comes first: keys that are made and shown only once must not be made by a start that fails behind them.
  const front = await listen(settings);
  await startDatabase(settings);
  await startBus();
  await startAccounting({ dataDir: settings.dataDir, leaseMs: limits.holdLeaseSeconds * 1_000 });
  await startCatalogue(settings);
  startCredentials();
  startMail();
  startUpkeep();
  const first = await bootstrap(settings);
  const { server } = front;
  front.open(await listenerOf(settings, options.devServer));
  process.stdout.write(first.greeting);
  const running: Running = { url: settings.baseUrl, stop: () => stop(server, limits.drainTimeoutMs) };
  stopOnSignals(running);
  return running;
}

/** Answers requests: the gateway's URLs first, then the portal's. */
async function listenerOf(settings: Config, devServer?: ViteDevServer): Promise<RequestListener> {
  const readBuild = async (): Promise<ServerBuild> =>
    devServer
      ? ((await devServer.ssrLoadModule("virtual:react-router/server-build")) as ServerBuild)
      : ((await import("virtual:react-router/server-build")) as unknown as ServerBuild);
  const gateway = gatewayDispatch(devServer ? readBuild : await readBuild());
  const portal = portalHandler({ readBuild, development: devServer !== undefined, proxies: settings.trustProxy });
  const listener = getRequestListener((request, { incoming, outgoing }) => {
    const connection = { incoming, outgoing } as Connection;
    return gateway(request, connection) ?? portal(request, inTime(connection, settings.limits.requestTimeoutMs));
  });
  if (!devServer) return listener;
  return (incoming, outgoing) => devServer.middlewares(incoming, outgoing, () => void listener(incoming, outgoing));
}

/** A portal request whose body does not come in time is cut off. */
function inTime(connection: Connection, withinMs: number): Connection {
  const { incoming, outgoing } = connection;
  const hasBody = incoming.headers["transfer-encoding"] !== undefined || Number(incoming.headers["content-length"]) > 0;
  if (hasBody)
    outgoing.once(
      "close",
      boundBody(connection, withinMs, () => incoming.destroy()),
    );
  return connection;
}

/** Takes the port. Until `open` is called every request is told to come back in a second. */
async function listen(settings: Config): Promise<{ server: Server; open(listener: RequestListener): void }> {
  const { limits } = settings;
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    // The gateway and the portal have a shorter time of their own for everything that is no upload.
    requestTimeout: Math.max(limits.uploadTimeoutMs, limits.requestTimeoutMs, limits.headersTimeoutMs),
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 2_000,
  });
  server.maxHeadersCount = limits.headerCount;
  server.on("request", notYet);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (problem: NodeJS.ErrnoException) => {
      if (problem.code !== "EADDRINUSE") return reject(problem);
      process.stderr.write(`Port ${settings.port} on ${settings.host} is taken. Set PORT to another one.\n`);
      process.exit(1);
    });
    server.listen(settings.port, settings.host, resolve);
  });
  return {
    server,
    open: (listener) => {
      server.off("request", notYet);
      server.on("request", listener);
    },
  };
}

const notYet: RequestListener = (_incoming, outgoing) => {
  const problem = refusal("service_unavailable", { human: "The gateway is starting.", retryAfterSeconds: 1 });
  outgoing.writeHead(problem.status, {
    ...errorHeaders(problem),
    "content-type": "application/json",
    connection: "close",
  });
  outgoing.end(JSON.stringify(errorEnvelope(problem)));
};

async function stop(server: Server, drainTimeoutMs: number): Promise<void> {
  beginDrain();
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  if (!(await idle(drainTimeoutMs))) {
    log.warn({ streams: openStreams.count() }, "cutting the streams that are still open");
    openStreams.drain();
    await idle(SETTLE_MS);
  }
  server.closeAllConnections();
  await closed;
  await closePools();
  await stopCredentials();
  await stopMail();
  await stopUpkeep();
  await stopAccounting();
  await stopBus();
  await closeDatabase();
}

/** Waits until no call is under way, at most `patienceMs`. */
async function idle(patienceMs: number): Promise<boolean> {
  const until = Date.now() + patienceMs;
  while (callsUnderWay() > 0) {
    if (Date.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return true;
}

function stopOnSignals(running: Running): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    // A second signal does not skip the settlement of the first.
    if (stopping) return;
    stopping = true;
    log.info({ signal }, "draining");
    running.stop().then(
      () => process.exit(0),
      (problem) => {
        log.error({ err: problem }, "the process could not stop cleanly");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}
