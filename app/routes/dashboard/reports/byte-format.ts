import { useDocumentFacts } from "~/ui/shell/document-context";

const UNITS = ["byte", "kilobyte", "megabyte"] as const;

/** Returns a function that formats sizes in the reader's language, in powers of 1,000 bytes. */
export function useByteFormat(): (bytes: number) => string {
  const { language } = useDocumentFacts();
  return (bytes) => {
    const step = bytes < 1_000 ? 0 : bytes < 1_000_000 ? 1 : 2;
    const length = step === 0 ? { unitDisplay: "long" as const } : { maximumFractionDigits: 1 };
    const format = { style: "unit", unit: UNITS[step], ...length } as const;
    return new Intl.NumberFormat(language, format).format(bytes / 1_000 ** step);
  };
}
