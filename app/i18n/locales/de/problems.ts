export default {
  enterEmail: "Geben Sie eine E-Mail-Adresse ein.",
  emailTooLong: "Diese E-Mail-Adresse ist zu lang.",
  emailMalformed: "Das ist keine gültige E-Mail-Adresse. Prüfen Sie sie auf Tippfehler.",
  enterName: "Geben Sie Ihren Namen ein.",
  enterAName: "Geben Sie einen Namen ein.",
  nameUnshowable: "Dieser Name enthält Zeichen, die nicht dargestellt werden können.",
  textUnshowable: "Dieser Text enthält Zeichen, die nicht dargestellt werden können.",
  passwordLong: "Dieses Passwort ist zu lang.",
  passwordMonotonous: "Verwenden Sie mehr verschiedene Zeichen, zum Beispiel mehrere Wörter.",
  passwordCommon: "Dieses Passwort ist zu häufig. Verwenden Sie mehrere Wörter, die nicht zusammengehören.",
  notYourPassword: "Das Passwort ist nicht richtig.",
  passwordHasEmail: "Das Passwort darf Ihre E-Mail-Adresse nicht enthalten.",
  enterPassword: "Geben Sie Ihr Passwort ein.",
  fillIn: "Füllen Sie dieses Feld aus.",
  acceptTerms: "Bitte stimmen Sie den Bedingungen zu, um fortzufahren.",
  emailNotVerified:
    "Ihre E-Mail-Adresse ist noch nicht bestätigt. Öffnen Sie den Link, den wir Ihnen gesendet haben, oder fordern Sie einen neuen an.",
  invalidCredentials:
    "Die E-Mail-Adresse oder das Passwort ist nicht richtig. Prüfen Sie beides, oder setzen Sie Ihr Passwort zurück.",
  ssoOnly:
    "Ihre Organisation verwendet einen eigenen Identitätsanbieter. Melden Sie sich damit statt mit einem Passwort an.",
  noReseller: "Kein Wiederverkäufer verwendet diese Adresse. Prüfen Sie die Adresse des Portals.",
  weakPassword:
    "Dieses Passwort ist zu leicht zu erraten. Verwenden Sie mindestens 10 Zeichen, zum Beispiel mehrere Wörter.",
  emailTaken:
    "Mit dieser E-Mail-Adresse gibt es bereits ein Konto. Melden Sie sich an, oder verwenden Sie eine andere Adresse.",
  invalidToken: "Dieser Link oder dieses Token ist nicht mehr gültig. Fordern Sie einen neuen an.",
  authContextDenied:
    "Sie können diese Anmeldung hier nicht verwenden. Melden Sie sich auf der Seite oder in der Anwendung neu an, die Sie verwenden.",
  capacityExceeded: "Der Dienst ist ausgelastet. Versuchen Sie es in einigen Sekunden erneut.",
  conflict: "Jemand anderes hat dies geändert. Laden Sie neu, und nehmen Sie Ihre Änderung erneut vor.",
  forbidden:
    "Sie haben dafür keine Berechtigung. Bitten Sie eine Administratorin oder einen Administrator Ihrer Organisation um Zugriff.",
  notFound: "Nicht gefunden. Prüfen Sie den Pfad und die ID.",
  accountStatus: "Dieses Konto ist gesperrt oder archiviert. Bitten Sie einen Admin, es wieder zu aktivieren.",
  internalError:
    "Etwas ist schiefgegangen. Versuchen Sie es erneut. Wenn es wieder passiert, nennen Sie dem Support die Anfrage-ID.",
  serviceUnavailable: "Der Dienst ist vorübergehend nicht verfügbar. Versuchen Sie es gleich noch einmal.",
  tooManyAttempts: "Zu viele Versuche. Warten Sie einen Moment, und versuchen Sie es dann erneut.",
  tooManyAttemptsMailed:
    "Zu viele Versuche. Wenn das Passwort richtig war, haben wir Ihnen einen Link gemailt, mit dem Sie die Anmeldung abschließen.",
  signInLinkEnded:
    "Dieser Link wurde bereits verwendet, ist abgelaufen oder gehört zu einem anderen Browser. Melden Sie sich erneut an.",
  providerProvesNothing: "Der Identitätsanbieter hat keine neue Anmeldung bestätigt. Versuchen Sie es erneut.",
  crowd: "Derzeit melden sich zu viele Personen an. Versuchen Sie es in ein paar Sekunden erneut.",
  signUpPassword: "Geben Sie das Passwort ein, das Sie bei der Registrierung gewählt haben.",
  linkEnded: "Dieser Link wurde bereits verwendet oder ist abgelaufen. Fordern Sie einen neuen an.",
  confirmationEnded:
    "Dieser Link wurde bereits verwendet oder ist abgelaufen. Fordern Sie einen neuen an, oder melden Sie sich an, wenn Ihr Konto bereit ist.",
  byInvitation: "Für ein Konto brauchen Sie eine Einladung. Bitten Sie einen Admin, Sie einzuladen.",
  takenProveFirst:
    "Mit dieser Adresse gibt es bereits ein Konto. Melden Sie sich dort einmal an, um diese Anmeldung zu verknüpfen.",
  acceptFirst: "Noch ein Schritt: Stimmen Sie den Bedingungen zu, um Ihr Konto zu erstellen.",
  providerRefused:
    "Der Identitätsanbieter hat Sie nicht angemeldet. Versuchen Sie es erneut, oder melden Sie sich anders an.",
  providerAnswer: "Wir konnten die Antwort des Identitätsanbieters nicht annehmen. Beginnen Sie noch einmal.",
  providerAway:
    "Der Identitätsanbieter ist derzeit nicht erreichbar. Versuchen Sie es in Kürze erneut, oder melden Sie sich anders an.",
  providerNoEmail:
    "Der Identitätsanbieter hat Ihre E-Mail-Adresse nicht mitgeteilt. Erlauben Sie es dort, oder melden Sie sich anders an.",
  providerUnconfirmed:
    "Der Identitätsanbieter hat Ihre E-Mail-Adresse nicht bestätigt. Bestätigen Sie sie dort, und versuchen Sie es erneut.",
  providerMisconfigured:
    "Diese Anmeldung ist nicht richtig eingerichtet. Bitten Sie Ihre Administratorin oder Ihren Administrator, ins Protokoll des Servers zu sehen, oder melden Sie sich anders an.",
  providerEmailBeyondAscii:
    "Der Identitätsanbieter hat eine E-Mail-Adresse mit Buchstaben mitgeteilt, die gw nicht unterstützt, etwa ö oder é. Verwenden Sie eine Adresse ohne solche Buchstaben, oder melden Sie sich anders an.",
  notBegunHere:
    "Diese Anmeldung ist abgelaufen, wurde schon abgeschlossen oder in einem anderen Browser begonnen. Beginnen Sie noch einmal.",
  otherPortal: "Dieses Konto gehört zu einem anderen Portal. Melden Sie sich dort an.",
  linkedElsewhere: "Diese Anmeldung ist bereits mit einem anderen Konto verknüpft.",
  creditCeiling:
    "Geben Sie höchstens {{amount, usd}} ein. Mehr lässt die Kreditobergrenze Ihrer Organisation nicht zu; der Plattformbetreiber kann sie anheben.",
  payerExempt:
    "Diese Person ist von der Abrechnung befreit und kann nicht die zahlende Person sein. Wenden Sie sich an den Plattformbetreiber.",
  nobodyAsks: "Es gibt keine offene Anfrage, für Ihre Organisation zu zahlen.",
  doNotPay: "Sie zahlen nicht für Ihre Organisation.",
  noActivePerson: "In dieser Organisation gibt es keine aktive Person mit dieser ID.",
  creditUsed:
    "Ihr Guthaben hat Kredit Ihrer Organisation verbraucht. Laden Sie es zuerst auf, oder bitten Sie den Plattformbetreiber um den Wechsel.",
  inviteCannotOpen:
    "Mit dieser Einladung kann kein neues Konto erstellt werden. Wenn Sie bereits ein Konto haben, melden Sie sich an, um sie anzunehmen.",
  invitedByHigher:
    "Jemand mit einer höheren Rolle hat diese Adresse bereits eingeladen. Bitten Sie darum, diese Einladung zuerst zu widerrufen.",
  inviteEnded: "Diese Einladung ist beendet. Laden Sie die Adresse erneut ein.",
  choose: "Wählen Sie eine Option.",
  notOffered: "Wählen Sie eine der angebotenen Optionen.",
  notValid: "Dieser Wert ist ungültig.",
  noSuchField: "Dieses Feld gibt es nicht.",
  number: "Geben Sie eine Zahl ein.",
  wholeNumber: "Geben Sie eine ganze Zahl ein.",
  requestId: "Geben Sie die ID einer Anfrage ein.",
  multipleOf: "Geben Sie ein Vielfaches von {{divisor, number}} ein.",
  text: "Geben Sie einen Text ein.",
  list: "Geben Sie eine Liste ein.",
  yesOrNo: "Wählen Sie Ja oder Nein.",
  moment: "Geben Sie ein Datum und eine Uhrzeit ein.",
  day: "Geben Sie ein Datum ein.",
  webAddress: "Geben Sie eine Webadresse wie https://example.com ein.",
  amount: "Geben Sie einen Betrag in US-Dollar ein, zum Beispiel 250 oder 12,50.",
  unsearchable: "Der Text enthält Zeichen, nach denen nicht gesucht werden kann.",
  tooShort: "Mindestens {{least, number}} Zeichen.",
  tooLong: "Höchstens {{most, number}} Zeichen.",
  tooFew: "Geben Sie mindestens {{least, number}} Einträge ein.",
  tooMany: "Geben Sie höchstens {{most, number}} Einträge ein.",
  atLeast: "Geben Sie mindestens {{least, number}} ein.",
  atMost: "Geben Sie höchstens {{most, number}} ein.",
  moreThan: "Geben Sie mehr als {{least, number}} ein.",
  lessThan: "Geben Sie weniger als {{most, number}} ein.",
  refused: "Das hat nicht geklappt. Versuchen Sie es erneut.",
  authIssue:
    "Mit Ihrer Anmeldung stimmt etwas nicht. Melden Sie sich erneut an, oder bitten Sie Ihren Administrator, Ihr Konto zu prüfen.",
  authenticationRequired: "Melden Sie sich an, um diese Seite zu sehen.",
  authUnavailable:
    "Ihr Schlüssel oder Ihre Anmeldung kann gerade nicht geprüft werden. Versuchen Sie es gleich noch einmal.",
  tosNotAccepted:
    "Sie haben den aktuellen Bedingungen noch nicht zugestimmt. Melden Sie sich im Portal an, um ihnen zuzustimmen.",
  noDomain: "Ihre Organisation hat noch keine Domain. Tragen Sie zuerst eine in den Einstellungen ein.",
  invalidInput: "Diese Eingabe kann nicht verwendet werden. Prüfen Sie Art und Länge.",
  invalidRequest: "Die Anfrage hat nicht die erwartete Form. Vergleichen Sie sie mit der API-Beschreibung.",
  invalidJson:
    "Der Inhalt ist kein gültiges JSON. Prüfen Sie Anführungszeichen, Kommas und Klammern, und ob alles angekommen ist.",
  methodNotAllowed: "Diese Adresse unterstützt diese Methode nicht. Der Allow-Header nennt die unterstützten.",
  unsupportedMediaType:
    "Diese Adresse unterstützt diesen Inhaltstyp nicht. Setzen Sie Content-Type wie in der API-Beschreibung.",
  requestTooLarge: "Die Anfrage ist größer als erlaubt. Kürzen Sie sie und senden Sie sie noch einmal.",
  requestTimeout:
    "Die Anfrage ist nicht rechtzeitig vollständig angekommen. Prüfen Sie die Verbindung und senden Sie sie noch einmal.",
  validationError: "Bitte korrigieren Sie die markierten Felder.",
  rateLimitExceeded: "Zu viele Anfragen. Warten Sie etwas, bevor Sie es noch einmal versuchen.",
  userNotFound:
    "Benutzer nicht gefunden. Vielleicht wurde das Konto entfernt, oder es gehört zu einer anderen Organisation.",
  permissionDenied:
    "Ihre Rolle umfasst diese Aktion nicht. Bitten Sie jemanden mit höherer Rolle, sie auszuführen oder Ihre Rolle zu erhöhen.",
  csrfRejected:
    "Diese Anfrage kam nicht von einer Seite dieses Portals. Laden Sie die Seite unter der Adresse des Portals neu, melden Sie sich an, und versuchen Sie es erneut.",
  csrfRejectedAt:
    "Diese Anfrage kam nicht von einer Seite dieses Portals. Öffnen Sie das Portal unter {{origin}}, melden Sie sich an, und versuchen Sie es erneut.",
  billingUnavailable: "Ausgaben können gerade nicht erfasst werden. Versuchen Sie es gleich noch einmal.",
  billingLimit:
    "Das Guthaben reicht dafür nicht aus. Laden Sie es auf, oder wenden Sie sich an die für die Abrechnung zuständige Person.",
  modelName: "Verwenden Sie druckbare Zeichen ohne Leerzeichen.",
  modelNotFound:
    "Es gibt kein Modell mit dieser ID. Sehen Sie in der Modellliste nach; Groß- und Kleinschreibung zählt.",
  apiKey: "Geben Sie den Schlüssel ohne Leerzeichen ein.",
  headerName: "Geben Sie den Namen eines Headers ein.",
  ownHeader: "Diesen Header setzt gw selbst.",
  parameterName: "Verwenden Sie Buchstaben, Ziffern, Punkte, Binde- und Unterstriche und Dollarzeichen.",
  ownParameter: "Diesen Parameter setzt gw selbst.",
  extraValue: "Geben Sie 1 bis 4.000 druckbare ASCII-Zeichen ein.",
  extraLine: "Schreiben Sie je einen pro Zeile, mit dem Namen zuerst.",
  extraTwice: "Ein Name steht zweimal da.",
  extraCount: "Geben Sie höchstens {{most}} ein.",
  fileTooLong: "Die Datei ist zu lang.",
  supplierName: "Verwenden Sie Buchstaben, Ziffern, Punkte, Binde- und Unterstriche.",
  regionName: "Verwenden Sie Kleinbuchstaben, Ziffern und Bindestriche.",
  webhookUrl: "Geben Sie eine https-Adresse ohne Passwort ein, die aus dem Internet erreichbar ist.",
  thresholds: "Geben Sie bis zu {{most}} ganze Prozentwerte von 1 bis 100 ein, durch Kommas getrennt.",
  amountOrEmpty: "Geben Sie einen Betrag in US-Dollar ein, zum Beispiel 25 oder 0,50, oder lassen Sie das Feld leer.",
  rpm: "Geben Sie eine ganze Zahl von 1 bis {{most, number}} ein, oder lassen Sie das Feld leer.",
  textUnreadable: "Der Text enthält Zeichen, die hier nicht erlaubt sind.",
  nameEmpty: "Geben Sie einen Namen für den Schlüssel ein.",
  region: "Geben Sie eine Region wie eu oder eu-west ein.",
  regions: "Geben Sie Regionen wie eu ein, durch Kommas getrennt.",
  origin: "Geben Sie Ursprünge wie https://app.example.com ein, ohne Pfad.",
  entryName: "Ein Label darf nicht {{name}} heißen.",
  years: "Geben Sie ein Datum zwischen 2000 und 9999 ein.",
  nameValue: "Geben Sie ein Etikett pro Zeile ein, in der Form Name=Wert.",
  overlapSeconds: "Geben Sie ganze Sekunden ein, höchstens 30 Tage.",
  overlapHours: "Geben Sie eine Anzahl Stunden ein, höchstens {{most, number}}.",
  slug: "Verwenden Sie Kleinbuchstaben, Ziffern und Bindestriche.",
  hostName: "Geben Sie einen Hostnamen wie ai.example.com ein.",
  colour: "Geben Sie eine Farbe wie #0a7f4f ein.",
  timeZone: "Unbekannte Zeitzone. Wählen Sie eine aus der Liste, zum Beispiel Europe/Berlin.",
  notTheSame: "Die beiden Eingaben stimmen nicht überein.",
  mergeSource: "Wählen Sie mindestens eine Organisation zum Zusammenführen.",
  idList: "Geben Sie IDs durch Kommas getrennt ein.",
  listPlace: "Diese Liste hat sich geändert. Gehen Sie zurück zur ersten Seite.",
  amountBetween: "Geben Sie einen Betrag von {{least}} bis {{most}} US-Dollar ein.",
  autoTopupAmount:
    "Mit der Gebühr werden {{charge}} belastet. Der Betreiber erlaubt höchstens {{most}} US-Dollar je Belastung.",
  notLess: "Geben Sie mindestens so viel ein wie im Feld davor.",
  agreeFirst: "Bitte stimmen Sie der automatischen Belastung zu.",
  fundingAmount: "Geben Sie einen Betrag von {{least}} bis {{most}} US-Dollar in ganzen Cent ein.",
  guardrailPattern:
    "Geben Sie einen regulären Ausdruck in RE2-Syntax ein. Lookarounds und Rückverweise werden nicht unterstützt.",
  guardrailPatternSize: "Dieses Muster ist zu aufwendig. Verwenden Sie kleinere Wiederholungen oder teilen Sie es auf.",
  guardrailPatternEmpty: "Dieses Muster findet auch einen leeren Text. Es muss mindestens ein Zeichen finden.",
  guardrailWord: "Jede Zeile braucht mindestens ein Zeichen außer *.",
  guardrailTooMany: "Sie können bis zu {{most}} Leitplanken hinzufügen.",
  lengthsDiffer: "Jede Stufe braucht eine andere Anzahl Tokens.",
};
