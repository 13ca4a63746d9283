export default {
  title: "Jobs",
  subtitle: "Wiederkehrende Arbeiten dieser Installation",
  table: "Jobs mit letztem und nächstem Lauf",
  col: {
    job: "Job",
    schedule: "Zeitplan",
    last: "Letzter Lauf",
    result: "Ergebnis",
    next: "Nächster Lauf",
    actions: "Aktionen",
  },
  every: "Alle {{time}}",
  scope: { installation: "Einmal je Installation", process: "In jedem Prozess" },
  scopeHint: "Jobs, die in jedem Prozess laufen, werden mit ihrem Stand im Prozess {{process}} angezeigt.",
  never: "Noch nie",
  running: "Läuft",
  runningFor: "seit {{time}}",
  due: "jetzt",
  late: "Überfällig",
  handled_one: "{{count, number}} Eintrag",
  handled_other: "{{count, number}} Einträge",
  failures_one: "{{count, number}} Fehlschlag in Folge",
  failures_other: "{{count, number}} Fehlschläge in Folge",
  result: {
    succeeded: "Erfolgreich",
    failed: "Fehlgeschlagen",
    timed_out: "Zeit überschritten",
    interrupted: "Unterbrochen",
    abandoned: "Abgebrochen",
  },
  run: "Jetzt ausführen",
  runTitle: "„{{job}}“ jetzt ausführen?",
  runText: "Der Job startet innerhalb einer Sekunde. Das Audit-Log hält fest, wer ihn gestartet hat.",
  runTextProcess:
    "Der Job startet innerhalb einer Sekunde in jedem Prozess. Das Audit-Log hält fest, wer ihn gestartet hat.",
  requested: "Der Job startet innerhalb einer Sekunde.",
  runs: {
    title: "Letzte Läufe",
    hint: "Läufe, die etwas bewirkt haben, fehlgeschlagen sind oder von Hand gestartet wurden; 7 Tage lang",
    table: "Letzte Läufe, neueste zuerst",
    col: { started: "Gestartet", job: "Job", result: "Ergebnis", duration: "Dauer", process: "Prozess" },
    byHand: "Von Hand gestartet",
    filter: "Job",
    all: "Alle Jobs",
    empty: "Noch keine Läufe",
    emptyText: "Läufe, die nichts zu tun fanden, werden nicht aufgeführt.",
    nothing: "Keine Läufe dieses Jobs",
    nothingText:
      "In den letzten 7 Tagen gab es für ihn nichts zu tun. Entfernen Sie den Filter, um andere Jobs zu sehen.",
  },
  job: {
    "release-expired-holds": {
      name: "Abgelaufene Reservierungen freigeben",
      about: "Gibt Beträge frei, die für Anfragen beendeter Prozesse reserviert sind, oder legt sie zur Prüfung vor.",
    },
    "settle-reviewed-holds": {
      name: "Geprüfte Reservierungen abrechnen",
      about: "Rechnet Anfragen in Prüfung nach 15 Minuten mit dem letzten bekannten Verbrauch ab.",
    },
    "sweep-merged-wallets": {
      name: "Zusammengeführte Guthaben leeren",
      about:
        "Überträgt Beträge, die verspätet auf einem zusammengeführten Guthaben eingehen, auf dessen Nachfolger und begleicht offene Beträge aus eingehendem Geld.",
    },
    "settle-stored-answers": {
      name: "Gespeicherte Antworten abrechnen",
      about: "Rechnet beantwortete Anfragen ab, deren Prozess vorher endete.",
    },
    "purge-stored-answers": {
      name: "Gespeicherte Antworten löschen",
      about: "Löscht Antworten zu einem Idempotency-Key nach 24 Stunden.",
    },
    "purge-conversations": {
      name: "Gespräche löschen",
      about: "Löscht gespeicherte Gespräche, wenn die Aufbewahrungsfrist ihrer Organisation endet.",
    },
    "purge-stored-responses": {
      name: "Gespeicherte Responses löschen",
      about: "Löscht gespeicherte Antworten der Responses-API nach Ablauf ihrer Frist.",
    },
    "purge-files": {
      name: "Dateien löschen",
      about: "Löscht Dateien der Files-API nach Ablauf ihrer Frist und abgebrochene Uploads.",
    },
    "run-batches": {
      name: "Batches ausführen",
      about: "Prüft die Dateien von Batches, führt ihre Zeilen aus und schreibt die Ergebnisse.",
    },
    "purge-batches": {
      name: "Batches löschen",
      about: "Löscht Batches, die vor 30 Tagen geendet haben.",
    },
    "add-up-usage": {
      name: "Nutzung nach Tagen summieren",
      about: "Summiert jeden Tag der Nutzung, sobald er vorbei ist, damit lange Zeiträume schnell laden.",
    },
    "purge-rejections": {
      name: "Abgelehnte Anfragen löschen",
      about: "Löscht abgelehnte Anfragen von Schlüsseln nach 7 Tagen, ihre stündliche Anzahl nach 400.",
    },
    "write-exports": { name: "Exporte erstellen", about: "Erstellt die Berichtsdateien, die angefordert wurden." },
    "purge-exports": { name: "Exporte löschen", about: "Löscht Berichtsdateien nach 7 Tagen." },
    "run-report-schedules": {
      name: "Berichtszeitpläne ausführen",
      about: "Startet die geplanten Berichte, die fällig sind.",
    },
    "deliver-reports": { name: "Berichte zustellen", about: "Sendet die E-Mails und Webhooks geplanter Berichte." },
    "purge-report-runs": {
      name: "Berichtsläufe löschen",
      about: "Löscht Läufe von Berichtszeitplänen nach 400 Tagen.",
    },
    "purge-sessions": {
      name: "Sitzungen löschen",
      about: "Löscht beendete Sitzungen, unbestätigte Registrierungen und verbrauchte Links.",
    },
    "evaluate-budgets": {
      name: "Budgets prüfen",
      about: "Findet Budgets und Guthaben, die eine Schwelle erreicht haben.",
    },
    "send-billing-notices": {
      name: "Abrechnungshinweise senden",
      about:
        "Schreibt E-Mails über eine erreichte Grenze der automatischen Aufladung, eine ablaufende Karte und Personen, für die jemand zahlt.",
    },
    "top-up-wallets": {
      name: "Guthaben aufladen",
      about:
        "Belastet gespeicherte Karten für Guthaben unter ihrem Schwellenwert und klärt Belastungen mit offenem Ausgang.",
    },
    "send-alerts": {
      name: "Warnungen senden",
      about: "Sendet wartende Budgetwarnungen und wiederholt fehlgeschlagene.",
    },
    "purge-alerts": { name: "Warnungen löschen", about: "Löscht Budgetwarnungen nach 400 Tagen." },
    "purge-emails": { name: "E-Mails löschen", about: "Löscht gesendete und hinfällig gewordene E-Mails." },
    "purge-token-events": {
      name: "Ereignisse von Zugangsdaten löschen",
      about: "Löscht Ereignisse der Zugangsdaten von Anbietern nach 30 Tagen.",
    },
    "purge-job-runs": { name: "Job-Läufe löschen", about: "Löscht die unten aufgeführten Läufe nach 7 Tagen." },
    "extend-holds": {
      name: "Reservierungen verlängern",
      about: "Hält Beträge für Anfragen reserviert, die noch laufen.",
    },
    "recover-settlements": {
      name: "Abrechnungen nachholen",
      about: "Rechnet Anfragen ab, die endeten, während die Datenbank nicht erreichbar war.",
    },
    "send-emails": {
      name: "E-Mails senden",
      about: "Sendet wartende E-Mails und wiederholt fehlgeschlagene Versuche.",
    },
    "renew-supplier-tokens": {
      name: "Anbieter-Token erneuern",
      about: "Erneuert Zugriffstoken der Anbieter, bevor sie ablaufen.",
    },
    "log-audit-head": {
      name: "Ende des Audit-Logs protokollieren",
      about: "Schreibt den neuesten Hash des Audit-Logs ins Protokoll des Prozesses.",
    },
    "check-bus": {
      name: "Benachrichtigungen prüfen",
      about: "Prüft die Verbindung, über die Prozesse von Änderungen erfahren.",
    },
    "seal-addresses": {
      name: "Webhook-Adressen verschlüsseln",
      about: "Verschlüsselt Webhook-Adressen, die eine frühere Version im Klartext gespeichert hat.",
    },
    "note-functions": {
      name: "Genutzte Version vermerken",
      about: "Vermerkt, welche Version der Datenbankfunktionen dieser Prozess nutzt, damit ein Upgrade sie behält.",
    },
    "apply-payment-events": {
      name: "Zahlungsereignisse anwenden",
      about: "Schreibt Guthaben gut, was der Zahlungsdienstleister gemeldet hat, und wiederholt, was misslang.",
    },
    "look-up-payments": {
      name: "Zahlungen nachschlagen",
      about: "Fragt den Zahlungsdienstleister nach Zahlungen, zu denen keine Meldung kam, und nach Belegen.",
    },
    "report-payment-problems": {
      name: "Zahlungsprobleme melden",
      about:
        "Informiert die Administratoren der Plattform per E-Mail über neue fehlgeschlagene Zahlungsereignisse, abweichend gutgeschriebene Zahlungen und pausierte automatische Aufladungen.",
    },
    "check-payment-connection": {
      name: "Anbindung an den Zahlungsdienstleister prüfen",
      about: "Fragt den Zahlungsdienstleister, ob er den Schlüssel von gw annimmt und die nötigen Ereignisse zustellt.",
    },
    "compare-payment-events": {
      name: "Zahlungsereignisse abgleichen",
      about:
        "Vergleicht empfangene Ereignisse mit der Liste des Zahlungsdienstleisters der letzten drei Tage und holt fehlende nach.",
    },
    "apply-promotions": {
      name: "Aktionen anwenden",
      about: "Vergibt Aktionen an neue Personen, rechnet Ausgaben gegen Aktionsguthaben und bucht Verfallenes zurück.",
    },
    "audit-ledger": {
      name: "Hauptbuch prüfen",
      about: "Prüft, ob die Bücher stimmen, und vergleicht sie mit dem Zahlungsdienstleister.",
    },
  },
};
