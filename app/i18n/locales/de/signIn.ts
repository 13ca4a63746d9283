export default {
  frame: {
    skip: "Zum Inhalt springen",
    language: "Sprache",
    terms: "Nutzungsbedingungen",
    privacy: "Datenschutz",
  },
  fields: {
    email: "E-Mail-Adresse",
    password: "Passwort",
    passwordHint: "Mindestens zehn Zeichen. Mehrere Wörter merkt man sich leicht.",
    name: "Ihr Name",
    organisation: "Organisation (freiwillig)",
  },
  login: {
    title: "Anmelden",
    submit: "Anmelden",
    forgot: "Ich habe mein Passwort vergessen",
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
      "Neue Konten gibt es hier auf Einladung. Bitten Sie eine Administratorin oder einen Administrator Ihrer Organisation, Sie einzuladen; die Nachricht enthält einen Link, über den Sie hereinkommen.",
    lead: "Sie erhalten eine eigene Organisation und ihren Haupt-Admin-Schlüssel. Kolleginnen und Kollegen können später dazukommen.",
    organisationHint: "Bleibt das Feld leer, trägt sie Ihren Namen.",
    accept:
      "Ich stimme den <terms>Nutzungsbedingungen</terms> und den <aup>Regeln für die Nutzung</aup> zu und habe die <privacy>Datenschutzhinweise</privacy> gelesen.",
    submit: "Konto erstellen",
    have: "Sie haben ein Konto?",
    signIn: "Anmelden",
    as: "Ihre Adresse:",
    with: "Konto mit {{provider}} erstellen",
  },
  forgot: {
    title: "Passwort vergessen",
    lead: "Nennen Sie uns Ihre Adresse, und wir senden Ihnen einen Link, hinter dem Sie ein neues Passwort wählen.",
    submit: "Link senden",
    sentTitle: "Sehen Sie in Ihr Postfach",
    sentText:
      "Wenn es ein Konto mit dieser Adresse gibt, ist eine Nachricht mit einem Link dorthin unterwegs. Der Link funktioniert 30 Minuten lang.",
    back: "Zurück zur Anmeldung",
    again: "Noch einmal senden",
  },
  reset: {
    title: "Neues Passwort wählen",
    lead: "Damit melden Sie sich wieder an; alle jetzt angemeldeten Browser werden abgemeldet.",
    password: "Neues Passwort",
    submit: "Neues Passwort speichern",
    done: "Ihr neues Passwort ist gespeichert. Melden Sie sich damit an.",
    notUsableTitle: "Dieser Link funktioniert nicht mehr",
    notUsableText:
      "Er wurde benutzt, ist abgelaufen, oder es wurde ein neuerer gesendet. Fordern Sie einen anderen an.",
    another: "Anderen Link anfordern",
  },
  verify: {
    title: "Sehen Sie in Ihr Postfach",
    waitText:
      "Wir haben eine Nachricht an <address>{{email}}</address> gesendet. Öffnen Sie den Link darin, dann ist Ihr Konto bereit.",
    accountText:
      "Bestätigen Sie {{email}}, um fortzufahren. Lassen Sie sich eine Nachricht senden, öffnen Sie ihren Link und wählen Sie ein neues Passwort.",
    waitTextUnknown:
      "Wenn Sie sich registrieren, senden wir Ihnen eine Nachricht. Öffnen Sie den Link darin, dann ist Ihr Konto bereit.",
    resendHint: "Nichts angekommen? Sehen Sie im Spam-Ordner nach, oder lassen Sie sie noch einmal senden.",
    resend: "Noch einmal senden",
    sentAgain:
      "Wenn für diese Adresse etwas zu bestätigen ist, ist eine weitere Nachricht unterwegs. Der frühere Link gilt nicht mehr.",
    confirmTitle: "Bestätigen Sie Ihre Adresse",
    confirmText: "Sie haben sich bei {{brand}} als <address>{{email}}</address> registriert.",
    passwordHint: "Das, das Sie bei der Registrierung gewählt haben: Dies ist ein anderer Browser.",
    confirm: "Bestätigen und mein Konto öffnen",
    confirmed: "Ihre Adresse ist bestätigt. Willkommen!",
    notUsableTitle: "Dieser Link funktioniert nicht mehr",
    notUsableText:
      "Er wurde benutzt, ist abgelaufen, oder es wurde ein neuerer gesendet. Wenn Ihr Konto bereit ist, melden Sie sich an; sonst lassen Sie sich eine weitere Nachricht senden.",
  },
  terms: {
    title: "Neue Bedingungen",
    lead: "Diese Dokumente gelten seit dem {{since}}. Stimmen Sie ihnen zu, um fortzufahren; Ihre Schlüssel funktionieren derweil weiter.",
    documents: {
      terms: "Nutzungsbedingungen",
      aup: "Regeln für die Nutzung",
      privacy: "Datenschutzhinweise",
    },
    accept: "Zustimmen und fortfahren",
    signOut: "Abmelden",
  },
  confirm: {
    title: "Bestätigen Sie, dass Sie es sind",
    lead: "Was Sie gerade vorhaben, verlangt einen Nachweis aus den letzten 15 Minuten. Noch ist nichts davon geschehen: Bestätigen Sie, und wiederholen Sie es dann.",
    password: "Passwort von {{email}}",
    submit: "Bestätigen",
    with: "Mit {{provider}} bestätigen",
    noWay: "Für dieses Konto gibt es hier keinen anderen Weg. Melden Sie sich ab und wieder an.",
    back: "Zurück, ohne zu bestätigen",
    done: "Danke. In den nächsten 15 Minuten müssen Sie nicht noch einmal bestätigen. Noch ist nichts geschehen: Bitte wiederholen Sie es jetzt.",
  },
  link: {
    title: "Anmeldung abschließen",
    lead: "Ihr Passwort war richtig. Melden Sie sich als {{email}} an.",
    elsewhereTitle: "Öffnen Sie den Link im anderen Browser",
    elsewhereText:
      "Zu Ihrer Sicherheit funktioniert dieser Link nur in dem Browser, in dem Sie sich anmelden wollten. Öffnen Sie ihn dort, oder melden Sie sich hier noch einmal an.",
    endedTitle: "Dieser Link funktioniert nicht mehr",
    endedText: "Er wurde benutzt oder ist abgelaufen. Melden Sie sich noch einmal an.",
    again: "Zur Anmeldung",
  },
  suspended: {
    title: "Dieses Konto ist gesperrt",
    text: "Ein Administrator hat es vorerst angehalten. Nichts ist verloren.",
    point1: "Seine Schlüssel werden abgewiesen, und niemand kann sich damit anmelden.",
    point2: "Schlüssel, Berichte und Einstellungen bleiben, wie sie sind.",
    point3: "Ein Administrator Ihrer Organisation kann die Sperre jederzeit aufheben.",
  },
  archived: {
    title: "Dieses Konto ist geschlossen",
    text: "Es wurde archiviert und wird nicht mehr benutzt.",
    point1: "Seine Schlüssel funktionieren nicht mehr, und niemand kann sich damit anmelden.",
    point2: "Was es verbraucht und bezahlt hat, bleibt in den Büchern der Organisation.",
    point3: "Wenn das ein Versehen war, kann ein Administrator Ihrer Organisation es wieder öffnen.",
  },
  setup: {
    title: "Ihr Konto einrichten",
    lead: "Sie werden Eigentümer dieser Installation. Der Link, der Sie hergebracht hat, funktioniert einmal.",
    nothingSaved: "Noch wurde nichts gespeichert. Korrigieren Sie, was unten markiert ist.",
  },
  closed: {
    write: "An den Betreiber schreiben",
    other: "Anderes Konto benutzen",
  },
  linked: "Die Anmeldung ist mit Ihrem Konto verknüpft.",
};
