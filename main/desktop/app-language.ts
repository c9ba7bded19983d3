import { createInstance, type i18n, type TFunction } from 'i18next'
import type { AppState } from '../../contract/state'
import { bestWording, type Wording } from '../../contract/locales/languages'
import { englishTexts, loadTexts, type Texts } from '../../contract/locales/texts'

/** The words of the app, for the window and for what is outside of it: tray, menus, notifications. English at first. */
export class AppLanguage {
  #wording: AppState['wording']
  readonly #i18n: i18n = createInstance()

  constructor() {
    const wording = bestWording([])
    this.#wording = { ...wording, texts: englishTexts }
    void this.#i18n.init({
      lng: wording.locale,
      // The texts of en-GB are those of en.
      load: 'languageOnly',
      fallbackLng: false,
      resources: { [wording.language]: { translation: englishTexts } },
      // Nothing of it is HTML.
      interpolation: { escapeValue: false },
      initAsync: false,
    })
  }

  /** What the window has to know. */
  get wording(): AppState['wording'] {
    return this.#wording
  }

  /** A text of now, by its key. */
  get t(): TFunction {
    return this.#i18n.t
  }

  /** Goes on in the best of these languages (BCP 47, best first). */
  async use(languages: readonly string[]): Promise<void> {
    const wording = bestWording(languages)
    if (wording.locale === this.#wording.locale) return
    this.#become(wording, await loadTexts(wording.language))
  }

  #become(wording: Wording, texts: Texts): void {
    this.#wording = { ...wording, texts }
    this.#i18n.addResourceBundle(wording.language, 'translation', texts, false, true)
    void this.#i18n.changeLanguage(wording.locale)
  }
}
