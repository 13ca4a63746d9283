import type pg from "pg";
import { serialize } from "pg-protocol";

/** A parameter of a statement; sent as text. */
export type SqlValue = string | number | bigint | boolean | null;

/** The part of a `pg` connection that its own queries use. */
type Connection = {
  stream: { writable: boolean; write: (bytes: Buffer) => boolean };
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
};

const EXECUTE_AND_SYNC = Buffer.concat([serialize.execute(), serialize.sync()]);
const toText = (value: SqlValue) => (value === null ? null : String(value));

/**
 * A prepared statement that returns one text; no row or NULL is the empty text. Bind, Execute and Sync are sent in one buffer
 * without Describe, because the cost of an accounting turn is mostly its fixed cost per round trip. `pg` accepts objects with these
 * methods in place of its own queries, and reports the end of the connection to them. `done` is called once: with the server's
 * error, or when the server is ready for the next statement.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
 */
export class OneTextQuery implements pg.Submittable {
  /** `pg` uses name and text to track the prepared statements of a connection. */
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
    // `pg` fails the queries of an ended connection.
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
