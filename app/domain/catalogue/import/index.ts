import { fromBifrost } from "./bifrost";
import { fromLitellm } from "./litellm";
import { fromNewApi } from "./new-api";

/** The gateways whose configuration can be read, by the name that the command has for them. */
export const IMPORTS = { litellm: fromLitellm, bifrost: fromBifrost, "new-api": fromNewApi } as const;
