import { BlockList, isIP } from "node:net";

/**
 * Whether `NO_PROXY` matches a host: by its name or a parent domain, with or without a leading `.` or `*.`; by its
 * address, or a network such as `10.0.0.0/8`; with a port, which must be equal; or by `*`, which matches every host.
 */
export function isReachedDirectly({ host, port }: { host: string; port: number }, noProxy: string): boolean {
  const entries = noProxy.split(/[\s,]+/).filter((entry) => entry !== "");
  return entries.some((entry) => names(entry.toLowerCase(), host.toLowerCase().replace(/\.$/, ""), port));
}

function names(entry: string, host: string, port: number): boolean {
  if (entry === "*") return true;
  const [, bracketed, plain, onlyPort] =
    /^(?:\[(.+)\]|(.*?))(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
  if (onlyPort !== undefined && Number(onlyPort) !== port) return false;
  const named = bracketed ?? plain ?? "";
  if (isIP(host) !== 0) return isInNetwork(host, named);
  const name = named.replace(/^\*?\./, "");
  return name !== "" && (host === name || host.endsWith(`.${name}`));
}

function isInNetwork(address: string, network: string): boolean {
  const [start = "", bits] = network.split("/");
  const family = isIP(start) === 6 ? "ipv6" : "ipv4";
  const width = family === "ipv6" ? 128 : 32;
  const length = bits === undefined ? width : Number(bits);
  if (isIP(start) === 0 || !Number.isInteger(length) || length < 0 || length > width) return false;
  const list = new BlockList();
  list.addSubnet(start, length, family);
  return list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
