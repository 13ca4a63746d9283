/** The address of gw, and the key and the model for a client. */
export type Place = { url: string; key: string; model: string };

/** The reason why a cell of the matrix has no test. */
export type Absent = { none: string };

/** The abilities of an unmodified client library, used as its users do. A client must define all of them. */
export type Client = {
  name: string;
  /** The suppliers behind gw for this client. */
  speaks: "conversations" | "native" | "ranks";
  whole: ((place: Place, signal?: AbortSignal) => Promise<string>) | Absent;
  stream: ((place: Place, signal?: AbortSignal) => AsyncIterable<string>) | Absent;
  /** Offers `get_weather`, sends the results of all calls, and returns the text of the last turn. */
  tools: ((place: Place) => Promise<string>) | Absent;
  streamedTools: ((place: Place) => Promise<string>) | Absent;
  /** Sends a picture in base64. */
  image: ((place: Place, png: string) => Promise<string>) | Absent;
  /** Whether an exception is the library's own type for an HTTP status. */
  isTyped(error: unknown, status: number): boolean;
};

/** Returns the result of every client's tool for a city. */
export const weatherIn = (city: string): string => `sun in ${city}`;

export const WEATHER_SCHEMA = {
  type: "object" as const,
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

export const isAbsent = (cell: unknown): cell is Absent => typeof cell === "object" && cell !== null && "none" in cell;

/** Returns the exception class for a status, as in the SDKs of both families. */
export function classFor<Class>(status: number, classes: Readonly<Record<number, Class>> & { server: Class }): Class {
  return status >= 500 ? classes.server : (classes[status] as Class);
}
