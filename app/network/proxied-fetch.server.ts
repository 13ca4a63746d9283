import { type Dispatcher, EnvHttpProxyAgent, fetch as fetchThrough } from "undici";
import { config } from "~/config.server";

type Egress = ReturnType<typeof config>["egressProxy"];

let cached: { egress: Egress; dispatcher: Dispatcher | null } | null = null;

/**
 * `fetch` for URLs that the operator has configured. Uses the configured proxy by CONNECT, as calls to suppliers do,
 * unless `NO_PROXY` lists the host.
 */
export const proxiedFetch = (address: string | URL, init: RequestInit): Promise<Response> => {
  const dispatcher = currentDispatcher();
  if (dispatcher === null) return fetch(address, init);
  return fetchThrough(address, { ...(init as object), dispatcher }) as unknown as Promise<Response>;
};

/** Whether a proxy for outgoing requests is configured. */
export const hasProxy = (): boolean => currentDispatcher() !== null;

function currentDispatcher(): Dispatcher | null {
  const { egressProxy } = config();
  if (cached?.egress !== egressProxy) cached = { egress: egressProxy, dispatcher: dispatcherOf(egressProxy) };
  return cached.dispatcher;
}

function dispatcherOf({ http, https, none }: Egress): Dispatcher | null {
  if (http === null && https === null) return null;
  return new EnvHttpProxyAgent({ httpProxy: http ?? "", httpsProxy: https ?? "", noProxy: none });
}
