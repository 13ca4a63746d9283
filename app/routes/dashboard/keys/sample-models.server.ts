import { config } from "~/config.server";
import { catalogue } from "~/domain/catalogue/index.server";
import { modelToTry } from "~/domain/routing/index.server";
import type { SampleModels } from "./samples";

/** The models that the samples for a key name: those that answer when they are pasted. Without a key: as any key has it. */
export const sampleModels = (key?: Parameters<typeof modelToTry>[0]): SampleModels => ({
  chat: modelToTry(key),
  messages: modelToTry(key, { preferred: "sandbox-messages" }),
  native: modelToTry(key, { preferred: "sandbox-agent", native: true }),
});

/** A model that a key may use and nobody is charged for, because nothing but a sandbox answers it; null: there is none. */
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
