import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";

/** Words that passwords are made of in our four languages; the package's lists know mostly English ones. */
const WORDS =
  "passwort kennwort motdepasse contrasena clave geheim secreto hallo bonjour hola willkommen bienvenue bienvenido admin " +
  "administrator root gateway computer changeme letmein spring summer autumn winter frühling fruehling sommer herbst printemps " +
  "automne hiver primavera verano otono invierno januar februar maerz april juni juli august september oktober november " +
  "dezember janvier fevrier mars avril juin juillet aout octobre decembre enero febrero marzo abril junio julio agosto " +
  "septiembre octubre noviembre diciembre";

/**
 * Made for the first password, which takes a tenth of a second and three megabytes. Every further list and every further reading of figures as
 * emails multiplies the time that one password can take: 32 characters made to be slow take 20 ms as it is, 128 with the
 * package's own limits and its English lists 2.5 seconds.
 */
function once(): ZxcvbnFactory {
  estimator ??= new ZxcvbnFactory({
    dictionary: { passwords: dictionary["passwords-common"], words: WORDS.split(" ") },
    graphs: adjacencyGraphs,
    l33tMaxSubstitutions: 10,
  });
  return estimator;
}
let estimator: ZxcvbnFactory | null = null;
const MAX_PIECE_LENGTH = 32;

/** "Safely unguessable" by the package's scale from 0 to 4: more than a hundred million guesses. */
const STRONG_SCORE = 3;

/**
 * Whether a password is one that is guessed early: common words, dates, rows of the keyboard, repetitions and what can be made
 * of them. Of a long one the beginning and the end are looked at, because it is as strong as its strongest part at least.
 */
export function isWeakPassword(password: string): boolean {
  const pieces = [password.slice(0, MAX_PIECE_LENGTH)];
  if (password.length > MAX_PIECE_LENGTH) pieces.push(password.slice(-MAX_PIECE_LENGTH));
  const zxcvbn = once();
  return pieces.every((piece) => zxcvbn.check(piece).score < STRONG_SCORE);
}
