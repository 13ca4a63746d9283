/** Estimated size of a Unicode class, which has hundreds of ranges in both cases. */
const UNICODE_CLASS = 40;
const REPEAT = /^\{(\d{1,9})(?:(,)(\d{0,9}))?\}/;

/**
 * Estimates the number of instructions of a pattern before optimisation, in one pass over its text, including nested
 * repetitions. The time and memory of compilation depend on it, so it is checked first. Infinity for repetitions that
 * cannot be counted.
 */
export function estimatedSize(pattern: string): number {
  /** For each open group: its size so far, and the size of its last atom, which a repetition multiplies. */
  const groups = [{ sum: 0, last: 0 }];
  let at = 0;
  const atom = (size: number) => {
    const group = groups.at(-1)!;
    group.sum += group.last;
    group.last = size;
  };
  while (at < pattern.length) {
    const character = pattern[at]!;
    const group = groups.at(-1)!;
    const repeat = character === "{" ? REPEAT.exec(pattern.slice(at, at + 24)) : null;
    if (repeat !== null) {
      const [text, minCount, comma, maxCount] = repeat;
      group.last =
        (group.last + 1) * Math.max(1, Number(minCount) + (comma && !maxCount ? 1 : 0), Number(maxCount ?? 0));
      at += text.length;
    } else if (character === "\\") {
      const length = escapeLength(pattern, at);
      if (/^\\[pP]/.test(pattern.slice(at))) atom(UNICODE_CLASS);
      else for (let remaining = pattern.startsWith("\\Q", at) ? length : 1; remaining > 0; remaining -= 1) atom(1);
      at += length;
    } else if (character === "[") {
      const { length, size } = classAt(pattern, at);
      atom(size);
      at += length;
    } else if (character === "(") {
      groups.push({ sum: 0, last: 0 });
      at += /^\(\?(?:P?<[^>]{0,100}>|[a-zA-Z-]{0,20}:?)/.exec(pattern.slice(at))?.[0].length ?? 1;
    } else if (character === ")" && groups.length > 1) {
      const { sum, last } = groups.pop()!;
      atom(sum + last + 1);
      at += 1;
    } else {
      if (/[*+?|]/.test(character)) group.sum += 1;
      else atom(1);
      at += 1;
    }
  }
  return groups.reduce((size, { sum, last }) => size + sum + last, 0);
}

/** Returns the length of the escape sequence at a position: `\Q` extends to `\E`, a class includes its name. */
function escapeLength(pattern: string, at: number): number {
  const rest = pattern.slice(at);
  if (rest.startsWith("\\Q")) {
    const end = rest.indexOf("\\E");
    return end < 0 ? rest.length : end + 2;
  }
  return (/^\\(?:[pPx]\{[^}]{0,100}\}|[pP].|x[0-9A-Fa-f]{2}|[0-7]{2,3})/.exec(rest)?.[0] ?? rest.slice(0, 2)).length;
}

/** Returns length and size of a bracket expression, including named classes. */
function classAt(pattern: string, from: number): { length: number; size: number } {
  let size = 1;
  let at = from + (/^\[\^?\]?/.exec(pattern.slice(from))?.[0].length ?? 1);
  while (at < pattern.length && pattern[at] !== "]") {
    if (pattern[at] === "\\") {
      if (/^\\[pP]/.test(pattern.slice(at))) size += UNICODE_CLASS;
      at += escapeLength(pattern, at);
    } else {
      const name = /^\[:\^?\w{1,20}:\]/.exec(pattern.slice(at, at + 26));
      at += name?.[0].length ?? 1;
    }
  }
  return { length: at + 1 - from, size };
}
