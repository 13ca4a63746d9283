export default {
  ended: {
    kept: "Sie wurden abgemeldet. Melden Sie sich an, dann sind Ihre Eingaben wieder da.",
    plain: "Sie wurden abgemeldet. Melden Sie sich an, um fortzufahren.",
  },
  frame: {
    skip: "Zum Inhalt springen",
    language: "Sprache",
    terms: "Nutzungsbedingungen",
    privacy: "Datenschutz",
  },
  fields: {
    email: "E-Mail-Adresse",
    password: "Passwort",
    passwordHint: "Mindestens 10 Zeichen. Mehrere Wörter merkt man sich leicht.",
    name: "Ihr Name",
    organisation: "Organisation (optional)",
  },
  login: {
    title: "Anmelden",
    submit: "Anmelden",
    forgot: "Passwort vergessen?",
    or: "oder",
    with: "Mit {{provider}} anmelden",
    new: "Neu bei {{brand}}?",
    signUp: "Konto erstellen",
  },
  signUp: {
    title: "Konto erstellen",
    titleProvider: "Noch ein Schritt",
    titleInvite: "Auf Einladung",
    textInvite:
      "Für ein Konto brauchen Sie eine Einladung. Bitten Sie eine Administratorin oder einen Administrator Ihrer Organisation, Sie einzuladen.",
    lead: "Sie erhalten eine eigene Organisation und deren Root-Admin-Schlüssel. Kolleginnen und Kollegen können Sie später einladen.",
    organisationHint: "Bleibt das Feld leer, verwenden wir Ihren Namen.",
    accept:
      "Ich stimme den <terms>Nutzungsbedingungen</terms> und den <aup>Regeln für die Nutzung</aup> zu und habe die <privacy>Datenschutzhinweise</privacy> gelesen.",
    submit: "Konto erstellen",
    have: "Sie haben bereits ein Konto?",
    signIn: "Anmelden",
    as: "Ihre E-Mail-Adresse:",
    with: "Konto mit {{provider}} erstellen",
  },
  forgot: {
    title: "Passwort zurücksetzen",
    lead: "Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Link, über den Sie ein neues Passwort wählen.",
    submit: "Link senden",
    sentTitle: "Prüfen Sie Ihren Posteingang",
    sentText:
      "Wenn es ein Konto mit dieser Adresse gibt, haben wir einen Link dorthin gesendet. Der Link funktioniert 30 Minuten lang.",
    back: "Zurück zur Anmeldung",
    again: "Erneut senden",
  },
  reset: {
    title: "Neues Passwort wählen",
    lead: "Damit melden Sie sich künftig an. Alle anderen Browser werden abgemeldet.",
    password: "Neues Passwort",
    submit: "Neues Passwort speichern",
    done: "Passwort gespeichert. Melden Sie sich jetzt damit an.",
    notUsableTitle: "Dieser Link funktioniert nicht mehr",
    notUsableText:
      "Er wurde bereits verwendet, ist abgelaufen, oder es wurde ein neuerer gesendet. Fordern Sie einen neuen an.",
    another: "Neuen Link anfordern",
  },
  verify: {
    title: "Prüfen Sie Ihren Posteingang",
    waitText:
      "Wir haben einen Link an <address>{{email}}</address> gesendet. Öffnen Sie ihn, um Ihr Konto zu aktivieren.",
    accountText:
      "Bestätigen Sie {{email}}, um fortzufahren. Fordern Sie einen Link an, öffnen Sie ihn und wählen Sie ein neues Passwort.",
    waitTextUnknown: "Bei der Registrierung senden wir Ihnen einen Link. Öffnen Sie ihn, um Ihr Konto zu aktivieren.",
    resendHint: "Keine E-Mail erhalten? Prüfen Sie Ihren Spam-Ordner, oder senden Sie sie erneut.",
    resend: "Erneut senden",
    sentAgain:
      "Wenn diese Adresse noch bestätigt werden muss, haben wir einen weiteren Link gesendet. Der frühere funktioniert nicht mehr.",
    confirmTitle: "Bestätigen Sie Ihre E-Mail-Adresse",
    confirmText: "Sie haben sich bei {{brand}} als <address>{{email}}</address> registriert.",
    passwordHint:
      "Dies ist ein anderer Browser. Geben Sie das Passwort ein, das Sie bei der Registrierung gewählt haben.",
    confirm: "Bestätigen und fortfahren",
    confirmed: "E-Mail-Adresse bestätigt. Willkommen!",
    notUsableTitle: "Dieser Link funktioniert nicht mehr",
    notUsableText:
      "Er wurde bereits verwendet, ist abgelaufen, oder es wurde ein neuerer gesendet. Wenn Ihr Konto bereit ist, melden Sie sich an. Fordern Sie sonst einen neuen Link an.",
  },
  signOut: {
    title: "Abmelden?",
    lead: "Eine andere Website hat Sie hierher geschickt. Sie sind noch angemeldet.",
    stay: "Angemeldet bleiben",
  },
  terms: {
    title: "Aktualisierte Bedingungen",
    lead: "In Kraft seit {{since}}. Stimmen Sie zu, um fortzufahren. Ihre Schlüssel funktionieren währenddessen weiter.",
    documents: {
      terms: "Nutzungsbedingungen",
      aup: "Regeln für die Nutzung",
      privacy: "Datenschutzhinweise",
    },
    accept: "Zustimmen und fortfahren",
    signOut: "Abmelden",
  },
  confirm: {
    title: "Bestätigen Sie Ihre Identität",
    lead: "Bestätigen Sie Ihre Identität, um fortzufahren. Noch wurde nichts geändert: Versuchen Sie es danach erneut.",
    password: "Passwort für {{email}}",
    submit: "Bestätigen",
    with: "Mit {{provider}} bestätigen",
    noWay: "Sie können dieses Konto hier nicht bestätigen. Melden Sie sich ab und wieder an.",
    setPassword:
      "Dieses Konto hat kein Passwort, und Ihr Anmeldedienst kann nicht bestätigen, dass Sie es sind. Legen Sie ein Passwort fest und versuchen Sie es erneut.",
    emailLink: "Link per E-Mail senden",
    back: "Abbrechen",
    done: "Für 15 Minuten bestätigt. Noch wurde nichts geändert. Bitte versuchen Sie es erneut.",
  },
  link: {
    title: "Anmeldung abschließen",
    lead: "Ihr Passwort ist richtig. Melden Sie sich als {{email}} an.",
    elsewhereTitle: "Öffnen Sie diesen Link im anderen Browser",
    elsewhereText:
      "Dieser Link funktioniert nur in dem Browser, in dem Sie sich anmelden wollten. Öffnen Sie ihn dort, oder melden Sie sich hier erneut an.",
    endedTitle: "Dieser Link funktioniert nicht mehr",
    endedText: "Er wurde bereits verwendet oder ist abgelaufen. Melden Sie sich erneut an.",
    again: "Zur Anmeldung",
  },
  suspended: {
    title: "Ihr Konto ist gesperrt",
    text: "Ein Admin hat es gesperrt. Es geht nichts verloren.",
    point1: "Ihre Schlüssel funktionieren nicht, und Sie können sich nicht anmelden.",
    point2: "Schlüssel, Berichte und Einstellungen bleiben erhalten.",
    point3: "Ein Admin Ihrer Organisation kann es jederzeit wieder aktivieren.",
  },
  archived: {
    title: "Ihr Konto ist archiviert",
    text: "Es wird nicht mehr verwendet.",
    point1: "Ihre Schlüssel funktionieren nicht, und Sie können sich nicht anmelden.",
    point2: "Ihre Organisation behält die Nutzungs- und Abrechnungsdaten.",
    point3: "Wenn das ein Versehen ist, kann ein Admin Ihrer Organisation es wieder aktivieren.",
  },
  setup: {
    title: "Ihr Konto einrichten",
    lead: "Diese Installation gehört Ihnen. Dieser Link funktioniert einmal.",
  },
  closed: {
    write: "Betreiber kontaktieren",
    other: "Anderes Konto verwenden",
  },
  linked: "Anmeldung mit Ihrem Konto verknüpft.",
};
