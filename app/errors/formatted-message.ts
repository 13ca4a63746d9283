import { CATALOGUE } from "./catalogue";

/** `<code> - <human_message>`, the form that `error.message` has. */
export function formatMessage(code: string, humanMessage: string): string {
  return `${code} - ${humanMessage}`;
}

/**
 * Takes a formatted message apart at the first ` - `, if what stands before it is a valid code: one of the catalogue,
 * a supplier's identifier (`insufficient_quota`, `DeploymentNotFound`) or a JSON-RPC number. Other text stays whole.
 */
export function splitFormatted(message: string): { code: string | null; humanMessage: string } {
  const end = message.indexOf(" - ");
  if (end <= 0) return { code: null, humanMessage: message };
  const code = message.slice(0, end);
  return isValidCode(code) ? { code, humanMessage: message.slice(end + 3) } : { code: null, humanMessage: message };
}

// An English word in front of a dash is not a code, so an identifier has to look like one: joined words or an inner capital.
const IDENTIFIER = /^(?=.{3,100}$)[A-Za-z][A-Za-z0-9]*(?:[_.:/][A-Za-z0-9]+)+$|^[A-Za-z][a-z0-9]+(?:[A-Z][a-z0-9]+)+$/;
const JSON_RPC_NUMBER = /^-\d{1,6}$/;

function isValidCode(code: string): boolean {
  return CATALOGUE.has(code) || (code.length <= 100 && (IDENTIFIER.test(code) || JSON_RPC_NUMBER.test(code)));
}
