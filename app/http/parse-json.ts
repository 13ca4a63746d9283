import { apiError } from "~/errors/app-error";
import { TimeSlice } from "~/time-slice";
import type { Member } from "./json-surgery";
import { PieceParser } from "./piece-parser";

/** A JSON text with its value. `members`: those of an object at its top, by their places in the text. */
export type ParsedJson = {
  value: unknown;
  members: readonly Member[];
  /** In some object a name stands twice: `value` has the last of them, and another parser may take the first. */
  namesTwice: boolean;
};

/** The worst of texts up to this length is parsed at once in less than three milliseconds. */
const SMALL_CHARACTERS = 64 * 1024;

/**
 * Parses a client's JSON text that is long, piece by piece, so that nobody waits for it. Null for a short one, which
 * JSON.parse takes at once.
 * @throws AppError invalid_json; request_too_large for more members, texts or lists than anybody means.
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

/** So many texts are parsed at once: a value takes many times the memory of its text. */
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

/** Works through a slice. True when all of the text is read. */
function worked(parser: PieceParser, slice: TimeSlice): boolean {
  while (!slice.isOver) if (parser.advance()) return true;
  return false;
}
