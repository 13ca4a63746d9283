/** The visible part of a secret. */
export function SecretHint({
  of: { secretPrefix, secretLast4 },
}: {
  of: { secretPrefix: string; secretLast4: string };
}) {
  return (
    <span className="mono">
      {secretPrefix}…{secretLast4}
    </span>
  );
}
