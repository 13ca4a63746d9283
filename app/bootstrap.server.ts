import type { Config } from "./config.server";
import { inTransaction } from "./connection/bus.server";
import { type Db, db, isEmbedded } from "./connection/db.server";
import { busyNote } from "./database/embedded/busy-note";
import { openWallet } from "./domain/accounting/index.server";
import { createOwner, hashPassword, issueSetupToken, ownerToSetUp } from "./domain/accounts/index.server";
import { priceSnapshot, servedProviders } from "./domain/catalogue/index.server";
import { issueKey } from "./domain/keys/index.server";
import { createFirstOrganisation } from "./domain/organisations/index.server";
import { modelToTry } from "./domain/routing/index.server";
import { startupBanner } from "./observe/startup-banner";

/** Text for the terminal after start-up. Contains secrets on the first start: print it, never log it. */
export type FirstStart = { startupBanner: string };

type Made = { rootAdminKey: string | null; firstKey: string | null; setupToken: string | null };
/** A set-up link younger than this is assumed to be on the terminal of another process that has just started. */
const SHOWN_ELSEWHERE_SECONDS = 60;
const nothing: Made = { rootAdminKey: null, firstKey: null, setupToken: null };

/**
 * Sets up a new installation: the operator's organisation with its wallet, its owner, the root admin key and a first
 * key. On an installation with an organisation it creates nothing, except a new set-up link for an owner without a
 * password. Processes that start together create one of each.
 */
export async function bootstrap(settings: Config): Promise<FirstStart> {
  const passwordHash = settings.owner.password === null ? null : await hashPassword(settings.owner.password);
  const created = await inTransaction(db(), async (tx) => {
    const organisation = await createFirstOrganisation(tx, settings.organisationName);
    return organisation === null ? renewSetup(tx) : seed(tx, organisation.id, settings, passwordHash);
  });
  const { baseUrl, signUp, stripe } = settings;
  const says = {
    takesPayments: stripe !== null,
    model: modelToTry(),
    providers: servedProviders(settings),
    pricesDate: priceSnapshot().date,
    databaseNote: isEmbedded() ? busyNote(settings.dataDir) : null,
  };
  return { startupBanner: startupBanner({ baseUrl, signUp, ...says, ...created }) };
}

async function seed(tx: Db, organisationId: number, settings: Config, passwordHash: string | null): Promise<Made> {
  await openWallet(tx, { kind: "organisation", id: organisationId, organisationId }, { exempt: true });
  const owner = await createOwner(tx, { organisationId, email: settings.owner.email, passwordHash });
  const root = await issueKey(tx, {
    organisationId,
    kind: "admin",
    name: "root admin key",
    ...(settings.rootAdminKey === null ? {} : { secret: settings.rootAdminKey }),
  });
  const first = await issueKey(tx, { organisationId, userId: owner.id, name: "first key" });
  return {
    rootAdminKey: settings.rootAdminKey === null ? root.secret : null,
    firstKey: first.secret,
    setupToken: passwordHash === null ? await issueSetupToken(tx, owner.id) : null,
  };
}

async function renewSetup(tx: Db): Promise<Made> {
  const owner = await ownerToSetUp(tx);
  // A new link would invalidate the one that another process, started at the same time, has just printed.
  if (!isEmbedded() && owner?.linkAgeSeconds != null && owner.linkAgeSeconds < SHOWN_ELSEWHERE_SECONDS) return nothing;
  return { ...nothing, setupToken: owner ? await issueSetupToken(tx, owner.id) : null };
}
