import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import isIBAN from "validator/lib/isIBAN.js";
import isLuhnNumber from "validator/lib/isLuhnNumber.js";
import type { Matcher } from "./matcher";
import type { PersonalData } from "./shared";

/** How a kind of personal data is written, and what tells it from what only looks like it. */
type Form = {
  longest: number;
  /** Without this there is none. */
  hint: RegExp;
  /** Looks at `longest` characters at most from each place: every quantifier is bounded, and none is nested in another that could divide the same text differently. */
  form: RegExp;
  /** How much of a text of that form it is, in UTF-16 units; 0: it only looks like it. */
  lengthOf(text: string): number;
};

const bare = (text: string) => text.replace(/[ .()/-]/g, "");
const lengthIf = (text: string, is: boolean) => (is ? text.length : 0);

const FORMS: Readonly<Record<PersonalData, Form>> = {
  email: {
    longest: 254,
    hint: /@/,
    form: /(?<![\p{L}\p{N}_%+-])[\p{L}\p{N}_.%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4}/gu,
    lengthOf: (text) => text.length,
  },
  /** International numbers, which begin with +: what is a number within one country cannot be told from other figures. */
  phone: {
    longest: 32,
    hint: /\+/,
    form: /(?<![\d+])\+[1-9](?:[ .()/-]{0,2}\d){6,14}(?!\d)/g,
    lengthOf: (text) => lengthIf(text, parsePhoneNumberFromString(bare(text))?.isPossible() === true),
  },
  /** 13 to 19 digits with the check digit of payment cards. */
  card: {
    longest: 40,
    hint: /\d/,
    form: /(?<!\d)[2-6]\d{3}(?:[ -]?\d){9,15}(?!\d)/g,
    lengthOf: (text) => lengthIf(text, isLuhnNumber(bare(text))),
  },
  iban: {
    longest: 45,
    hint: /[A-Z]{2}\d\d/i,
    form: /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}/giu,
    lengthOf: ibanLength,
  },
};

/** The longest beginning of a text that is an IBAN by its country's form and its check digits: words may follow it. */
function ibanLength(text: string): number {
  for (let length = text.length; length >= 15; length -= 1) {
    const candidate = text.slice(0, length);
    if (candidate.at(-1) !== " " && isIBAN(candidate.replaceAll(" ", ""))) return length;
  }
  return 0;
}

/** Finds one kind of personal data. */
export function personalMatcher(kind: PersonalData): Matcher {
  const { longest, hint, form, lengthOf } = FORMS[kind];
  return {
    longest,
    weight: 4,
    mayMatch: (text) => hint.test(text),
    find(text, from) {
      form.lastIndex = from;
      for (let found = form.exec(text); found !== null; found = form.exec(text)) {
        const length = lengthOf(found[0]);
        if (length > 0) return [found.index, found.index + length];
        form.lastIndex = found.index + 1;
      }
      return null;
    },
  };
}
