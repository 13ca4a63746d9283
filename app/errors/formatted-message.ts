import { CATALOGUE } from "./catalogue";

/** Returns `<code> - <human_message>`, the format of `error.message`. */
export function formatMessage(code: string, humanMessage: string): string {
  return `${code} - ${humanMessage}`;
}

/**
 * Splits a formatted message at the first ` - ` if the text before it is a valid code: one of the catalogue, a
 * supplier's identifier (`insufficient_quota`, `DeploymentNotFound`) or a JSON-RPC number. Does not split other texts.
 */
export function splitFormatted(message: string): { code: string | null; humanMessage: string } {
  const end = message.indexOf(" - ");
  if (end <= 0) return { code: null, humanMessage: message };
  const code = message.slice(0, end);
  return isValidCode(code) ? { code, humanMessage: message.slice(end + 3) } : { code: null, humanMessage: message };
}

// A plain English word before a dash is not a code, so an identifier must have joined words or an inner capital letter.
const IDENTIFIER = /^(?=.{3,100}$)[A-Za-z][A-Za-z0-9]*(?:[_.:/][A-Za-z0-9]+)+$|^[A-Za-z][a-z0-9]+(?:[A-Z][a-z0-9]+)+$/;
const JSON_RPC_NUMBER = /^-\d{1,6}$/;

function isValidCode(code: string): boolean {
  return CATALOGUE.has(code) || (code.length <= 100 && (IDENTIFIER.test(code) || JSON_RPC_NUMBER.test(code)));
}
