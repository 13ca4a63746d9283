// Enhancements of pages without hydration, all of which also work without this script. One file of about 5 kB,
// compressed, on every page: no library, and no import from outside this folder.
import { reloadWhenReady } from "./await";
import { copyOnClick } from "./copy";
import { openDialogs } from "./dialogs";
import { narrowWhileTyping } from "./filter";
import { watchLimiter } from "./limiter";
import { startLiveUpdates } from "./live";
import { closeMenus } from "./menus";
import { offerMatches } from "./offers";
import { jumpByLetters } from "./palette";
import { selectRows } from "./select";
import { sendOnce } from "./send-once";
import { shareChoices } from "./snippets";
import { submitOnChange } from "./submit";
import { openRows } from "./tables";
import { switchTheme } from "./theme";
import { dismissToasts } from "./toasts";

document.documentElement.dataset.enhanced = "";
switchTheme();
copyOnClick();
narrowWhileTyping();
shareChoices();
closeMenus();
openDialogs();
dismissToasts();
openRows();
selectRows();
submitOnChange();
sendOnce();
jumpByLetters();
offerMatches();
reloadWhenReady();
watchLimiter();
startLiveUpdates();
