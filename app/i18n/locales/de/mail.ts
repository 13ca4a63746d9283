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
  signInLink: {
    subject: "Anmeldung bei {{brand}} abschließen",
    text: "Jemand hat das richtige Passwort für Ihr Konto bei {{brand}} eingegeben, aber vorher gab es zu viele Versuche. Wenn Sie das waren, schließen Sie die Anmeldung über diesen Link ab. Er funktioniert nur in dem Browser, in dem Sie sich anmelden wollten.",
    action: "Anmeldung abschließen",
    advice: "Wenn Sie das nicht waren, kennt jemand Ihr Passwort. Wählen Sie jetzt ein neues: {{url}}",
  },
  passwordSet: {
    subject: "Ihr Konto bei {{brand}} hat jetzt ein Passwort",
    text: "Für Ihr Konto bei {{brand}} wurde ein Passwort festgelegt. Sie können sich damit anmelden, ebenso wie über Ihren Identitätsanbieter. Alle anderen Browser sind abgemeldet.",
  },
  linked: {
    subject: "{{provider}} öffnet jetzt Ihr Konto bei {{brand}}",
    text: "Ab jetzt können Sie sich bei {{brand}} mit {{provider}} als {{identity}} anmelden.",
    advice:
      "Wenn Sie das nicht waren, heben Sie die Verknüpfung in den Einstellungen auf und wählen Sie sofort ein neues Passwort.",
    action: "Einstellungen öffnen",
  },
  role: {
    subject: "Ihre Rolle auf {{brand}} wurde geändert",
    text: "{{by}} hat Ihre Rolle auf {{brand}} von {{before}} zu {{after}} geändert. Sie wurden abgemeldet; melden Sie sich neu an, um fortzufahren.",
    advice:
      "Wenn Sie das nicht erwartet haben, fragen Sie eine Administratorin oder einen Administrator Ihrer Organisation.",
    action: "Anmelden",
  },
  granted: {
    subject: "Neue Rolle vergeben auf {{brand}}: {{role}}",
    text: "{{by}} hat {{person}} die Rolle {{role}} gegeben.",
    invited: "{{by}} hat {{person}} mit der Rolle {{role}} eingeladen.",
    advice: "Wenn Sie das nicht erwartet haben, fragen Sie nach und nehmen Sie die Rolle oder die Einladung zurück.",
    action: "Personen öffnen",
  },
  adminKey: {
    subject: "Neuer Admin-Schlüssel in {{organisation}}",
    text: "{{by}} hat in {{organisation}} den Admin-Schlüssel „{{key}}“ erstellt. Damit lassen sich alle Schlüssel der Organisation anlegen und ändern.",
    rotated:
      "{{by}} hat dem Admin-Schlüssel „{{key}}“ in {{organisation}} ein neues Geheimnis gegeben. Damit lassen sich alle Schlüssel der Organisation anlegen und ändern.",
    advice:
      "Wenn weder Sie noch jemand aus dem Team das war, widerrufen Sie den Schlüssel und lassen Sie {{by}} ein neues Passwort wählen.",
    action: "Schlüssel öffnen",
  },
};
