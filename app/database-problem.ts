/** Prisma's codes for a database that cannot be reached, hangs up, or has no connection left in time. */
const CODES = new Set(["P1001", "P1002", "P1008", "P1017", "P2024", "P2028", "P2037"]);
/** The same as its driver says it, for statements that are written by hand. */
const KINDS = new Set(["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout", "TooManyConnections"]);
/** PostgreSQL's own classes of errors: connection exception, operator intervention, no resources, writes nothing now. */
const SQL_STATES = /^(?:08|53|57P|25006)/;
/** What the driver itself says about a connection has no code. */
const DRIVER_SAYS =
  /^(?:Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

type DatabaseError = { code?: string; meta?: { driverAdapterError?: { cause?: { kind?: string; code?: string } } } };

/** Whether a problem is the database's absence, and not a mistake of the program. */
export function isDatabaseAway(problem: unknown): boolean {
  if (!(problem instanceof Error)) return false;
  const { code = "", meta } = problem as DatabaseError;
  const { kind = "", code: sqlState = "" } = meta?.driverAdapterError?.cause ?? {};
  if (CODES.has(code) || KINDS.has(kind) || DRIVER_SAYS.test(problem.message)) return true;
  return SQL_STATES.test(sqlState) || SQL_STATES.test(code);
}
