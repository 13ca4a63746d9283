/** As much of a secret as anybody may see. */
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
