import type pg from "pg";
import { serialize } from "pg-protocol";

/** A parameter of a statement, which travels as a text. */
export type SqlValue = string | number | bigint | boolean | null;

/** A connection of `pg`, as far as its own queries use it. */
type Connection = {
  stream: { writable: boolean; write: (bytes: Buffer) => boolean };
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
};

const EXECUTE_AND_SYNC = Buffer.concat([serialize.execute(), serialize.sync()]);
const toText = (value: SqlValue) => (value === null ? null : String(value));

/**
 * A prepared statement that answers one text; no row, or NULL, is the empty text. Bind, Execute and Sync leave in one buffer, and
 * nobody asks what the columns are, because a turn of accounting is a round trip whose cost is mostly fixed. `pg` takes objects
 * with these methods in the place of its own queries, and tells them of the end of a connection as well. `done` is called once: with
 * the server's error, or when it is ready for the next statement.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
 */
export class OneTextQuery implements pg.Submittable {
  /** By both of them `pg` knows what it has prepared on a connection. */
  readonly name: string;
  readonly text: string;
  readonly #values: readonly SqlValue[];
  readonly #done: (failure: Error | null, answer: string) => void;
  #answer = "";

  constructor(
    statement: { name: string; text: string },
    values: readonly SqlValue[],
    done: (failure: Error | null, answer: string) => void,
  ) {
    this.name = statement.name;
    this.text = statement.text;
    this.#values = values;
    this.#done = done;
  }

  submit(connection: pg.Connection): void {
    const { stream, parsedStatements, submittedNamedStatements } = connection as unknown as Connection;
    // A connection that has ended tells its queries itself.
    if (!stream.writable) return;
    const bind = serialize.bind({ statement: this.name, values: this.#values.map(toText) });
    if (parsedStatements[this.name] !== undefined) {
      stream.write(Buffer.concat([bind, EXECUTE_AND_SYNC]));
      return;
    }
    submittedNamedStatements[this.name] = this.text;
    stream.write(Buffer.concat([serialize.parse({ name: this.name, text: this.text }), bind, EXECUTE_AND_SYNC]));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    this.#answer = fields[0] ?? "";
  }

  handleError(failure: Error): void {
    this.#done(failure, "");
  }

  handleReadyForQuery(): void {
    this.#done(null, this.#answer);
  }

  handleCommandComplete(): void {}
}
