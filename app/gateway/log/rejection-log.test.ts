import { expect, test } from "vitest";
import { apiError } from "~/errors/app-error";
import { aCaller } from "../__fixtures__/fake-suppliers";
import { Call } from "../call-record";
import { flushRejections, recordRejection } from "./rejection-log";

test("refusals that are noted while the process closes its database are lost without ending it", async () => {
  const call = new Call(new Request("http://gw/v1/chat/completions", { method: "POST" }));
  recordRejection({ call, caller: aCaller(), inference: null }, apiError("billing_unavailable"));
  call.close();
  await expect(flushRejections()).resolves.toBeUndefined();
});
