// Measures files that are written while a browser downloads them: the memory of a million rows, at full speed and for a
// slow reader, and the time until the database is idle after a cancelled download.
import { request } from "node:http";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { anonymousBytes } from "./processes.mjs";

const MEGABYTE = 1024 * 1024;
const SLOW_BYTES_A_SECOND = MEGABYTE;
const SLOW_SECONDS = 30;
const LEDGER_AT_ONCE = 20_000;

/** Writes ledger entries in the wallet of the organisation with half of all calls of `writeCalls`. */
export async function writeLedger(client, entries) {
  for (let from = 0; from < entries; from += LEDGER_AT_ONCE)
    await client.query(
      `SELECT count(wallet_post(w.id, 'adjustment', 1 + n, 'adjustment', 'bench:' || n, 'bench', 'line ' || n))
         FROM ledger_account w, generate_series($1::bigint, $2::bigint) n
        WHERE w.kind = 'wallet' AND w.payer_kind = 'organisation' AND w.payer_id = (SELECT id FROM organisation WHERE slug = 'customer-1')`,
      [from, Math.min(from + LEDGER_AT_ONCE, entries) - 1],
    );
}

/** Downloads each of `files` ({ name, path, cookie }) at full speed, slowly, and partially; prints a line for each. */
export async function measureFiles({ address, server, sql }, files) {
  for (const file of files) {
    // The first file also pays for one-time costs, such as compiled code.
    await download({ address, ...file }, { patienceMs: 3_000 });
    const fast = await watched(server, () => download({ address, ...file }, {}));
    const slow = await watched(server, () =>
      download({ address, ...file }, { bytesASecond: SLOW_BYTES_A_SECOND, patienceMs: SLOW_SECONDS * 1000 }),
    );
    const cancelledMs = await cancelled({ address, sql }, file);
    const { rows, bytes, seconds } = fast;
    process.stdout.write(
      `${file.name.padEnd(20)} ${rows} rows, ${megabytes(bytes)} MB in ${seconds.toFixed(1)} s: ${fast.memory}; ` +
        `slowly for ${slow.seconds.toFixed(0)} s, ${megabytes(slow.bytes)} MB: ${slow.memory}; cancelled after ${cancelledMs.toFixed(0)} ms\n`,
    );
  }
}

const megabytes = (bytes) => (bytes / MEGABYTE).toFixed(0);

async function watched(server, work) {
  await sleep(3_000);
  const before = anonymousBytes(server.pid);
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, anonymousBytes(server.pid))), 50);
  const begun = performance.now();
  try {
    const got = await work();
    return {
      ...got,
      seconds: (performance.now() - begun) / 1000,
      memory: `${megabytes(before)} MB + ${megabytes(most - before)} MB`,
    };
  } finally {
    clearInterval(watch);
  }
}

/** Reads a file, at most `bytesASecond` if given, to its end or for `patienceMs`; then closes the connection. */
function download({ address, path, cookie }, { bytesASecond, patienceMs }) {
  return new Promise((resolve, reject) => {
    let [bytes, rows] = [0, -1];
    const begun = performance.now();
    const asked = request(`${address}${path}`, { headers: { cookie } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}`));
      const end = () => resolve({ bytes, rows });
      response.on("data", (chunk) => {
        bytes += chunk.length;
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows += 1;
        if (patienceMs !== undefined && performance.now() - begun > patienceMs) {
          end();
          return asked.destroy();
        }
        const earlyMs = bytesASecond === undefined ? 0 : (1000 * bytes) / bytesASecond - (performance.now() - begun);
        if (earlyMs > 5) {
          response.pause();
          setTimeout(() => response.resume(), earlyMs);
        }
      });
      response.once("end", end);
      response.once("error", reject);
    });
    asked.once("error", (problem) => (bytes > 0 ? resolve({ bytes, rows }) : reject(problem)));
    asked.end();
  });
}

/** Milliseconds from the client's disconnection to the last query of the download. */
async function cancelled({ address, sql }, file) {
  await download({ address, ...file }, { patienceMs: 1_000 });
  const at = performance.now();
  const asked =
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND query ~* 'usage_event|usage_hour|ledger_entry' AND pid <> pg_backend_pid()";
  let last = at;
  // A download in progress sends one query after another: it has ended if there was none for a second.
  while (performance.now() - last < 1_000) {
    if ((await sql(asked)).rows[0].n > 0) last = performance.now();
    if (last - at > 30_000) throw new Error(`${file.name} goes on for nobody`);
    await sleep(5);
  }
  return last - at;
}
