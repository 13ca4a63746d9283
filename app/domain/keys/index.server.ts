export { authorOfAdminKey, type KeyAuthor } from "./authors";
export { revokeKey, updateKey } from "./change";
export { type IssuedKey, issueKey, type NewKey } from "./issue";
export type { KeyView } from "./key";
export { hasFunds } from "./payer";
export {
  type ActorKeyChange,
  resumeActorKey,
  revokeActorKey,
  rotateActorKey,
  suspendActorKey,
  updateActorKey,
} from "./portal/change";
export { createActorKey, homeOf, type KeyChoices, type KeyWish, keyChoices } from "./portal/create";
export { readKeyGates } from "./portal/gates";
export { readLimiter } from "./portal/limiter";
export { countActorKeys, eachActorKey, type KeyPlace, listActorKeys, readActorKey } from "./portal/read";
export { type KeySummary, nameKeys, summariseKeys } from "./portal/summary";
export { listKeys, readKey } from "./read";
export { rotateKey } from "./rotate";
export { verifyKey } from "./verify";
