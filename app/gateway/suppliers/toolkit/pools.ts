import { Pool } from "undici";
import type { Supplier } from "~/domain/catalogue/shared";
import { connector, publicConnector } from "./connect";

const pools = new Map<string, Pool>();

/**
 * The connection pool of a supplier's origin, kept for the life of the process. One that may only be reached on the public
 * internet has a pool of its own, whose every connection goes to an address that was checked.
 */
export function poolOf(supplier: Supplier): { pool: Pool; basePath: string } {
  const { origin, pathname } = parsedBase(supplier.baseUrl);
  const place = `${origin} ${supplier.publicOnly === true}`;
  let pool = pools.get(place);
  if (pool === undefined) {
    pool = new Pool(origin, {
      connections: 1024,
      pipelining: 1,
      connect: (supplier.publicOnly ? publicConnector : connector)({ timeout: 10_000 }),
      // Shorter than the usual five seconds of servers: an idle connection is ours to close, so no request meets a dead one.
      keepAliveTimeout: 4_000,
    });
    pools.set(place, pool);
  }
  return { pool, basePath: pathname };
}

/** The connections to suppliers by their origin: those that are open, and requests that wait for one. */
export const poolFigures = (): { origin: string; connections: number; waiting: number }[] =>
  [...pools].map(([origin, { stats }]) => ({ origin, connections: stats.connected, waiting: stats.queued }));

/** Closes every pool; answers in flight are cut. */
export async function closePools(): Promise<void> {
  const open = [...pools.values()];
  pools.clear();
  await Promise.all(open.map((pool) => pool.destroy()));
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
