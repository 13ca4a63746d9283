import type { Role } from "~/domain/accounts/shared";

export type CastPerson = { name: string; role: Role; department: string | null; language?: string };

export type CastOrganisation = {
  name: string;
  domain: string;
  /** Name of its reseller, which is earlier in this list. */
  resoldBy?: string;
  /** True for the operator's own organisation. */
  billingExempt: boolean;
  monthlyBudgetUsd: number | null;
  /** Credited to its wallet at the start, and again every thirty days. */
  grantUsd: number;
  brand?: { brandName: string; accentColour: string };
  departments: readonly string[];
  projects: readonly string[];
  people: readonly CastPerson[];
  invitations: readonly { name: string; role: Role }[];
};

const person = (name: string, role: Role, department: string | null, language?: string): CastPerson => ({
  name,
  role,
  department,
  language,
});

/**
 * The organisations and people of the demo. The first person of an organisation is its leader; the first organisation
 * operates the installation.
 */
export const CAST: readonly CastOrganisation[] = [
  {
    name: "Kestrel Cloud",
    domain: "kestrel.example",
    billingExempt: true,
    monthlyBudgetUsd: null,
    grantUsd: 0,
    departments: ["Platform", "Support"],
    projects: ["Status page assistant"],
    people: [
      person("Ada Lindqvist", "owner", null),
      person("Bram de Vries", "platform_admin", null),
      person("Chiara Rossi", "department_admin", "Platform"),
      person("Dmitri Orlov", "member", "Platform"),
      person("Esther Mwangi", "department_admin", "Support"),
      person("Felix Braun", "member", "Support", "de"),
      person("Grace Kim", "viewer", null),
    ],
    invitations: [{ name: "Hugo Sato", role: "member" }],
  },
  {
    name: "Alpine Partners",
    domain: "alpine.example",
    billingExempt: false,
    monthlyBudgetUsd: 400,
    grantUsd: 150,
    brand: { brandName: "Alpine AI", accentColour: "#0a6f5f" },
    departments: ["Engineering", "Research", "Marketing"],
    projects: ["Contract review", "Product search"],
    people: [
      person("Ines Moreau", "org_admin", null, "fr"),
      person("Jonas Weber", "org_admin", null, "de"),
      person("Keiko Tanaka", "department_admin", "Engineering"),
      person("Liam O'Connor", "member", "Engineering"),
      person("Marta Nowak", "member", "Engineering"),
      person("Noor Haddad", "member", "Engineering"),
      person("Omar Farouk", "department_admin", "Research"),
      person("Paula Santos", "member", "Research", "es"),
      person("Quentin Dubois", "member", "Research", "fr"),
      person("Rosa García", "department_admin", "Marketing", "es"),
      person("Sven Olsen", "member", "Marketing"),
      person("Tara Singh", "member", "Marketing"),
      person("Uwe Krüger", "viewer", null, "de"),
    ],
    invitations: [
      { name: "Vera Petrova", role: "member" },
      { name: "Willem Jansen", role: "department_admin" },
    ],
  },
  {
    name: "Lumen Health",
    domain: "lumen.example",
    resoldBy: "Alpine Partners",
    billingExempt: false,
    monthlyBudgetUsd: 60,
    grantUsd: 80,
    departments: ["Clinical", "Operations"],
    projects: ["Discharge letters", "Appointment bot"],
    people: [
      person("Xenia Papadaki", "org_admin", null),
      person("Yusuf Demir", "department_admin", "Clinical"),
      person("Zoe Martin", "member", "Clinical", "fr"),
      person("Aaron Levy", "member", "Clinical"),
      person("Bea Fischer", "member", "Clinical", "de"),
      person("Carlos Ruiz", "department_admin", "Operations", "es"),
      person("Dana Cohen", "member", "Operations"),
      person("Emil Larsen", "member", "Operations"),
      person("Farah Aziz", "member", "Operations"),
      person("Gina Bianchi", "viewer", null),
    ],
    invitations: [{ name: "Hana Ito", role: "member" }],
  },
];

/** Returns a person's demo address: `ines.moreau@alpine.example`. */
export const addressOf = (name: string, domain: string): string => {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return `${plain.replace(/[^a-z]+/g, ".")}@${domain}`;
};
