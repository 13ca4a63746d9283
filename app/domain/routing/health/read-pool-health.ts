import type { Db } from "~/connection/db.server";
import { headroomOf, readCredentialViews } from "~/domain/credentials/index.server";
import type { CredentialView } from "~/domain/credentials/shared";
import type { PooledCredential, PoolHealth, SupplierPool } from "../shared";
import { health, monotonicNow } from "../state";
import { readCredentialRests } from "./read-health";

/**
 * Returns the state of every supplier's credentials for an admin page: from the database, and from the traffic of this
 * process. Names and times only, never a secret.
 */
export async function readPoolHealth(db: Db): Promise<PoolHealth> {
  const views = await readCredentialViews(db);
  const rests = readCredentialRests(monotonicNow());
  const bySupplier = grouped(views);
  const pools = [...bySupplier.values()].map((own) => poolOf(own, rests));
  return {
    pools,
    total: views.length,
    usable: pools.reduce((sum, { usable }) => sum + usable, 0),
    resting: pools.reduce((sum, { resting }) => sum + resting, 0),
  };
}

function grouped(views: readonly CredentialView[]): Map<number, CredentialView[]> {
  const groups = new Map<number, CredentialView[]>();
  for (const view of views) groups.set(view.supplierId, [...(groups.get(view.supplierId) ?? []), view]);
  return groups;
}

function poolOf(views: readonly CredentialView[], rests: ReturnType<typeof readCredentialRests>): SupplierPool {
  const [{ supplierId, supplier, region }] = views as [CredentialView];
  const credentials = views.map((view): PooledCredential => {
    const own = rests.filter((rest) => rest.supplierId === supplierId && rest.credential === view.name);
    return {
      ...view,
      rests: own.map(({ model, reason, endsAt }) => ({ model, reason, endsAt })),
      inFlight: health.load.inFlight(supplierId, view.name),
      headroom: headroomOf({ provider: supplier, keyName: view.name }),
    };
  });
  const isResting = (credential: PooledCredential) => credential.rests.length > 0;
  const isUsable = ({ state, retryAt }: PooledCredential) =>
    state === "usable" || (state === "expired" && retryAt === null);
  return {
    supplierId,
    supplier,
    region,
    credentials,
    usable: credentials.filter((credential) => isUsable(credential) && !isResting(credential)).length,
    resting: credentials.filter(isResting).length,
  };
}
