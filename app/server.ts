import { createServer, type RequestListener, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import type { ServerBuild } from "react-router";
import type { ViteDevServer } from "vite";
import { checkIdentityProviders } from "./access/sign-in/check-providers.server";
import { bootstrap } from "./bootstrap.server";
import { prepareDataFolder } from "./config/data-folder";
import { type Config, ConfigError, config, environmentVariable, loadConfig } from "./config.server";
import { startBus, stopBus } from "./connection/bus.server";
import { startIsOver } from "./connection/db.server";
import { whenReachable } from "./database/await-database";
import { projectFile } from "./database/project-files";
import { closeDatabase, startDatabase } from "./database/start.server";
import { startAccounting, stopAccounting } from "./domain/accounting/index.server";
import { catalogueOf, startCatalogue, watchCatalogue } from "./domain/catalogue/index.server";
import { startCredentials, stopCredentials } from "./domain/credentials/index.server";
import { apiError } from "./errors/app-error";
import { gatewayErrorResponse } from "./errors/envelope";
import { runBatches } from "./gateway/batches/run";
import { callsInFlight } from "./gateway/call-record";
import { openStreams } from "./gateway/deliver/open-streams";
import { flushRejections } from "./gateway/log/rejection-log";
import { closePools } from "./gateway/suppliers/toolkit/connection/pools";
import { setEgressProxy } from "./gateway/suppliers/toolkit/connection/proxy";
import { oneByOne } from "./http/body/one-by-one";
import { boundRequest, discardRest } from "./http/body/slow-body";
import { portalHandler } from "./http/portal-handler";
import type { Connection } from "./http/server/connection";
import { beginDrain, isDraining } from "./http/server/drain";
import { gatewayDispatch } from "./http/server/gateway-dispatch";
import { serveMetrics } from "./http/server/metrics-listener";
import { countRequest, requestsInFlight } from "./http/server/requests-in-flight";
import { answerUnreadable, completeRequests, refuse } from "./http/server/unreadable-request";
import { startJobs, stopJobs } from "./jobs/index.server";
import { startMail, stopMail } from "./mail/outbox.server";
import { GAUGES } from "./metrics-gauges.server";
import { log } from "./observe/log.server";
import { startTracing, stopTracing } from "./observe/tracing.server";
import { handleUnhandledRejections } from "./observe/unhandled-rejections.server";

/**
 * A running gateway: its URL, and a function that stops it. For `noticeMs` it continues to listen, and answers new
 * requests that it is draining; a closed port would give clients no reason.
 */
export type Running = { url: string; stop(options?: { noticeMs?: number }): Promise<void> };

/** Maximum time in milliseconds to settle the streams that a drain has cut. */
const SETTLE_MS = 10_000;
const PARENT = process.ppid;
const PARENT_CHECK_MS = 500;

/**
 * Starts the whole process: configuration, database and migrations, accounting, catalogue, first start, HTTP. An
 * invalid setting ends it with one line. SIGTERM and SIGINT drain it: no new requests, streams finish or are cut, all
 * calls are settled, exit 0. SIGTERM, which process managers send, also leaves load balancers time to notice.
 */
export async function start(options: { devServer?: ViteDevServer } = {}): Promise<Running> {
  try {
    prepareDataFolder(loadConfig().dataDir);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
  const settings = config();
  setEgressProxy(settings.egressProxy);
  if (settings.tracesTo !== null) await startTracing();
  const { limits } = settings;
  // Report a mistake in the catalogue file before anything starts.
  const catalogueFile = await catalogueOf(settings);
  // Open the port first: keys that are shown only once must not be created by a start-up that fails afterwards.
  const front = await listen(settings);
  const database = { name: "the database", waitMs: settings.databaseWaitMs };
  await startDatabase(settings, { waitMs: settings.databaseWaitMs, isStarting: true });
  await startBus();
  await startAccounting({ dataDir: settings.dataDir, leaseMs: limits.holdLeaseSeconds * 1_000 });
  await whenReachable(database, () => startCatalogue(catalogueFile));
  startCredentials();
  startMail();
  const measured = await measure(settings);
  const listener = await listenerOf(settings, options.devServer);
  // Print the banner directly after `bootstrap`, because its keys are shown only once. No retry, because a second run
  // creates no keys.
  const first = await whenReachable({ ...database, waitMs: 0 }, () => bootstrap(settings));
  process.stdout.write(first.startupBanner);
  const { server } = front;
  front.open(listener);
  startIsOver();
  // Jobs start last: on a slow machine they would compete with start-up for connections and processor time.
  startJobs({ holdLeaseMs: limits.holdLeaseSeconds * 1_000, runBatches });
  void checkIdentityProviders();
  const running: Running = {
    url: settings.baseUrl,
    stop: async ({ noticeMs = 0 } = {}) => {
      await stop(server, limits.drainTimeoutMs, noticeMs);
      await measured?.close();
    },
  };
  const forget = [
    stopOnSignals(running, limits.drainNoticeMs),
    watchCatalogue(settings, catalogueFile),
    handleUnhandledRejections(),
  ];
  return { ...running, stop: (options) => running.stop(options).finally(() => forget.forEach((each) => void each())) };
}

/** Answers requests: the gateway's URLs first, then the portal's. */
async function listenerOf(settings: Config, devServer?: ViteDevServer): Promise<RequestListener> {
  const readBuild = async (): Promise<ServerBuild> =>
    devServer
      ? ((await devServer.ssrLoadModule("virtual:react-router/server-build")) as ServerBuild)
      : ((await import("virtual:react-router/server-build")) as unknown as ServerBuild);
  const gateway = gatewayDispatch(devServer ? readBuild : await readBuild());
  const builtFiles = projectFile("build/client");
  const development = devServer !== undefined;
  const portal = portalHandler({ readBuild, builtFiles, development, proxies: settings.trustProxy });
  const { requestTimeoutMs, headerCount } = settings.limits;
  const answering = getRequestListener(
    (request, { incoming, outgoing }) => {
      const connection = { incoming, outgoing } as Connection;
      if (isDraining()) connection.outgoing.shouldKeepAlive = false;
      // Requests whose body the gateway reads have time limits of their own.
      const isRead = incoming.method === "GET" || incoming.method === "HEAD";
      if (isRead) boundRequest(connection, requestTimeoutMs);
      else discardRest(connection, requestTimeoutMs);
      const answered = gateway(request, connection);
      if (answered !== undefined) return answered;
      countRequest(connection);
      if (!isRead) boundRequest(connection, requestTimeoutMs);
      return portal(request, connection);
    },
    // HTTP/1.0 health checks send no Host header. The library would reset an upload half a second after its response.
    { hostname: "localhost", errorHandler, autoCleanupIncoming: false },
  );
  const listener = oneByOne(completeRequests(answering, headerCount));
  if (!devServer) return listener;
  return (incoming, outgoing) => devServer.middlewares(incoming, outgoing, () => void listener(incoming, outgoing));
}

/** Responds to a request with an unreadable URL or host, and to errors without another handler. */
function errorHandler(error: unknown): Response {
  if (error instanceof Error && error.name === "RequestError") {
    return gatewayErrorResponse(
      apiError("invalid_request", { userMessage: "The address of the request cannot be read." }),
    );
  }
  log.error({ err: error }, "a request could not be answered");
  return gatewayErrorResponse(error);
}

/** Opens the port. Until `open` is called, every request is answered with a retry after one second. */
async function listen(settings: Config): Promise<{ server: Server; open(listener: RequestListener): void }> {
  const { limits } = settings;
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    // The gateway and the portal apply shorter limits to all requests except uploads.
    requestTimeout: Math.max(limits.uploadTimeoutMs, limits.requestTimeoutMs, limits.headersTimeoutMs),
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: 2_000,
    requireHostHeader: false,
  });
  // One more than allowed, so that an excess header is detected.
  server.maxHeadersCount = limits.headerCount + 1;
  answerUnreadable(server);
  server.on("request", notYet);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const { port, host } = settings;
      reject(
        new ConfigError(
          error.code === "EADDRINUSE"
            ? `Port ${port} on ${host} is taken. Set PORT to another one.`
            : `The server cannot listen on HOST ${host}, PORT ${port}: ${error.message}`,
        ),
      );
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

/** Serves the metrics; null when they are not configured. */
async function measure({ host, metricsPort: port }: Config): Promise<{ close(): Promise<void> } | null> {
  if (port === null) return null;
  return serveMetrics({ host, port }, GAUGES).catch((error: Error) => {
    throw new ConfigError(`GW_METRICS_PORT ${port} on ${host} cannot be listened on: ${error.message}`);
  });
}

const notYet: RequestListener = (_incoming, outgoing) =>
  refuse(outgoing, apiError("service_unavailable", { userMessage: "The gateway is starting.", retryAfterSeconds: 1 }));

async function stop(server: Server, drainTimeoutMs: number, noticeMs: number): Promise<void> {
  const until = Date.now() + drainTimeoutMs;
  beginDrain();
  if (noticeMs > 0) await sleep(Math.min(noticeMs, drainTimeoutMs));
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  if (!(await idle(until))) {
    const pending = { streams: openStreams.count(), requests: requestsInFlight(), calls: callsInFlight() };
    log.warn(pending, "cutting what is still open");
    openStreams.drain();
    await idle(Date.now() + SETTLE_MS);
  }
  server.closeAllConnections();
  await closed;
  await stopJobs();
  await closePools();
  await stopCredentials();
  await stopMail();
  await flushRejections();
  await stopTracing();
  await stopAccounting();
  await stopBus();
  await closeDatabase();
}

/** Waits until no call and no request is in flight, at most until `untilMs`. */
async function idle(untilMs: number): Promise<boolean> {
  while (callsInFlight() + requestsInFlight() > 0) {
    if (Date.now() > untilMs) return false;
    await sleep(25);
  }
  return true;
}

/** Drains on signals. Returns a function that removes the listeners. */
function stopOnSignals(running: Running, noticeMs: number): () => void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    // Ignore further signals, so that they do not interrupt the settlement.
    if (stopping) return;
    stopping = true;
    log.info({ signal }, "draining");
    running.stop({ noticeMs: signal === "SIGTERM" ? noticeMs : 0 }).then(
      () => process.exit(0),
      (error) => {
        log.error({ err: error }, "the process could not stop cleanly");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  // npm sends a signal only to the shell between npm and this process, and the shell ends without forwarding it.
  const isBelowNpm = environmentVariable("npm_lifecycle_event") !== undefined;
  const watch = setInterval(
    () => isBelowNpm && process.ppid !== PARENT && onSignal("SIGTERM"),
    PARENT_CHECK_MS,
  ).unref();
  return () => {
    process.off("SIGTERM", onSignal);
    process.off("SIGINT", onSignal);
    clearInterval(watch);
  };
}
