/** Links to further pages. */
export function ReadNext({
  title,
  links,
}: {
  title: string;
  links: readonly (readonly [path: string, name: string, text: string])[];
}) {
  return (
    <nav aria-label={title} className="mt-20 grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {links.map(([path, name, text]) => (
        <a key={path} href={path} className="panel group block px-5 py-4 hover:border-line-strong">
          <span className="font-semibold group-hover:text-accent">
            {name} <span aria-hidden="true">→</span>
          </span>
          <span className="mt-1 block text-ink-2">{text}</span>
        </a>
      ))}
    </nav>
  );
}
