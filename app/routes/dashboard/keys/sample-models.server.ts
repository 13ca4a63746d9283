import { config } from "~/config.server";
import { catalogue } from "~/domain/catalogue/index.server";
import { modelToTry } from "~/domain/routing/index.server";
import type { SampleModels } from "./samples";

/**
 * Returns models for a key's samples, which answer at the moment. Without a key: models for a key without restrictions.
 */
export const sampleModels = (key?: Parameters<typeof modelToTry>[0]): SampleModels => ({
  chat: modelToTry(key),
  messages: modelToTry(key, { preferred: "sandbox-messages" }),
  native: modelToTry(key, { preferred: "sandbox-agent", native: true }),
});

/** Returns a free model that a key may use, which only a sandbox serves; null if there is none. */
export function freeModel(key: NonNullable<Parameters<typeof modelToTry>[0]>): string | null {
  if (config().sandboxFreeRpm === 0) return null;
  const allowedModels = [...catalogue().routes]
    .filter(
      ([id, routes]) =>
        routes.length > 0 && routes.every(({ supplier }) => supplier.kind === "sandbox") && isAllowed(key, id),
    )
    .map(([id]) => id);
  return allowedModels.length === 0 ? null : modelToTry({ allowedModels, allowedRegions: key.allowedRegions });
}

const isAllowed = ({ allowedModels }: { allowedModels: readonly string[] }, id: string): boolean =>
  allowedModels.length === 0 || allowedModels.includes(id);
