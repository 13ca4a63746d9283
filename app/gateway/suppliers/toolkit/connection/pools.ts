import { type Dispatcher, Pool } from "undici";
import type { Supplier } from "~/domain/catalogue/shared";
import { connector, publicConnector } from "./connect";
import { throughProxy, type Way } from "./proxy";

/**
 * Maximum connections of a process to one origin. A stream occupies its connection for minutes, and further requests
 * wait.
 */
const MAX_CONNECTIONS = 16_384;

const ways = new Map<string, { origin: string; way: Way }>();

/**
 * Returns the connection pool of a supplier's origin; its connections are kept for the life of the process. A supplier
 * that is limited to the public internet has a pool of its own, and every connection of that pool goes to an address
 * that was checked, by gw or by the proxy.
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
    // Shorter than the usual five seconds of servers, so that gw closes an idle connection first and no request hits a
    // closed one.
    keepAliveTimeout: 4_000,
  };
  const proxied = throughProxy(origin, options, publicOnly);
  if (proxied !== null) return proxied;
  const pool = new Pool(origin, options);
  return { dispatcher: pool, pool: () => pool };
}

/** Returns open connections and waiting requests per origin. */
export const poolFigures = (): { origin: string; connections: number; waiting: number }[] =>
  [...ways.values()].flatMap(({ origin, way }) => {
    const stats = way.pool()?.stats;
    return stats === undefined ? [] : [{ origin, connections: stats.connected, waiting: stats.queued }];
  });

/** Closes every connection and aborts answers in flight. */
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
