import { apiError } from "~/errors/app-error";
import { TimeSlice } from "~/values/time-slice";
import type { Member } from "./json-surgery";
import { PieceParser } from "./piece-parser";

/** A parsed JSON text. `members`: top-level members of an object, with their positions in the text. */
export type ParsedJson = {
  value: unknown;
  members: readonly Member[];
  /** Some object repeats a name: `value` has the last member, while another parser may take the first. */
  namesTwice: boolean;
};

/** Maximum length of a text that is parsed at once; the worst case takes less than three milliseconds. */
const SMALL_CHARACTERS = 64 * 1024;

/**
 * Parses a long JSON text of a client piece by piece, so that it does not block the event loop. Null for a short text,
 * which JSON.parse can parse at once.
 * @throws AppError invalid_json; request_too_large for too many members, texts or lists.
 */
export function parseLongJson(text: string): Promise<ParsedJson> | null {
  return text.length <= SMALL_CHARACTERS ? null : parseLong(text);
}

async function parseLong(text: string): Promise<ParsedJson> {
  await placeFree();
  try {
    return await parseInSlices(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw apiError("invalid_json", { cause: error });
    throw error;
  } finally {
    parsing -= 1;
    waiting.shift()?.();
  }
}

/** Maximum number of texts parsed concurrently; a value takes many times the memory of its text. */
const PLACES = 2;
const waiting: (() => void)[] = [];
let parsing = 0;

async function placeFree(): Promise<void> {
  while (parsing >= PLACES) await new Promise<void>((resolve) => waiting.push(resolve));
  parsing += 1;
}

async function parseInSlices(text: string): Promise<ParsedJson> {
  const parser = new PieceParser(text);
  const slice = new TimeSlice();
  do await slice.next();
  while (!worked(parser, slice));
  return { value: parser.value, members: parser.members, namesTwice: parser.namesTwice };
}

/** Parses until the time slice ends. Returns true when the whole text is parsed. */
function worked(parser: PieceParser, slice: TimeSlice): boolean {
  while (!slice.isOver) if (parser.advance()) return true;
  return false;
}
