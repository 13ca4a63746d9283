import type { Db } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import { type ChainDefect, findUnchained, readHead, readStretch } from "./chain-store";

/** The newest entry of the audit log's chain. Its hash covers every entry before it. */
type AuditHead = { position: bigint; hash: string };

export type AuditLogReport = {
  /** Number of verified entries, and of redactions among them. */
  entries: bigint;
  redactions: bigint;
  /** Null: nothing was recorded yet. */
  head: AuditHead | null;
  /** Number of defects; `defects` lists the first thousand. */
  defectCount: bigint;
  defects: ChainDefect[];
  /** Whether the chain contains the expected hash; null when none was given. */
  holdsExpected: boolean | null;
};

const ENTRIES_AT_ONCE = 5_000;
const SHOWN_AT_MOST = 1_000;
const HASH = /^[0-9a-f]{64}$/;

const MEANING: Readonly<Record<string, string>> = {
  entries_missing: "entries before this one were removed",
  event_missing: "the event was removed",
  event_changed: "the event was changed",
  order_changed: "the entry was moved or rewritten",
  event_unchained: "the event was inserted past the chain, or its entry was removed",
};

/**
 * Compares every event of the audit log with the chain, in ranges, so that memory use does not grow with the log. A
 * truncated end is detected only through `expected`, the hash of a head that was stored elsewhere: the chain must still
 * contain it.
 */
export async function verifyAuditLog(
  db: Db,
  { expected, entriesAtOnce = ENTRIES_AT_ONCE }: { expected?: string; entriesAtOnce?: number } = {},
): Promise<AuditLogReport> {
  const report: AuditLogReport = {
    entries: 0n,
    redactions: 0n,
    head: null,
    defectCount: 0n,
    defects: [],
    holdsExpected: expected === undefined ? null : false,
  };
  const add = (count: bigint, defects: readonly ChainDefect[]) => {
    report.defectCount += count;
    report.defects.push(...defects.slice(0, SHOWN_AT_MOST - report.defects.length));
  };
  for (let head: AuditHead = { position: 0n, hash: "" }; ; head = report.head!) {
    const stretch = await readStretch(db, head, { entries: entriesAtOnce, expected: expected ?? "" });
    if (stretch === null) break;
    const { position, hash, entries, redactions, defects, holdsExpected } = stretch.stretch;
    report.head = { position, hash };
    report.entries += entries;
    report.redactions += redactions;
    if (holdsExpected) report.holdsExpected = true;
    add(defects, stretch.defects);
  }
  const unchained = await findUnchained(db, SHOWN_AT_MOST);
  add(
    unchained.count,
    unchained.ids.map((actId) => ({ defect: "event_unchained", position: null, actId })),
  );
  return report;
}

/** Returns whether the audit log has no defects. */
export const isSound = (report: AuditLogReport): boolean => report.defectCount === 0n && report.holdsExpected !== false;

/** Returns a report as lines of text for a terminal. */
export function describeAuditLog(report: AuditLogReport): string {
  const { entries, redactions, head, defectCount, defects, holdsExpected } = report;
  const state = defectCount === 0n ? "sound" : `${defectCount} defects`;
  const redacted = redactions === 0n ? "" : `, ${redactions} of them redactions`;
  const lines = [`audit log: ${state}, ${entries} entries${redacted}`];
  for (const { defect, position, actId } of defects) {
    lines.push(`  ${defect}  event ${actId}${position === null ? "" : `, entry ${position}`}: ${MEANING[defect]}`);
  }
  if (head !== null) lines.push(`audit log head: entry ${head.position}, ${head.hash}`);
  if (holdsExpected === true) lines.push("audit log: holds the expected head");
  if (holdsExpected === false)
    lines.push("audit log: does not hold the expected head: its end was cut off, or it was rewritten");
  return `${lines.join("\n")}\n`;
}

/**
 * Returns the hash of the command-line arguments: `--expect <hash>`, or none.
 * @throws Error with the usage.
 */
export function expectedHead(parameters: readonly string[]): string | undefined {
  if (parameters.length === 0) return undefined;
  const [flag, hash, ...more] = parameters;
  if (flag !== "--expect" || hash === undefined || !HASH.test(hash) || more.length > 0)
    throw new Error("Usage: npm run audit [-- --expect <64 hexadecimal digits: the hash of a head noted before>]");
  return hash;
}

let logged = "";

/**
 * Writes the head to the server's log when it has changed since the last run. A log that is stored elsewhere can later
 * prove that the audit log was not truncated. Returns the number of heads written: 0 or 1.
 */
export async function logAuditHead(db: Db): Promise<number> {
  const head = await readHead(db);
  if (head === null || head.hash === logged) return 0;
  logged = head.hash;
  log.info({ entry: Number(head.position), hash: head.hash }, "audit log head");
  return 1;
}
