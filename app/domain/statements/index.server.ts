export { listStatements, readLedgerEntry, readStatement } from "./statements";
