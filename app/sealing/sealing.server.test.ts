import { afterEach, describe, expect, test } from "vitest";
import { readConfig, setConfig } from "../config.server";
import { CannotOpen, resealed, seal, unseal } from "./sealing.server";

const OLD = "an-old-secret-of-more-than-32-characters";
const NEW = "a-new-secret-of-more-than-32-characters!";
const use = (...secrets: string[]) => setConfig(readConfig({ GW_SECRET: secrets.join(",") }));
afterEach(() => setConfig(readConfig({})));

describe("what is sealed", () => {
  test("is not readable, is different each time, and opens in its place", () => {
    use(OLD);
    const [one, other] = [seal("sk-supplier-ü", "a/1"), seal("sk-supplier-ü", "a/1")];
    expect(one).not.toBe(other);
    expect(one).not.toContain("supplier");
    expect(Buffer.from(one.split(".")[3]!, "base64url").toString("latin1")).not.toContain("supplier");
    expect([unseal(one, "a/1"), unseal(other, "a/1")]).toEqual(["sk-supplier-ü", "sk-supplier-ü"]);
  });

  test("does not open in another place, changed, or with another secret", () => {
    use(OLD);
    const sealed = seal("sk", "a/1");
    expect(() => unseal(sealed, "a/2")).toThrow(CannotOpen);
    expect(() => unseal(`${sealed.slice(0, -3)}AAA`, "a/1")).toThrow(CannotOpen);
    expect(() => unseal("sk", "a/1")).toThrow(CannotOpen);
    use(NEW);
    expect(() => unseal(sealed, "a/1")).toThrow(CannotOpen);
  });

  test("opens with an older secret, and is carried over to the newest one", () => {
    use(OLD);
    const sealed = seal("sk", "a/1");
    expect(resealed(sealed, "a/1")).toBeNull();
    use(NEW, OLD);
    expect(unseal(sealed, "a/1")).toBe("sk");
    const moved = resealed(sealed, "a/1")!;
    expect(resealed(moved, "a/1")).toBeNull();
    use(NEW);
    expect(unseal(moved, "a/1")).toBe("sk");
  });
});
