export default {
  greeting: "Guten Tag {{name}},",
  greetingPlain: "Guten Tag,",
  otherwise: "Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:",
  ignore: "Falls Sie das nicht waren, brauchen Sie nichts zu tun.",
  ignoreSignUp:
    "Falls Sie sich nicht registriert haben, brauchen Sie nichts zu tun: Ohne diese Bestätigung entsteht kein Konto.",
  ignoreReset: "Falls Sie das nicht angefordert haben, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist.",
  ignoreInvite: "Falls Sie den Absender nicht kennen, brauchen Sie nichts zu tun.",
  validMinutes_one: "Der Link funktioniert einmal, eine Minute lang.",
  validMinutes_other: "Der Link funktioniert einmal, {{count, number}} Minuten lang.",
  validHours_one: "Der Link funktioniert einmal, eine Stunde lang.",
  validHours_other: "Der Link funktioniert einmal, {{count, number}} Stunden lang.",
  validDays_one: "Der Link funktioniert einmal, einen Tag lang.",
  validDays_other: "Der Link funktioniert einmal, {{count, number}} Tage lang.",
  verify: {
    subject: "Bestätigen Sie Ihre E-Mail-Adresse für {{brand}}",
    text: "Sie haben sich bei {{brand}} als {{email}} registriert. Bestätigen Sie, dass diese Adresse Ihnen gehört, dann ist Ihr Konto bereit.",
    action: "Adresse bestätigen",
  },
  exists: {
    subject: "Sie haben bereits ein Konto bei {{brand}}",
    text: "Jemand, vermutlich Sie, wollte sich gerade mit dieser Adresse bei {{brand}} registrieren. Dafür gibt es schon ein Konto; melden Sie sich einfach an.",
    forgotten: "Wenn Sie das Passwort nicht mehr wissen, können Sie dort ein neues wählen.",
    action: "Anmelden",
  },
  reset: {
    subject: "Ein neues Passwort für {{brand}}",
    text: "Sie haben ein neues Passwort für {{brand}} angefordert. Wählen Sie es hinter diesem Link; alle angemeldeten Browser werden abgemeldet.",
    action: "Neues Passwort wählen",
  },
  provider: {
    subject: "So melden Sie sich bei {{brand}} an",
    text: "Sie haben ein neues Passwort für {{brand}} angefordert. Ihr Konto hat keines: Sie melden sich mit {{provider}} an.",
    action: "Zur Anmeldung",
  },
  invite: {
    subject: "Einladung zu {{organisation}} auf {{brand}}",
    text: "{{invitedBy}} lädt Sie ein, auf {{brand}} mit {{organisation}} zu arbeiten.",
    role: "Ihre Rolle: {{role}}.",
    action: "Einladung ansehen",
  },
  newSignIn: {
    subject: "Neue Anmeldung bei Ihrem Konto auf {{brand}}",
    text: "Ihr Konto bei {{brand}} wurde soeben in einem Browser benutzt, in dem es bisher nicht benutzt wurde.",
    facts: "{{at}}, von {{address}}, {{browser}}",
    advice:
      "Wenn Sie das waren, ist alles in Ordnung. Wenn nicht, wählen Sie sofort ein neues Passwort: Das meldet alle Browser ab.",
    action: "Neues Passwort wählen",
  },
  passwordChanged: {
    subject: "Ihr Passwort für {{brand}} wurde geändert",
    text: "Das Passwort Ihres Kontos bei {{brand}} wurde soeben geändert. Alle anderen Browser sind abgemeldet.",
    advice: "Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort.",
    action: "Neues Passwort wählen",
  },
  payerNomination: {
    subject: "Zahlen Sie für {{organisation}}?",
    text: "{{asker}} bittet Sie, für alle in {{organisation}} zu zahlen.",
    meaning:
      "Wenn Sie zustimmen, wird alles, was dort genutzt wird, Ihrem eigenen Guthaben belastet, auch dessen Kredit. Sie können ablehnen und jederzeit aufhören.",
    action: "Anfrage ansehen",
    until: "Bis Sie zustimmen, ändert sich nichts.",
  },
};
