import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";

/** Words common in passwords in the four languages; the package's lists are mostly English. */
const WORDS =
  "passwort kennwort motdepasse contrasena clave geheim secreto hallo bonjour hola willkommen bienvenue bienvenido admin " +
  "administrator root gateway computer changeme letmein spring summer autumn winter frühling fruehling sommer herbst printemps " +
  "automne hiver primavera verano otono invierno januar februar maerz april juni juli august september oktober november " +
  "dezember janvier fevrier mars avril juin juillet aout octobre decembre enero febrero marzo abril junio julio agosto " +
  "septiembre octubre noviembre diciembre";

/**
 * Creates the estimator for the first password, which takes 100 ms and 3 MB. Each further word list or substitution of
 * characters multiplies the time that one password can take: 32 characters made to be slow take 20 ms with these lists,
 * 128 characters with the package's own limits and its English lists 2.5 s.
 */
function zxcvbnFactory(): ZxcvbnFactory {
  estimator ??= new ZxcvbnFactory({
    dictionary: { passwords: dictionary["passwords-common"], words: WORDS.split(" ") },
    graphs: adjacencyGraphs,
    l33tMaxSubstitutions: 10,
  });
  return estimator;
}
let estimator: ZxcvbnFactory | null = null;
const MAX_PIECE_LENGTH = 32;

/** "Safely unguessable" on the package's scale from 0 to 4: more than 10^8 guesses. */
const STRONG_SCORE = 3;

/**
 * Returns whether a password is easy to guess: common words, dates, keyboard rows, repetitions and their combinations.
 * Of a long password only the beginning and the end are checked, because it is at least as strong as its strongest
 * part.
 */
export function isWeakPassword(password: string): boolean {
  const pieces = [password.slice(0, MAX_PIECE_LENGTH)];
  if (password.length > MAX_PIECE_LENGTH) pieces.push(password.slice(-MAX_PIECE_LENGTH));
  const zxcvbn = zxcvbnFactory();
  return pieces.every((piece) => zxcvbn.check(piece).score < STRONG_SCORE);
}
