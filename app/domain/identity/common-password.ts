const ROOTS = new Set(
  (
    "password passwort passwd motdepasse contrasena qwerty qwertyuiop qwertz azerty asdfghjkl zxcvbnm letmein iloveyou welcome " +
    "willkommen bienvenue bienvenido admin administrator root changeme secret geheim hallo hello sunshine princess dragon " +
    "monkey football baseball superman batman starwars pokemon master shadow michael jordan charlie computer internet " +
    "samsung google facebook whatever trustno freedom mustang summer winter spring sommer"
  ).split(" "),
);
const ROWS = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890",
  "qwertyuiop",
  "qwertzuiop",
  "azertyuiop",
  "asdfghjkl",
  "zxcvbnm",
];

const LEET: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/**
 * Whether a password is one of those that are tried first: a common word with digits around it, also written with figures
 * for letters, a row of the keyboard, or a short piece repeated.
 */
export function isCommonPassword(password: string): boolean {
  const lower = password.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const plain = lower.replace(/[^a-z]/g, "");
  const spelled = lower.replace(/[0134579@$!]/g, (mark) => LEET[mark] ?? mark).replace(/[^a-z]/g, "");
  if (ROOTS.has(plain) || ROOTS.has(spelled) || ROOTS.has(spelled.replace(/(?:i|e|o)+$/, ""))) return true;
  if (isRepeated(lower) || isRow(lower)) return true;
  return isRepeated(plain) && plain.length >= 8 && ROOTS.has(plain.slice(0, plain.length / 2));
}

/** The same few characters over and over: "abcabcabcabc". */
function isRepeated(text: string): boolean {
  for (let size = 1; size <= Math.min(4, text.length / 2); size += 1) {
    if (
      text ===
      text
        .slice(0, size)
        .repeat(Math.ceil(text.length / size))
        .slice(0, text.length)
    )
      return true;
  }
  return false;
}

/** Made of pieces of four and more from the rows of a keyboard, forwards or backwards. */
function isRow(text: string): boolean {
  const rows = ROWS.flatMap((row) => [row + row, [...(row + row)].toReversed().join("")]);
  let at = 0;
  while (at < text.length) {
    let size = 0;
    while (at + size < text.length && rows.some((row) => row.includes(text.slice(at, at + size + 1)))) size += 1;
    if (size < 3) return false;
    at += size;
  }
  return true;
}
