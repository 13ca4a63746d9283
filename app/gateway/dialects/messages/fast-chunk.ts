/**
 * One event that adds text to a block, in the vendor's two-line form. The pattern matches only valid JSON, so that
 * every event that skips the parser would have passed it. All other spellings of the same event are parsed.
 */
const GROWTH =
  /event: content_block_delta\ndata: \{"type":"content_block_delta","index":(?:0|[1-9]\d{0,5}),"delta":\{"type":"\w{1,40}","(?:text|thinking|partial_json)":"[ !#-[\]-\xff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\xff]*)*"\} *\}\n\n/y;

/**
 * Returns the number of bytes at the start of a chunk that are complete events which only add text to a block. The
 * chunk starts with an event. `chunk`: its bytes as Latin-1, one character per byte.
 */
export function ordinaryLength(chunk: string): number {
  let end = 0;
  GROWTH.lastIndex = 0;
  while (GROWTH.test(chunk)) end = GROWTH.lastIndex;
  return end;
}
