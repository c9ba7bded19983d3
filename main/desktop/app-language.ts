import { createInstance, type i18n, type TFunction } from 'i18next'
import type { ErrorReport } from '../../contract/error-codes'
import { type ErrorText, errorText } from '../../contract/error-text'
import type { AppState } from '../../contract/state'
import { bestWording, type Wording } from '../../contract/locales/languages'
import { englishTexts, loadTexts, type Texts } from '../../contract/locales/texts'

/** The texts of the app, for window, tray, menus and notifications; English at first. */
export class AppLanguage {
  #wording: AppState['wording']
  readonly #i18n: i18n = createInstance()

  constructor() {
    const wording = bestWording([])
    this.#wording = { ...wording, texts: englishTexts }
    void this.#i18n.init({
      lng: wording.locale,
      // en-GB uses the texts of en.
      load: 'languageOnly',
      fallbackLng: false,
      resources: { [wording.language]: { translation: englishTexts } },
      // The texts aren't HTML.
      interpolation: { escapeValue: false },
      initAsync: false,
    })
  }

  /** Language, locale and texts for the window. */
  get wording(): AppState['wording'] {
    return this.#wording
  }

  /** Translates a key into the current language. */
  get t(): TFunction {
    return this.#i18n.t
  }

  /** The text of an error. */
  errorText(error: ErrorReport): ErrorText {
    const { texts, locale } = this.#wording
    return errorText(error, texts as Texts, { locale })
  }

  /** Switches to the best of these languages (BCP 47, best first). */
  async use(languages: readonly string[]): Promise<void> {
    const wording = bestWording(languages)
    if (wording.locale === this.#wording.locale) return
    this.#set(wording, await loadTexts(wording.language))
  }

  #set(wording: Wording, texts: Texts): void {
    this.#wording = { ...wording, texts }
    this.#i18n.addResourceBundle(wording.language, 'translation', texts, false, true)
    void this.#i18n.changeLanguage(wording.locale)
  }
}
