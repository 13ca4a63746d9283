export { actorOfAdminKey } from "./admin-actor";
export { authorOfAdminKey, type KeyAuthor } from "./authors";
export { revokeKey, updateKey } from "./change";
export { type IssuedKey, issueKey, type NewKey } from "./issue";
export type { KeyView } from "./key";
export { lockOwner, ownedBy } from "./owner-store";
export { type EffectivePayer, hasFunds, payerOf } from "./payer";
export { type KeyAutorouter, listKeyAutorouters, readKeyRouting, setKeyAutorouter } from "./portal/autorouter";
export {
  type ActorKeyChange,
  resumeActorKey,
  revokeActorKey,
  rotateActorKey,
  suspendActorKey,
  updateActorKey,
} from "./portal/change";
export { type CreateKeyInput, createActorKey, homeOf, type KeyChoices, keyChoices } from "./portal/create";
export { changeKeyGuardrails, changeKeyGuardrailWebhook, readKeyGuardrails } from "./portal/guardrails";
export { readInheritedLimits } from "./portal/inherited-limits";
export { readLimiter } from "./portal/limiter";
export { countActorKeys, eachActorKey, listActorKeys, readActorKey } from "./portal/read";
export { mayLimitKey } from "./portal/rights";
export { type KeySummary, nameKeys, summariseKeys } from "./portal/summary";
export { changeActorKeys, type KeyAct, undoActorKeys } from "./portal/together";
export { listKeys, publicKeyIds, readKey } from "./read";
export { rotateKey } from "./rotate";
export { callerOfKey, callerOfOwnKey, formerCallerOfKey, verifyKey } from "./secrets/verify";
