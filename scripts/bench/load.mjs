// The load, in a process of its own: node load.mjs '<json of the options of autocannon>'. Prints what it measured.
import autocannon from "autocannon";

const result = await autocannon(JSON.parse(process.argv[2]));
process.stdout.write(
  JSON.stringify({
    requests: result.requests.total,
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts,
  }),
);
