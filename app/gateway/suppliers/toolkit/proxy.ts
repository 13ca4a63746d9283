import { isIP } from "node:net";
import { type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { isPublicAddress } from "~/public-address";
import { outlasting } from "./connect";

/** Where calls leave through. `none`: hosts that are reached directly, as `NO_PROXY` lists them. */
export type EgressProxy = { http: string | null; https: string | null; none: string };

let egress: EgressProxy | null = null;

/** Calls of connections that are made from here on leave through a proxy, or (null) as they are. */
export function setEgressProxy(proxy: EgressProxy | null): void {
  egress = proxy !== null && (proxy.http !== null || proxy.https !== null) ? proxy : null;
}

/** A way to one origin: where requests go in, and how its pool of connections is. */
export type Way = { dispatcher: Dispatcher; pool(): Pool | null };

/**
 * The way to an origin through the proxy, or directly where `NO_PROXY` names the host; null without a proxy. Through it, by CONNECT,
 * go addresses and names as they are written: what a name stands for is for the proxy to say.
 * @param options of each pool, with how a direct connection is made
 */
export function throughProxy(origin: string, options: Pool.Options, publicOnly: boolean): Way | null {
  if (egress === null) return null;
  const host = new URL(origin).hostname.replace(/^\[|\]$/g, "");
  // Such an address is refused by the direct way.
  if (publicOnly && isIP(host) !== 0 && !isPublicAddress(host)) return null;
  let pool: Pool | null = null;
  const agent = new EnvHttpProxyAgent({
    ...options,
    httpProxy: egress.http ?? "",
    httpsProxy: egress.https ?? "",
    noProxy: egress.none,
    factory(to, given) {
      const { connect } = given as Pool.Options;
      pool = new Pool(to, { ...options, connect: typeof connect === "function" ? outlasting(connect) : connect });
      return pool;
    },
  });
  const dispatcher = agent.compose((dispatch) => (request, handler) => dispatch({ ...request, origin }, handler));
  return { dispatcher, pool: () => pool };
}
