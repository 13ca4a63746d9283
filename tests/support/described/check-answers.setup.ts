import { afterAll, afterEach } from "vitest";
import { type Judge, judgeBy } from "./judge-answer";
import { endRecordings, learntDescription, takeAnswers } from "./recording";

let judge: Judge | null = null;

/** Every answer that a server of a test gives, to whatever client, has to be as the service describes itself. */
function check(): void {
  const document = learntDescription();
  if (document === null) return;
  judge ??= judgeBy(document);
  const wrong = new Set(
    takeAnswers()
      .map(judge)
      .filter((each) => each !== null),
  );
  if (wrong.size > 0) throw new Error(`answers that are not as described:\n  ${[...wrong].join("\n  ")}`);
}

afterEach(check);
afterAll(() => {
  try {
    check();
  } finally {
    endRecordings();
  }
});
