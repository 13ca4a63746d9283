import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { readPoolHealth } from "~/domain/routing/index.server";
import type { PooledCredential } from "~/domain/routing/shared";

const pools = portalEndpoint({
  allow: "platform_admin",
  GET: async () => {
    const { pools, total, usable, resting } = await readPoolHealth(db());
    return {
      total,
      usable,
      resting,
      pools: pools.map(({ supplierId, credentials, ...pool }) => ({
        supplier_id: supplierId,
        ...pool,
        credentials: credentials.map(credentialAnswer),
      })),
    };
  },
});

const credentialAnswer = (credential: PooledCredential) => ({
  id: credential.id,
  name: credential.name,
  kind: credential.kind,
  source: credential.source,
  state: credential.state,
  generation: credential.generation,
  failures: credential.failures,
  expires_at: credential.expiresAt,
  refreshed_at: credential.refreshedAt,
  retry_at: credential.retryAt,
  in_flight: credential.inFlight,
  rests: credential.rests.map(({ model, reason, endsAt }) => ({ model, reason, ends_at: endsAt })),
  headroom: credential.headroom,
});

export const loader = pools;
export const action = pools;
