// Answers of the benchmark's supplier, and a check that they arrive unchanged.

/** Number of stream events with a word, by the supplier's dialect; each stream has about a hundred events in total. */
export const STREAMED_WORDS = { chat: 98, messages: 97, responses: 92 };
/** The text of a whole answer. */
export const WHOLE_TEXT = "word ".repeat(100);

const ENDS = {
  chat: "data: [DONE]\n\n",
  messages: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  responses: "}}\n\n",
};
const STREAMED = /"(?:content|text|delta)":" word\d+"/g;
/** One in this number of answers is checked completely. */
const SAMPLE = 20;

/**
 * Returns a check for one body after another. `client` and `supplier` are dialects. Of every stream, it counts the
 * events with words and compares the last event; every twentieth answer is parsed and its text compared.
 */
export function answerCheck({ client, supplier, stream }) {
  const expected = stream ? words(STREAMED_WORDS[supplier]) : WHOLE_TEXT;
  let seen = 0;
  return (body) => {
    seen += 1;
    if (stream && !body.endsWith(ENDS[client])) return false;
    if (stream && (body.match(STREAMED)?.length ?? 0) !== STREAMED_WORDS[supplier]) return false;
    if (!stream && !body.endsWith("}")) return false;
    if (seen % SAMPLE !== 1) return true;
    try {
      return (stream ? streamedText(body) : wholeText(JSON.parse(body))) === expected;
    } catch {
      return false;
    }
  };
}

const words = (count) => Array.from({ length: count }, (_, i) => ` word${i}`).join("");

const wholeText = ({ choices, content, output }) =>
  choices ? choices[0].message.content : (content ?? output[0].content)[0].text;

const streamedText = (body) =>
  body
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice(6)))
    .map(streamedPiece)
    .join("");

function streamedPiece({ choices, delta }) {
  if (choices) return choices[0]?.delta.content ?? "";
  return typeof delta === "string" ? delta : (delta?.text ?? "");
}
