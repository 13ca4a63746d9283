import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import isIBAN from "validator/lib/isIBAN.js";
import isLuhnNumber from "validator/lib/isLuhnNumber.js";
import type { Matcher } from "./matcher";
import type { PersonalData } from "./shared";

/** The syntax of a kind of personal data, and a check that excludes false positives. */
type Form = {
  longest: number;
  /** A text without a match of this contains no such data. */
  hint: RegExp;
  /**
   * Examines at most `longest` characters from each position: every quantifier is bounded, and no nested quantifiers
   * can divide the same text.
   */
  form: RegExp;
  /** Length of the data at the start of a matched text, in UTF-16 units; 0: a false positive. */
  lengthOf(text: string): number;
};

const withoutSeparators = (text: string) => text.replace(/[ .()/-]/g, "");
const lengthIf = (text: string, is: boolean) => (is ? text.length : 0);

const FORMS: Readonly<Record<PersonalData, Form>> = {
  email: {
    longest: 254,
    hint: /@/,
    form: /(?<![\p{L}\p{N}_%+-])[\p{L}\p{N}_.%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4}/gu,
    lengthOf: (text) => text.length,
  },
  /** International numbers with +. National numbers cannot be distinguished from other digits. */
  phone: {
    longest: 32,
    hint: /\+/,
    form: /(?<![\d+])\+[1-9](?:[ .()/-]{0,2}\d){6,14}(?!\d)/g,
    lengthOf: (text) => lengthIf(text, parsePhoneNumberFromString(withoutSeparators(text))?.isPossible() === true),
  },
  /** 13 to 19 digits with the check digit of payment cards. */
  card: {
    longest: 40,
    hint: /\d/,
    form: /(?<!\d)[2-6]\d{3}(?:[ -]?\d){9,15}(?!\d)/g,
    lengthOf: (text) => lengthIf(text, isLuhnNumber(withoutSeparators(text))),
  },
  iban: {
    longest: 45,
    hint: /[A-Z]{2}\d\d/i,
    form: /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}/giu,
    lengthOf: ibanLength,
  },
};

/**
 * Returns the length of the longest IBAN at the start of a text, by its country's format and check digits; words may
 * follow it.
 */
function ibanLength(text: string): number {
  for (let length = text.length; length >= 15; length -= 1) {
    const candidate = text.slice(0, length);
    if (candidate.at(-1) !== " " && isIBAN(candidate.replaceAll(" ", ""))) return length;
  }
  return 0;
}

/** Returns a matcher for one kind of personal data. */
export function personalMatcher(kind: PersonalData): Matcher {
  const { longest, hint, form, lengthOf } = FORMS[kind];
  return {
    longest,
    weight: 4,
    mayMatch: (text) => hint.test(text),
    find(text, from) {
      form.lastIndex = from;
      for (let match = form.exec(text); match !== null; match = form.exec(text)) {
        const length = lengthOf(match[0]);
        if (length > 0) return [match.index, match.index + length];
        form.lastIndex = match.index + 1;
      }
      return null;
    },
  };
}
