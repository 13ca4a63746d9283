/** Table of contents of a long page, beside the text if there is room. */
export function SideList({
  title,
  links,
}: {
  title: string;
  links: readonly { path: string; name: string; isHere?: boolean }[];
}) {
  return (
    <nav aria-label={title} className="side-list not-printed text-md">
      <p className="mb-2 text-sm text-ink-3">{title}</p>
      <ul className="border-line border-l">
        {links.map(({ path, name, isHere }) => (
          <li key={path}>
            <a href={path} aria-current={isHere ? "page" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
