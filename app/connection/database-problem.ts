/** Prisma's codes for an unreachable database, a closed connection, or no free connection in time. */
const CODES = new Set(["P1001", "P1002", "P1008", "P1017", "P2024", "P2028", "P2037"]);
/** The same errors of its driver adapter, for raw SQL. */
const KINDS = new Set(["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout", "TooManyConnections"]);
/**
 * PostgreSQL's error classes: connection exception, insufficient resources, operator intervention, read-only
 * transaction.
 */
const SQL_STATES = /^(?:08|53|57P|25006)/;
/** Messages of the driver about a connection, which have no code. */
const DRIVER_SAYS =
  /^(?:Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

type DatabaseError = { code?: string; meta?: { driverAdapterError?: { cause?: { kind?: string; code?: string } } } };

/** Whether an error means that the database is unavailable, as opposed to a bug in the program. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = "", meta } = error as DatabaseError;
  const { kind = "", code: sqlState = "" } = meta?.driverAdapterError?.cause ?? {};
  if (CODES.has(code) || KINDS.has(kind) || DRIVER_SAYS.test(error.message)) return true;
  return SQL_STATES.test(sqlState) || SQL_STATES.test(code);
}
