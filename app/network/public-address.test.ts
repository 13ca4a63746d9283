import { expect, test } from "vitest";
import { isPublicAddress, publicLookup } from "./public-address";

test.each([
  ...["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"],
  ...["255.255.255.255", "::1", "::", "fe80::1", "fd00::1", "fc00::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8"],
  ...["64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:1::", "2001:db8::1", "ff02::1", "not an address", ""],
])("%s is not public", (address) => expect(isPublicAddress(address)).toBe(false));

test.each(["8.8.8.8", "172.32.0.1", "2606:4700::1111"])("%s is public", (address) =>
  expect(isPublicAddress(address)).toBe(true),
);

test("a name that leads to this machine does not resolve for a connection", async () => {
  const problem = await new Promise((resolve) => publicLookup("localhost", {}, (error) => resolve(error?.name)));
  expect(problem).toBe("PrivateAddress");
});
