const LOOK_EVERY_MS = 15_000;
const CHECKPOINT_AFTER_UNITS = 20_000;
const CHECKPOINT_AFTER_MS = 5 * 60_000;
const VACUUM_EVERY_MS = 10 * 60_000;
const WORTH_A_VACUUM = `
  SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables
  WHERE n_dead_tup > 1000 + n_live_tup / 5 OR n_mod_since_analyze > 1000 + n_live_tup / 5`;

/**
 * Replaces the background processes of a PostgreSQL server: a single session has no checkpointer and no autovacuum.
 * Without checkpoints the write-ahead log would grow without limit, and with it the recovery time after a crash.
 */
export function startHousekeeping(server, database) {
  let unitsAtCheckpoint = server.units;
  let checkpointAt = Date.now();
  let vacuumAt = Date.now();
  let unitsAtVacuum = server.units;
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  timer.unref();

  async function look() {
    const units = server.units - unitsAtCheckpoint;
    if (units > CHECKPOINT_AFTER_UNITS || (units > 0 && Date.now() - checkpointAt > CHECKPOINT_AFTER_MS)) {
      unitsAtCheckpoint = server.units;
      checkpointAt = Date.now();
      await server.exclusively(() => database.exec("CHECKPOINT")).catch(report);
    }
    if (server.units > unitsAtVacuum && Date.now() - vacuumAt > VACUUM_EVERY_MS) {
      unitsAtVacuum = server.units;
      vacuumAt = Date.now();
      const found = await server.exclusively(() => database.query(WORTH_A_VACUUM)).catch(report);
      // Vacuum one table at a time, so that the clients' queries run in between.
      for (const { name } of found?.rows ?? []) {
        await server.exclusively(() => database.exec(`VACUUM (ANALYZE) ${name}`)).catch(report);
      }
    }
  }

  const report = (problem) => console.error(problem instanceof Error ? problem.message : problem);
  return { look, stop: () => clearInterval(timer) };
}
