/**
 * Numbers that depend only on a seed and a name, so that a run can be repeated and verified.
 * @param {string} text
 * @returns {number} 32 bits
 */
function hashOf(text) {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 2246822507);
  hash = Math.imul(hash ^ (hash >>> 13), 3266489909);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** @param {string} text @returns {number} from 0 (inclusive) to 1 (exclusive) */
export const fractionOf = (text) => hashOf(text) / 2 ** 32;

/** @param {string} text @param {number} low @param {number} high @returns {number} an integer, both ends included */
export const between = (text, low, high) => low + Math.floor(fractionOf(text) * (Math.max(low, high) - low + 1));
