import { isIP } from "node:net";
import { type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { isPublicAddress } from "~/network/public-address";
import { outlasting } from "./connect";
import { isReachedDirectly } from "./no-proxy";

/** Proxy for outgoing calls. `none`: hosts that are reached directly, in the format of `NO_PROXY`. */
export type EgressProxy = { http: string | null; https: string | null; none: string };

let egress: EgressProxy | null = null;

/** Sets the proxy for connections opened from now on; null means direct connections. */
export function setEgressProxy(proxy: EgressProxy | null): void {
  egress = proxy !== null && (proxy.http !== null || proxy.https !== null) ? proxy : null;
}

/** Access to one origin: the dispatcher for requests, and its connection pool. */
export type Way = { dispatcher: Dispatcher; pool(): Pool | null };

/**
 * Returns access to an origin through the proxy; null if there is no proxy, or `NO_PROXY` names the host. Requests use
 * CONNECT with the unresolved host name: the proxy resolves names.
 * @param options of each pool, including the connector for direct connections
 */
export function throughProxy(origin: string, options: Pool.Options, publicOnly: boolean): Way | null {
  if (egress === null) return null;
  const { hostname, protocol, port } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isReachedDirectly({ host, port: Number(port || (protocol === "https:" ? 443 : 80)) }, egress.none)) return null;
  // The direct connector refuses a private address.
  if (publicOnly && isIP(host) !== 0 && !isPublicAddress(host)) return null;
  let pool: Pool | null = null;
  const agent = new EnvHttpProxyAgent({
    ...options,
    httpProxy: egress.http ?? "",
    httpsProxy: egress.https ?? "",
    noProxy: "",
    factory(to, poolOptions) {
      const { connect } = poolOptions as Pool.Options;
      pool = new Pool(to, { ...options, connect: typeof connect === "function" ? outlasting(connect) : connect });
      return pool;
    },
  });
  const dispatcher = agent.compose((dispatch) => (request, handler) => dispatch({ ...request, origin }, handler));
  return { dispatcher, pool: () => pool };
}
