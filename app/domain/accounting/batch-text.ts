import type { AttemptRecord, HoldRequest, Settlement } from "./shared";

/**
 * Batches as PostgreSQL array literals, one per column. Text is what `pg` sends anyway; building it here, column by
 * column, is several times cheaper than arrays of values or JSON, for this process and for the database.
 */
export function admitValues(batch: readonly HoldRequest[], owner: string, lease: string): unknown[] {
  let ids = "{";
  let organisations = "{";
  let keys = "{";
  let users = "{";
  let departments = "{";
  let projects = "{";
  let wallets = "{";
  let exempt = "{";
  let amounts = "{";
  let rpm = "{";
  let prices = "{";
  let comma = "";
  for (const call of batch) {
    ids += comma + call.callId;
    organisations += comma + call.organisationId;
    keys += comma + call.keyId;
    users += comma + (call.userId ?? "NULL");
    departments += comma + (call.departmentId ?? "NULL");
    projects += comma + (call.projectId ?? "NULL");
    wallets += comma + call.walletId;
    exempt += comma + (call.exempt ? "t" : "f");
    amounts += comma + call.amountNanoUsd;
    rpm += comma + (call.rateLimitRpm ?? "NULL");
    prices += comma + call.priceVersion;
    comma = ",";
  }
  return [
    `${ids}}`,
    `${organisations}}`,
    `${keys}}`,
    `${users}}`,
    `${departments}}`,
    `${projects}}`,
    `${wallets}}`,
    `${exempt}}`,
    `${amounts}}`,
    `${rpm}}`,
    `${prices}}`,
    owner,
    lease,
  ];
}

/** The values of `accounting_settle`. Whatever its texts and counts are, a settlement never makes its batch fail. */
export function settleValues(batch: readonly Settlement[], actor: string): unknown[] {
  const columns = new Array<string>(30).fill("{");
  let attempts = "[";
  let comma = "";
  for (const call of batch) {
    columns[0] += comma + call.callId;
    columns[1] += comma + (call.held ? "t" : "f");
    columns[2] += comma + call.organisationId;
    columns[3] += comma + call.keyId;
    columns[4] += comma + (call.userId ?? "NULL");
    columns[5] += comma + (call.departmentId ?? "NULL");
    columns[6] += comma + (call.projectId ?? "NULL");
    columns[7] += comma + call.walletId;
    columns[8] += comma + (call.exempt ? "t" : "f");
    columns[9] += comma + call.costNanoUsd;
    columns[10] += comma + call.outcome;
    columns[11] += comma + call.priceVersion;
    columns[12] += comma + quoted(call.endpoint);
    columns[13] += comma + quoted(call.requestedModel);
    columns[14] += comma + quoted(call.model);
    columns[15] += comma + quoted(call.supplier);
    columns[16] += comma + quoted(call.region);
    columns[17] += comma + (call.stream ? "t" : "f");
    columns[18] += comma + (call.sessionId === null ? "NULL" : quoted(call.sessionId));
    columns[19] += comma + count(call.inputTokens);
    columns[20] += comma + count(call.cachedInputTokens);
    columns[21] += comma + count(call.cacheWriteTokens);
    columns[22] += comma + count(call.outputTokens);
    columns[23] += comma + count(call.reasoningTokens);
    columns[24] += comma + call.tokenSource;
    columns[25] += comma + (call.status >= 100 && call.status <= 599 ? count(call.status) : 0);
    columns[26] += comma + (call.errorCode === null ? "NULL" : quoted(call.errorCode));
    columns[27] += comma + call.startedAt.getTime();
    columns[28] += comma + (call.firstByteMs === null ? "NULL" : count(call.firstByteMs));
    columns[29] += comma + count(call.latencyMs);
    attempts += comma + attemptsJson(call.attempts);
    comma = ",";
  }
  const values: unknown[] = columns.map((column) => `${column}}`);
  values.splice(27, 0, `${attempts}]`);
  values.push(actor);
  return values;
}

/** A list of ids, numbers or null as an array literal. */
export function arrayText(values: readonly (string | number | bigint | null)[]): string {
  return `{${values.map((value) => (typeof value === "string" ? quoted(value) : (value ?? "NULL"))).join(",")}}`;
}

const LONGEST_TEXT = 400;
const LARGEST_COUNT = 2_147_483_647;
const PLAIN = /^[\w./:-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what the database cannot keep
const NUL = /\u0000/g;

function quoted(text: string): string {
  // A word that reads NULL would be one.
  if (text.length <= LONGEST_TEXT && text.length !== 4 && PLAIN.test(text)) return text;
  return `"${storable(text).replace(/["\\]/g, "\\$&")}"`;
}

/** What the database can keep of a text: no NUL, no half of a surrogate pair, bounded. */
function storable(text: string): string {
  return text
    .slice(0, LONGEST_TEXT)
    .replace(NUL, "")
    .replace(/\p{Surrogate}/gu, "\ufffd");
}

function count(value: number): number {
  return value >= 0 ? Math.min(Math.trunc(value), LARGEST_COUNT) : 0;
}

function attemptsJson(attempts: readonly AttemptRecord[]): string {
  const json = JSON.stringify(attempts);
  return /\\u(?:0000|d[89a-f])/i.test(json)
    ? JSON.stringify(attempts, (_, value) => (typeof value === "string" ? storable(value) : value))
    : json;
}
