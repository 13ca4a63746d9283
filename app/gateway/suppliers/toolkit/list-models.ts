import type { Supplier } from "~/domain/catalogue/shared";
import type { OfferedModel } from "../../canonical/exchange";
import { SupplierFailure } from "../../canonical/supplier-failure";
import { poolOf } from "./connection/pools";
import { pathForNoModel, withQuery } from "./extras";
import { readFailure } from "./read-failure";

/** Maximum bytes of a list; a long one of an aggregator has a few hundred kilobytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Lists a supplier's models by `GET /models`, with authentication headers. `readEntry` reads each entry; entries
 * without an id are skipped.
 * @throws SupplierFailure
 */
export async function listModels(
  supplier: Supplier,
  signIn: Readonly<Record<string, string>>,
  readEntry: (entry: Readonly<Record<string, unknown>>) => Omit<OfferedModel, "id">,
): Promise<OfferedModel[]> {
  const { status, headers, body } = await get(supplier, signIn);
  if (status !== 200) throw readFailure({ status, headers, body });
  return entriesOf(body).flatMap((entry) =>
    typeof entry.id === "string" && entry.id !== "" ? [{ ...readEntry(entry), id: entry.id }] : [],
  );
}

/** Reads an entry that has only an id. */
export const plainModel = (_entry: Readonly<Record<string, unknown>>): Omit<OfferedModel, "id"> => ({
  name: null,
  contextTokens: null,
  maxOutputTokens: null,
  tools: null,
  images: null,
  inputPerMtok: null,
  outputPerMtok: null,
  cachedInputPerMtok: null,
});

async function get(supplier: Supplier, signIn: Readonly<Record<string, string>>) {
  const { pool, basePath } = poolOf(supplier);
  try {
    const response = await pool.request({
      path: withQuery(`${pathForNoModel(basePath)}/models`, supplier),
      method: "GET",
      headers: {
        accept: "application/json",
        "accept-encoding": "identity",
        "user-agent": "gw",
        ...supplier.extras?.headers,
        ...signIn,
      },
      headersTimeout: supplier.timeoutMs,
      bodyTimeout: supplier.idleTimeoutMs,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response.body) {
      size += chunk.length;
      if (size > MAX_BYTES)
        throw new SupplierFailure("protocol", "the supplier's list is too long", { executed: "yes" });
      chunks.push(chunk);
    }
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
  } catch (cause) {
    if (cause instanceof SupplierFailure) throw cause;
    throw new SupplierFailure("connect", "the supplier's models could not be read", { executed: "no", cause });
  }
}

function entriesOf(body: Buffer): Record<string, unknown>[] {
  let answer: unknown;
  try {
    answer = JSON.parse(body.toString("utf8"));
  } catch (cause) {
    throw new SupplierFailure("protocol", "the supplier's list is not JSON", { executed: "yes", cause });
  }
  const list = Array.isArray(answer) ? answer : (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(list))
    throw new SupplierFailure("protocol", "the supplier sent no list of models", { executed: "yes" });
  return list.filter((entry): entry is Record<string, unknown> => typeof entry === "object" && entry !== null);
}
