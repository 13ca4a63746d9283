import { type Dispatcher, Pool } from "undici";
import type { Supplier } from "~/domain/catalogue/shared";
import { connector, publicConnector } from "./connect";
import { throughProxy, type Way } from "./proxy";

/** Of a process to one origin. A stream keeps its connection for minutes, and whatever comes beyond this waits behind all of them. */
const MAX_CONNECTIONS = 16_384;

const ways = new Map<string, { origin: string; way: Way }>();

/**
 * The way to a supplier's origin, with connections that are kept for the life of the process. One that may only be reached on the
 * public internet has a way of its own, whose every connection goes to an address that was checked, here or by the proxy.
 */
export function poolOf(supplier: Supplier): { pool: Dispatcher; basePath: string } {
  const { origin, pathname } = parsedBase(supplier.baseUrl);
  const place = `${origin} ${supplier.publicOnly === true}`;
  let known = ways.get(place);
  if (known === undefined) {
    known = { origin, way: wayTo(origin, supplier.publicOnly === true) };
    ways.set(place, known);
  }
  return { pool: known.way.dispatcher, basePath: pathname };
}

function wayTo(origin: string, publicOnly: boolean): Way {
  const options: Pool.Options = {
    connections: MAX_CONNECTIONS,
    pipelining: 1,
    connect: (publicOnly ? publicConnector : connector)({ timeout: 10_000 }),
    // Shorter than the usual five seconds of servers: an idle connection is ours to close, so no request meets a dead one.
    keepAliveTimeout: 4_000,
  };
  const proxied = throughProxy(origin, options, publicOnly);
  if (proxied !== null) return proxied;
  const pool = new Pool(origin, options);
  return { dispatcher: pool, pool: () => pool };
}

/** The connections to suppliers by their origin: those that are open, and requests that wait for one. */
export const poolFigures = (): { origin: string; connections: number; waiting: number }[] =>
  [...ways.values()].flatMap(({ origin, way }) => {
    const stats = way.pool()?.stats;
    return stats === undefined ? [] : [{ origin, connections: stats.connected, waiting: stats.queued }];
  });

/** Closes every connection; answers in flight are cut. */
export async function closePools(): Promise<void> {
  const open = [...ways.values()];
  ways.clear();
  await Promise.all(open.map(({ way }) => way.dispatcher.destroy()));
}

const parsed = new Map<string, { origin: string; pathname: string }>();

function parsedBase(baseUrl: string): { origin: string; pathname: string } {
  let base = parsed.get(baseUrl);
  if (base === undefined) {
    const url = new URL(baseUrl);
    base = { origin: url.origin, pathname: url.pathname.replace(/\/+$/, "") };
    parsed.set(baseUrl, base);
  }
  return base;
}
