// Generates the load in a process of its own: node load.mjs '<json of the options of autocannon>'. Prints the result.
// Every answer is checked: a rejected, incomplete or wrong one has failed, and is not counted as a request.
import autocannon from "autocannon";
import { answerCheck } from "./answers.mjs";

const { answers, ...options } = JSON.parse(process.argv[2]);
const result = await autocannon({ ...options, verifyBody: answerCheck(answers) });
const requests = result["2xx"] - result.mismatches;
const statuses = Object.entries(result.statusCodeStats ?? {})
  .map(([status, { count }]) => `${status}: ${count}`)
  .join(", ");
process.stdout.write(
  JSON.stringify({
    requests,
    perSecond: requests / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts + result.mismatches,
    how: `${result.mismatches} with a wrong answer, ${result.errors} errors, ${result.timeouts} too late, statuses ${statuses}`,
  }),
);
