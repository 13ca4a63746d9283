// Alternates a row of the benchmark with the floor, so that other load on the machine slows both equally.
import { connections, loadOnce, ROUNDS, seconds, together, warmUp } from "./measure.mjs";
import { loadOfMachine, residentMegabytes } from "./processes.mjs";
import { line, rounded, times } from "./table.mjs";

/**
 * Measures whole answers and streams: the row, the floor at full speed, and the floor at the row's rate, alternating.
 */
export async function compareWithFloor(name, target, floor, headers = {}) {
  const rows = [];
  for (const stream of [false, true]) {
    const warm = await warmUp(target, headers, stream);
    await warmUp(floor, {}, stream);
    const loads = { row: [], floor: [], atRate: [] };
    const each = Math.max(1, seconds / ROUNDS);
    for (let round = 0; round < ROUNDS; round += 1) {
      const load = await loadOnce(target, headers, stream, each);
      loads.row.push(load);
      loads.floor.push(await loadOnce(floor, {}, stream, each));
      loads.atRate.push(await loadOnce(floor, {}, stream, each, load.perSecond));
    }
    rows.push({
      name,
      stream,
      hasDatabase: target.databasePids !== undefined,
      ...together(loads.row),
      warmUps: warm.requests,
      floor: together(loads.floor),
      atRate: together(loads.atRate),
      load: loadOfMachine(),
    });
  }
  const memory = residentMegabytes(target.pid);
  return rows.map((row) => ({ ...row, memory }));
}

const HEADS = [
  ...["CPU µs", "floor", "to floor", "floor@", "to floor@", "DB µs", "with DB", "to floor"],
  ...["req/s", "to floor", "p50 ms", "p99 ms", "MB", "failed"],
];

/** Prints both tables; every value is per request. docs/operating/measure.md explains the columns. */
export function printRows(rows) {
  const write = (...cells) => process.stdout.write(`${line(...cells)}\n`);
  for (const stream of [false, true]) {
    const title = stream ? "Streams of 100 events" : "Whole answers";
    process.stdout.write(
      `\n${title}, ${connections} connections, ${seconds} s a row in ${ROUNDS} turns with the floor\n`,
    );
    write("", ...HEADS);
    for (const row of rows.filter((each) => each.stream === stream)) {
      const { server, database, floor, atRate } = row;
      const both = server + (database ?? 0);
      write(
        ...[row.name, rounded(server), rounded(floor.server), times(server, floor.server)],
        ...[rounded(atRate.server), times(server, atRate.server)],
        ...[row.hasDatabase ? rounded(database) : "-", row.hasDatabase && database === null ? "unseen" : rounded(both)],
        ...[row.hasDatabase && database === null ? "unseen" : times(both, floor.server)],
        ...[rounded(row.perSecond), times(row.perSecond, floor.perSecond), row.p50, row.p99, row.memory],
        row.failed + floor.failed + atRate.failed,
      );
    }
  }
  for (const row of rows) process.stdout.write(`${row.name}, ${row.stream ? "streams" : "whole"}: ${row.load}\n`);
}
