/** A text that grows from event to event. `channel` identifies it within its stream. */
export type GrowingText = {
  channel: string;
  text: string;
  /** Replaces it in its event. */
  replace(text: string): void;
  /** Builds an event that only appends a text to it. */
  more(text: string): Record<string, unknown>;
};

/** The texts of one event of an answer. `ended`: prefixes of the channels that end before it. */
export type EventTexts = { growing: GrowingText[]; ended: string[] };

/** Finds the texts in the events of a dialect. */
export type StreamTexts = {
  read(event: Record<string, unknown>): EventTexts;
  /** Some events repeat as a whole what has grown before; matches in such events do not count again. */
  repeats: boolean;
};
