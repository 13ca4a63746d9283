import { migratedFolder } from "../support/database-setup";

/** Creates the migrated database that each portal copies, because migrating takes longer than most tests. */
export default async function prepareDatabase(): Promise<void> {
  process.env.TEST_DATABASE_TEMPLATE = await migratedFolder();
}
