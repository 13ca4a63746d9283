export { revokeKey, updateKey } from "./change";
export { type IssuedKey, issueKey, type NewKey } from "./issue";
export type { KeyView } from "./key-view";
export { listKeys, readKey } from "./read";
export { rotateKey } from "./rotate";
export { verifyKey } from "./verify";
