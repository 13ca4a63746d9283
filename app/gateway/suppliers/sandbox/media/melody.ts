import { hashOf } from "../chance";

/** A part of a melody: samples of one pitch (an index into PITCHES), or of silence. */
export type Note = { samples: number; pitch: number | null };

export const SAMPLE_RATE = 16_000;
/** Number of pitches; the writer of each format defines their frequencies. */
export const PITCHES = 16;

const SAMPLES_A_CHARACTER = SAMPLE_RATE / 16;
const SAMPLES_A_SPACE = SAMPLE_RATE / 20;
const SAMPLES_A_STOP = SAMPLE_RATE / 4;

/**
 * Converts a text into a melody: one note per word, as long as the word, with a pitch from the word and the voice;
 * rests between words, and longer ones after sentences. `speed` scales all durations.
 */
export function melodyOf(text: string, voice: string, speed: number): Note[] {
  const scaled = (samples: number) => Math.max(1, Math.round(samples / speed));
  const notes: Note[] = [];
  for (const word of text.match(/\S+/g) ?? []) {
    notes.push({
      samples: scaled([...word].length * SAMPLES_A_CHARACTER),
      pitch: hashOf(`${voice}/${word}`) % PITCHES,
    });
    const ends = /[.!?…:;]["”)]?$/.test(word);
    notes.push({ samples: scaled(ends ? SAMPLES_A_STOP : SAMPLES_A_SPACE), pitch: null });
  }
  return notes.length > 0 ? notes : [{ samples: scaled(SAMPLES_A_STOP), pitch: null }];
}
