import { randomBytes } from "node:crypto";
import { prepareDataFolder } from "~/config/data-folder";
import { type Config, ConfigError, loadConfig } from "~/config.server";
import { startBus, stopBus } from "~/connection/bus.server";
import { db, isEmbedded } from "~/connection/db.server";
import { runningEmbeddedDatabase } from "~/database/embedded/embedded.server";
import { closeDatabase, startDatabase } from "~/database/start.server";
import { Accounting } from "~/domain/accounting/accounting";
import { catalogueFileOf, startCatalogue } from "~/domain/catalogue/index.server";
import { setLogLevel } from "~/observe/log.server";
import { makeBatches } from "./batches";
import { addressOf, CAST } from "./cast";
import { Clock } from "./clock";
import type { SeededKey } from "./keys";
import { createOrganisations } from "./organisations";
import { Random } from "./random";
import { type Happening, storyOf } from "./story";
import { Traffic } from "./traffic";

export type SeedOptions = {
  seed: number;
  days: number;
  /** Level of activity; 1 makes about thirty thousand calls in sixty days. */
  scale: number;
  addToExisting: boolean;
  /** End of the history; default: now. */
  untilMs?: number;
  say: (line: string) => void;
};

export type Seeded = { calls: number; refused: number; openHolds: number; password: string; banner: string | null };

const DAY_MS = 86_400_000;
const STEP_MS = 1_800_000;
/** Longer than any demonstration, so that open calls keep their holds. */
const OPEN_LEASE_MS = 7 * DAY_MS;
const MARK = "@kestrel.example";

/** Opens the configured database and writes the history. @throws ConfigError, in one line, if this is not allowed */
export async function seedInstallation(options: SeedOptions): Promise<Seeded> {
  const settings = loadConfig();
  // The clock would also affect the server, because the embedded database has only one session.
  if (settings.databaseUrl === null && runningEmbeddedDatabase(settings.dataDir) !== null)
    throw new ConfigError(`a server runs on DATA_DIR ${settings.dataDir}: stop it first`);
  prepareDataFolder(settings.dataDir);
  setLogLevel("warn");
  await startDatabase({ ...settings, databasePoolSize: 1 });
  try {
    await startBus();
    await refuseOthersData(options);
    await startCatalogue(catalogueFileOf(settings));
    return await seedHistory(settings, options);
  } finally {
    await stopBus();
    await closeDatabase();
  }
}

/**
 * @throws ConfigError if there are other organisations and `addToExisting` is not set, or if the demo data exists
 *   already
 */
export async function refuseOthersData({ addToExisting }: Pick<SeedOptions, "addToExisting">): Promise<void> {
  const [organisations, ofDemo] = await Promise.all([
    db().organisation.count(),
    db().user.count({ where: { email: { endsWith: MARK } } }),
  ]);
  if (ofDemo > 0) throw new ConfigError("this installation has the demo data already; nothing was changed");
  if (organisations === 0 || addToExisting) return;
  throw new ConfigError(
    `this installation holds ${organisations} organisation${organisations === 1 ? "" : "s"}; nothing was changed. The demo cannot be taken out again: use an empty database or another DATA_DIR, or add it on purpose with --add-to-existing`,
  );
}

/**
 * Writes the history of the demo, from `days` ago until now. Requires an open database with one connection, and a
 * loaded catalogue.
 */
export async function seedHistory(settings: Config, options: SeedOptions): Promise<Seeded> {
  const { days, scale, say } = options;
  const random = new Random(options.seed);
  const password = randomBytes(15).toString("base64url");
  const untilMs = options.untilMs ?? Date.now();
  const fromMs = untilMs - days * DAY_MS;
  const isEmpty = (await db().organisation.count()) === 0;
  const clock = new Clock();
  const accountings = [
    accountingOf(settings, clock, 15 * 60_000),
    accountingOf(settings, clock, OPEN_LEASE_MS),
  ] as const;
  clock.install();
  try {
    await clock.set(fromMs);
    for (const accounting of accountings) await accounting.start();
    const { organisations, banner } = await createOrganisations(CAST, { settings, password, random, isEmpty });
    const keys: SeededKey[] = [];
    const traffic = new Traffic(accountings[0], random);
    const story = storyOf({ organisations, keys, random, password }).sort((one, other) => one.at - other.at);
    for (let stepMs = fromMs; stepMs < untilMs; stepMs += STEP_MS) {
      const endMs = Math.min(stepMs + STEP_MS, untilMs);
      if (Math.floor((stepMs - fromMs) / DAY_MS) % 10 === 0 && (stepMs - fromMs) % DAY_MS < STEP_MS)
        say(`day ${Math.floor((stepMs - fromMs) / DAY_MS)} of ${days}: ${traffic.settled.calls} calls settled`);
      await happen(story, { clock, atMs: (at) => fromMs + at * (untilMs - fromMs), untilMs: endMs });
      await clock.set(endMs);
      await traffic.send(keys, { fromMs: stepMs, untilMs: endMs }, scale);
    }
    await makeBatches(traffic, keys);
    const openHolds = await leaveOpen(new Traffic(accountings[1], random), keys, accountings[1]);
    await markSeen();
    return { calls: traffic.settled.calls, refused: traffic.settled.refused, openHolds, password, banner };
  } finally {
    for (const accounting of accountings) await accounting.stop();
    await clock.remove();
  }
}

/** The gateway's accounting with the history's clock. No job runs meanwhile: time passes too fast for leases. */
const accountingOf = ({ dataDir }: Config, { connect }: Clock, leaseMs: number) =>
  new Accounting({
    connect,
    embedded: isEmbedded(),
    dataDir,
    instance: `seed-${process.pid}-${leaseMs}`,
    leaseMs,
  });

async function happen(
  story: Happening[],
  { clock, atMs, untilMs }: { clock: Clock; atMs: (at: number) => number; untilMs: number },
): Promise<void> {
  while (story.length > 0 && atMs(story[0]!.at) <= untilMs) {
    const happening = story.shift()!;
    await clock.set(atMs(happening.at));
    await happening.does();
  }
}

/** Leaves calls open at the end of the history, and two with an unknown outcome. Returns the number of holds. */
async function leaveOpen(traffic: Traffic, keys: readonly SeededKey[], accounting: Accounting): Promise<number> {
  const locks: string[] = [];
  for (const key of keys.filter(({ perHour }) => perHour > 0)) {
    const callId = locks.length < 9 ? await traffic.hold(key, Date.now()) : null;
    if (callId !== null) locks.push(callId);
  }
  for (const callId of locks.slice(0, 2)) await accounting.markForReview(callId, "upstream_timeout");
  return locks.length;
}

/** Sets the last visit of people who can sign in to one of the last days. */
async function markSeen(): Promise<void> {
  await db().$executeRaw`
    UPDATE app_user SET last_seen_at = now() - (id % 9) * interval '7 hours'
     WHERE status = 'active' AND email = ANY (${CAST.flatMap(({ people, domain }) => people.map(({ name }) => addressOf(name, domain)))})`;
}
