import { fromBifrost } from "./bifrost";
import { fromLitellm } from "./litellm";
import { fromNewApi } from "./new-api";

/** Converters of other gateways' configurations, by their name in the command. */
export const IMPORTS = { litellm: fromLitellm, bifrost: fromBifrost, "new-api": fromNewApi } as const;
