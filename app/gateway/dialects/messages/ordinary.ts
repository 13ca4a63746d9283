/**
 * One event that grows a block by text, as the vendor writes it, on two lines. The pattern takes valid JSON only, so
 * that what passes by it would have been read without a problem; every other way of writing the same is parsed.
 */
const GROWTH =
  /event: content_block_delta\ndata: \{"type":"content_block_delta","index":(?:0|[1-9]\d{0,5}),"delta":\{"type":"\w{1,40}","(?:text|thinking|partial_json)":"[ !#-[\]-\xff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\xff]*)*"\} *\}\n\n/y;

/**
 * How many bytes at the beginning of a chunk are whole events that do nothing but grow a block. The chunk begins with an
 * event. `chunk`: its bytes as Latin-1, a character for each byte.
 */
export function ordinaryLength(chunk: string): number {
  let end = 0;
  GROWTH.lastIndex = 0;
  while (GROWTH.test(chunk)) end = GROWTH.lastIndex;
  return end;
}
