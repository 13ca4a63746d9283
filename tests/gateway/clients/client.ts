/** Where a client finds gw, and the model it is to ask. */
export type Place = { url: string; key: string; model: string };

/** A cell of the matrix that has no test, and why. */
export type Absent = { none: string };

/** What one unchanged client library can do, each as its users do it. A client without one of these does not compile. */
export type Client = {
  name: string;
  /** Which stage it plays on: what is behind gw. */
  speaks: "conversations" | "native" | "ranks";
  whole: ((place: Place, signal?: AbortSignal) => Promise<string>) | Absent;
  stream: ((place: Place, signal?: AbortSignal) => AsyncIterable<string>) | Absent;
  /** Offers `get_weather`, brings the results of all calls, and gives the text of the last turn. */
  tools: ((place: Place) => Promise<string>) | Absent;
  streamedTools: ((place: Place) => Promise<string>) | Absent;
  /** Sends a picture, base64. */
  image: ((place: Place, png: string) => Promise<string>) | Absent;
  /** Whether it has raised its own typed exception for an HTTP status. */
  isTyped(problem: unknown, status: number): boolean;
};

/** What every client's tool says of a city. */
export const weatherIn = (city: string): string => `sun in ${city}`;

export const WEATHER_SCHEMA = {
  type: "object" as const,
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

export const isAbsent = (cell: unknown): cell is Absent => typeof cell === "object" && cell !== null && "none" in cell;

/** The exception's class for a status, as the SDKs of both families arrange them. */
export function classFor<Class>(status: number, classes: Readonly<Record<number, Class>> & { server: Class }): Class {
  return status >= 500 ? classes.server : (classes[status] as Class);
}
