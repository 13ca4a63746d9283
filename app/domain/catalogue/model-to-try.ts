import { catalogue } from "./current-catalogue";

const ANSWERS_BY_ITSELF = "sandbox-chat";

/**
 * The model for the first chat completion of somebody who has just arrived: the one that needs no supplier, else the first
 * that chat completions can reach, which native agents are not. Null where there is none.
 */
export function modelToTry(): string | null {
  const { models, lanes } = catalogue();
  const usable = [...models.values()].filter(
    ({ id, capability }) =>
      capability === "chat" &&
      (lanes.get(id) ?? []).some(({ supplier, price }) => supplier.kind !== "native_agent" && price),
  );
  return (usable.find(({ id }) => id === ANSWERS_BY_ITSELF) ?? usable[0])?.id ?? null;
}
