import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import type { KeyOwner } from "~/domain/keys/shared";
import { openFreshDatabase, type TestDatabase } from "./database";

/** Opens a fresh database for `db()` with a sealing secret, and creates two people of two organisations. */
export async function openWithOwners(): Promise<{ database: TestDatabase; owner: KeyOwner; stranger: KeyOwner }> {
  const database = await openFreshDatabase();
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-only-0123456789abcdef", DATABASE_URL: "postgresql://x" }));
  return { database, owner: await anOwner("owners"), stranger: await anOwner("strangers") };
}

/** Creates a person in a new organisation; both are named after `slug`. */
export async function anOwner(slug: string): Promise<KeyOwner> {
  const { id: organisationId } = await db().organisation.create({ data: { name: slug, slug } });
  const email = `${slug}@example.com`;
  const { id: userId } = await db().user.create({ data: { organisationId, email, name: slug } });
  return { organisationId, userId };
}
