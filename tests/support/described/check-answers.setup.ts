import { afterAll, afterEach } from "vitest";
import { judgeBy } from "./judge-answer";
import { endRecordings, learntDescription, takeAnswers } from "./recording";

/** Fails a test if an answer of its servers, to any client, differs from the service's own OpenAPI description. */
function check(): void {
  const document = learntDescription();
  if (document === null) return;
  const wrong = new Set(
    takeAnswers()
      .map(judgeBy(document))
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
