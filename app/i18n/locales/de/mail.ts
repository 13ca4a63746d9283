export default {
  greeting: "Guten Tag {{name}},",
  greetingPlain: "Guten Tag,",
  otherwise: "Falls die Schaltfläche nicht funktioniert, öffnen Sie diesen Link:",
  ignore: "Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren.",
  ignoreSignUp:
    "Wenn Sie sich nicht registriert haben, können Sie diese E-Mail ignorieren. Ohne diese Bestätigung wird kein Konto erstellt.",
  ignoreReset:
    "Wenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren. Ihr Passwort bleibt unverändert.",
  ignoreInvite: "Wenn Sie den Absender nicht kennen, können Sie diese E-Mail ignorieren.",
  validMinutes_one: "Der Link funktioniert einmal, eine Minute lang.",
  validMinutes_other: "Der Link funktioniert einmal, {{count, number}} Minuten lang.",
  validHours_one: "Der Link funktioniert einmal, eine Stunde lang.",
  validHours_other: "Der Link funktioniert einmal, {{count, number}} Stunden lang.",
  validDays_one: "Der Link funktioniert einmal, einen Tag lang.",
  validDays_other: "Der Link funktioniert einmal, {{count, number}} Tage lang.",
  verify: {
    subject: "Bestätigen Sie Ihre E-Mail-Adresse für {{brand}}",
    text: "Sie haben sich bei {{brand}} als {{email}} registriert. Bestätigen Sie Ihre E-Mail-Adresse, um Ihr Konto zu aktivieren.",
    action: "E-Mail-Adresse bestätigen",
  },
  exists: {
    subject: "Sie haben bereits ein Konto bei {{brand}}",
    text: "Jemand, vermutlich Sie, wollte sich mit dieser Adresse bei {{brand}} registrieren. Sie haben bereits ein Konto; melden Sie sich einfach an.",
    forgotten: "Passwort vergessen? Sie können es auf der Anmeldeseite zurücksetzen.",
    action: "Anmelden",
  },
  reset: {
    subject: "Passwort für {{brand}} zurücksetzen",
    text: "Sie möchten Ihr Passwort für {{brand}} zurücksetzen. Wählen Sie über diesen Link ein neues. Alle Browser werden abgemeldet.",
    action: "Neues Passwort wählen",
  },
  provider: {
    subject: "So melden Sie sich bei {{brand}} an",
    text: "Sie möchten Ihr Passwort für {{brand}} zurücksetzen, aber Ihr Konto hat keines. Sie melden sich mit {{provider}} an.",
    action: "Zur Anmeldung",
  },
  invite: {
    subject: "Einladung zu {{organisation}} auf {{brand}}",
    text: "{{invitedBy}} hat Sie eingeladen, {{organisation}} auf {{brand}} beizutreten.",
    role: "Ihre Rolle: {{role}}.",
    action: "Einladung ansehen",
  },
  newSignIn: {
    subject: "Neue Anmeldung bei Ihrem Konto auf {{brand}}",
    text: "Bei Ihrem Konto auf {{brand}} gab es eine Anmeldung in einem neuen Browser.",
    facts: "{{at}}, von {{address}}, {{browser}}",
    advice:
      "Wenn Sie das waren, können Sie diese E-Mail ignorieren. Wenn nicht, wählen Sie jetzt ein neues Passwort: Das meldet alle Browser ab.",
    action: "Neues Passwort wählen",
  },
  passwordChanged: {
    subject: "Ihr Passwort für {{brand}} wurde geändert",
    text: "Das Passwort Ihres Kontos bei {{brand}} wurde geändert. Alle anderen Browser wurden abgemeldet.",
    advice: "Wenn Sie das nicht waren, wählen Sie jetzt ein neues Passwort.",
    action: "Neues Passwort wählen",
  },
  webhookDisabled: {
    subject: "Ihr Webhook für Warnungen wurde ausgeschaltet",
    text: "Er ist 20-mal nacheinander fehlgeschlagen, deshalb werden keine Warnungen mehr an ihn gesendet. Warnungen per E-Mail bleiben. Speichern Sie den Webhook erneut, um ihn wieder einzuschalten.",
  },
  autoTopupDeclined: {
    subject: "Automatische Aufladung fehlgeschlagen: {{payer}}",
    text: "Wir konnten Ihre Karte {{card}} nicht mit {{amount, usd}} belasten, um das Guthaben von „{{payer}}“ aufzuladen. Grund: {{reason}}",
    next: "Der nächste Versuch erfolgt frühestens am {{at}}. Damit Anfragen weiterlaufen, laden Sie selbst auf oder verwenden Sie eine andere Karte.",
    cardRefused:
      "Ihre Karte wird nicht mehr automatisch belastet. Damit die automatische Aufladung weiterläuft, wählen Sie eine andere Karte als Standard.",
    action: "Abrechnung öffnen",
    why: "Sie erhalten diese E-Mail, weil die automatische Aufladung Ihre Karte belastet.",
  },
  autoTopupPaused: {
    subject: "Automatische Aufladung pausiert: {{payer}}",
    refund:
      "Eine Zahlung über {{amount, usd}} wurde erstattet. Deshalb ist die automatische Aufladung für das Guthaben von „{{payer}}“ pausiert.",
    dispute:
      "Eine Zahlung über {{amount, usd}} wurde bei der Bank angefochten. Deshalb ist die automatische Aufladung für das Guthaben von „{{payer}}“ pausiert.",
    inquiry:
      "Eine Bank hat zu einer Zahlung über {{amount, usd}} nachgefragt. Deshalb ist die automatische Aufladung für das Guthaben von „{{payer}}“ pausiert.",
    fraud_warning:
      "Eine Bank hat eine Zahlung über {{amount, usd}} als möglichen Betrug gemeldet. Deshalb ist die automatische Aufladung für das Guthaben von „{{payer}}“ pausiert.",
    next: "Ihre Karte wird erst wieder automatisch belastet, wenn Sie erneut zustimmen. Anfragen laufen weiter, solange Guthaben vorhanden ist.",
    action: "Automatische Aufladung prüfen",
  },
  paymentProblems: {
    subject: "Zahlungen brauchen Ihre Aufmerksamkeit",
    connection_one: "Die Anbindung an den Zahlungsdienstleister hat {{count, number}} Problem.",
    connection_other: "Die Anbindung an den Zahlungsdienstleister hat {{count, number}} Probleme.",
    events_one: "{{count, number}} Zahlungsereignis konnte nicht angewendet werden.",
    events_other: "{{count, number}} Zahlungsereignisse konnten nicht angewendet werden.",
    mismatches_one: "{{count, number}} Zahlung wurde mit einem anderen Betrag als angefordert gutgeschrieben.",
    mismatches_other: "{{count, number}} Zahlungen wurden mit einem anderen Betrag als angefordert gutgeschrieben.",
    pauses_one:
      "{{count, number}} automatische Aufladung wurde pausiert, weil eine Zahlung erstattet oder angefochten wurde.",
    pauses_other:
      "{{count, number}} automatische Aufladungen wurden pausiert, weil eine Zahlung erstattet oder angefochten wurde.",
    action: "Abrechnungsverwaltung öffnen",
    why: "Sie erhalten diese E-Mail, weil Sie diese Plattform verwalten.",
  },
  autoTopupConfirm: {
    subject: "Bitte bestätigen Sie eine Zahlung: {{payer}}",
    text: "Ihre Bank möchte, dass Sie eine Zahlung von {{amount, usd}} bestätigen, die das Guthaben von „{{payer}}“ auflädt. Bisher wurde nichts belastet.",
    until:
      "Die Seite ist 24 Stunden lang offen. Ohne Ihre Bestätigung wird nichts belastet, und wir versuchen es später erneut.",
    action: "Zahlung bestätigen",
  },
  reportReady: {
    subject: "Bericht fertig: {{report}}",
    text_one: "Ihr geplanter Bericht „{{report}}“ ist fertig. Er hat eine Zeile, und die Datei wird 7 Tage aufbewahrt.",
    text_other:
      "Ihr geplanter Bericht „{{report}}“ ist fertig. Er hat {{count, number}} Zeilen, und die Datei wird 7 Tage aufbewahrt.",
    action: "Bericht herunterladen",
    why: "Sie erhalten diese E-Mail, weil Sie diesen Bericht geplant haben. Den Zeitplan können Sie unter „Berichte“ deaktivieren.",
  },
  reportFailed: {
    subject: "Bericht nicht gesendet: {{report}}",
    text: "Ihr geplanter Bericht „{{report}}“ konnte nicht erstellt werden. Falls sich Ihre Rolle, Abteilung oder Organisation geändert hat, ist der Zeitplan deaktiviert; Sie können ihn neu einrichten.",
    action: "Zeitpläne ansehen",
  },
  budgetAlert: {
    threshold: {
      subject: "Budgetwarnung: {{name}} hat {{share, number}} % ausgegeben",
      text: "{{scope}} „{{name}}“ hat mindestens {{share, number}} % des Budgets ausgegeben.",
    },
    low_balance: {
      subject: "Niedriges Guthaben: {{name}}",
      text: "Das Guthaben von „{{name}}“ liegt bei höchstens {{threshold, usd}}. Laden Sie es auf, damit Anfragen weiter angenommen werden.",
    },
    refusing: {
      subject: "Budget aufgebraucht: {{name}}",
      text: "{{scope}} „{{name}}“: Das Budget ist aufgebraucht, Anfragen werden abgelehnt. Erhöhen Sie das Limit oder warten Sie, bis es zurückgesetzt wird.",
    },
    accepting: {
      subject: "Wieder Budget verfügbar: {{name}}",
      text: "{{scope}} „{{name}}“: Es ist wieder Budget verfügbar. Anfragen werden angenommen.",
    },
    wallet_refusing: {
      subject: "Guthaben aufgebraucht: {{name}}",
      text: "Das Guthaben von „{{name}}“ reicht für Anfragen nicht mehr aus, deshalb werden sie abgelehnt. Laden Sie es auf, damit Anfragen weiterlaufen.",
    },
    wallet_accepting: {
      subject: "Wieder Guthaben: {{name}}",
      text: "Das Guthaben von „{{name}}“ reicht wieder aus. Anfragen werden angenommen.",
    },
    amounts: "Ausgegeben {{spent, usd}}, reserviert {{held, usd}}, verfügbar {{available, usd}} von {{limit, usd}}.",
    balance: "Verfügbar: {{available, usd}}; für laufende Anfragen reserviert: {{held, usd}}.",
    runsOut: "Bei diesem Verbrauch ist es am {{at}} aufgebraucht.",
    resets: "Es wird am {{at}} zurückgesetzt.",
    action: "Warnungen ansehen",
    why: "Sie erhalten diese E-Mail, weil Budgetwarnungen eingeschaltet sind.",
  },
  topupLimit: {
    subject: "Grenze der automatischen Aufladung erreicht: {{payer}}",
    day: "Das Guthaben von „{{payer}}“ liegt unter seinem Schwellenwert, aber eine Aufladung um {{amount, usd}} würde die Tagesgrenze überschreiten. Ihre Karte wurde nicht belastet. Um Mitternacht (UTC) geht es weiter.",
    month:
      "Das Guthaben von „{{payer}}“ liegt unter seinem Schwellenwert, aber eine Aufladung um {{amount, usd}} würde die Monatsgrenze überschreiten. Ihre Karte wurde nicht belastet. Mit dem nächsten Monat (UTC) geht es weiter.",
    advice: "Damit Anfragen nicht abgelehnt werden, laden Sie auf oder erhöhen Sie die Grenze.",
  },
  cardExpires: {
    subject: "Ihre Karte {{card}} läuft ab",
    text: "Ihre gespeicherte Karte {{card}} gilt bis Ende {{month}}.",
    advice: "Speichern Sie eine andere Karte, damit Zahlungen und die automatische Aufladung weiter funktionieren.",
  },
  paidFor: {
    subject: "Ihr Guthaben hat diesen Monat für {{person}} gezahlt",
    text: "Diesen Monat wurden Anfragen von {{person}} Ihrem Guthaben belastet, weil Sie zugestimmt haben, dafür zu zahlen. Wie viel, steht in der Monatsabrechnung.",
  },
  payerRequest: {
    subject: "{{asker}} bittet Sie, für die eigene Nutzung zu zahlen",
    text: "{{asker}} bittet Sie, für die eigene Nutzung zu zahlen.",
    meaning:
      "Wenn Sie zustimmen, wird sie Ihrem eigenen Guthaben belastet, auch dessen Kredit. Sie können ablehnen und jederzeit aufhören.",
  },
  payerOffer: {
    subject: "{{asker}} bietet an, für Ihre Nutzung zu zahlen",
    text: "{{asker}} bietet an, für Ihre Nutzung zu zahlen.",
    meaning:
      "Wenn Sie zustimmen, werden Ihre Anfragen diesem Guthaben belastet, und {{asker}} sieht, was sie kosten. Beide können das jederzeit beenden.",
  },
  payerAccepted: {
    subject: "Sie zahlen jetzt für {{person}}",
    text: "Ab jetzt wird die Nutzung von {{person}} Ihrem Guthaben belastet, auch dessen Kredit.",
    stop: "Sie können das jederzeit auf der Abrechnungsseite beenden. Bereits laufende Anfragen werden Ihnen noch belastet.",
    action: "Abrechnung öffnen",
  },
  payerEnded: {
    subject: "{{person}} zahlt nicht mehr für Sie",
    subjectPayer: "Sie zahlen nicht mehr für {{person}}",
    why: "Ihre Vereinbarung mit {{person}} ist von selbst zu Ende gegangen: Jemand von Ihnen hat die Organisation verlassen, oder ein Konto wurde geschlossen.",
    meaning:
      "Ihre Nutzung wird wieder Ihrem eigenen Guthaben belastet oder dem, das für Ihre Organisation zahlt. Prüfen Sie, ob es reicht.",
    meaningPayer: "Bereits laufende Anfragen werden Ihnen noch belastet.",
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
    text: "Jemand hat nach zu vielen Versuchen das richtige Passwort für Ihr Konto bei {{brand}} eingegeben. Wenn Sie das waren, schließen Sie die Anmeldung über diesen Link ab. Er funktioniert nur in dem Browser, in dem Sie sich anmelden wollten.",
    action: "Anmeldung abschließen",
    advice: "Wenn Sie das nicht waren, kennt jemand Ihr Passwort. Wählen Sie jetzt ein neues: {{url}}",
  },
  passwordSet: {
    subject: "Ihr Konto bei {{brand}} hat jetzt ein Passwort",
    text: "Ihr Konto bei {{brand}} hat jetzt ein Passwort. Sie können sich damit oder über Ihren Identitätsanbieter anmelden. Alle anderen Browser wurden abgemeldet.",
  },
  linked: {
    subject: "Anmeldung mit {{provider}} für Ihr Konto bei {{brand}} verknüpft",
    text: "Sie können sich jetzt bei {{brand}} mit {{provider}} als {{identity}} anmelden.",
    advice:
      "Wenn Sie das nicht waren, heben Sie die Verknüpfung in den Einstellungen auf und wählen Sie jetzt ein neues Passwort.",
    action: "Einstellungen öffnen",
  },
  role: {
    subject: "Ihre Rolle auf {{brand}} wurde geändert",
    text: "{{by}} hat Ihre Rolle auf {{brand}} von {{before}} zu {{after}} geändert. Sie wurden abgemeldet; melden Sie sich neu an, um fortzufahren.",
    advice: "Wenn Sie das nicht erwartet haben, fragen Sie einen Admin Ihrer Organisation.",
    action: "Anmelden",
  },
  granted: {
    subject: "Neue Rolle vergeben auf {{brand}}: {{role}}",
    text: "{{by}} hat {{person}} die Rolle {{role}} gegeben.",
    invited: "{{by}} hat {{person}} mit der Rolle {{role}} eingeladen.",
    advice:
      "Wenn Sie das nicht erwartet haben, fragen Sie nach und entziehen Sie die Rolle oder widerrufen Sie die Einladung.",
    action: "Personen öffnen",
  },
  adminKey: {
    subject: "Neuer Admin-Schlüssel in {{organisation}}",
    text: "{{by}} hat in {{organisation}} den Admin-Schlüssel „{{key}}“ erstellt. Damit lassen sich alle Schlüssel der Organisation anlegen und ändern.",
    rotated:
      "{{by}} hat in {{organisation}} das Geheimnis des Admin-Schlüssels „{{key}}“ erneuert. Damit lassen sich alle Schlüssel der Organisation anlegen und ändern.",
    advice:
      "Wenn weder Sie noch jemand aus Ihrem Team das war, widerrufen Sie den Schlüssel und bitten Sie {{by}}, ein neues Passwort zu wählen.",
    action: "Schlüssel ansehen",
  },
};
