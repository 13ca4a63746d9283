import type { ShownField } from "./shared";

/** Fields with their nested fields, as a tree. */
export function FieldTree({ fields }: { fields: readonly ShownField[] }) {
  return (
    <ul className="field-tree">
      {fields.map((field) => (
        <Field key={field.name} field={field} />
      ))}
    </ul>
  );
}

function Field({ field: { name, type, isRequired, description, rules, inner } }: { field: ShownField }) {
  const about = [...(isRequired ? ["required"] : []), ...rules].join(", ");
  return (
    <li>
      <dfn>{name}</dfn>
      <small>{type}</small>
      {about ? <small>{about}</small> : null}
      {description ? <p>{description.replaceAll("`", "")}</p> : null}
      {inner.length > 0 ? (
        <ul>
          {inner.map((field) => (
            <Field key={field.name} field={field} />
          ))}
        </ul>
      ) : null}
    </li>
  );
}
