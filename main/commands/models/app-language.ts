import { createInstance, type i18n, type TFunction } from 'i18next'
import type { ErrorReport } from '../../../contract/error-codes'
import { type ErrorText, errorText } from '../../../contract/error-text'
import type { AppState } from '../../../contract/state'
import { bestWording, type Wording } from '../../../contract/locales/languages'
import { englishTexts, loadTexts, type Texts } from '../../../contract/locales/texts'

/** The texts of the app, for window, tray, menus and notifications; English at first. */
export class AppLanguage {
  #best: Wording = bestWording([])
  #texts: Texts = englishTexts
  #wording: AppState['wording'] | undefined
  /** Made when it's first needed: the window has its own. */
  #i18n: i18n | undefined

  /** Language, locale and texts for the window; the same object until the language changes. */
  get wording(): AppState['wording'] {
    this.#wording ??= { ...this.#best, texts: JSON.stringify(this.#texts) }
    return this.#wording
  }

  /** Translates a key into the current language. */
  get t(): TFunction {
    this.#i18n ??= translatorOf(this.#best, this.#texts)
    return this.#i18n.t
  }

  /** The text of an error. */
  errorText(error: ErrorReport): ErrorText {
    return errorText(error, this.#texts, this.#best)
  }

  /** Switches to the best of these languages (BCP 47, best first). Returns true if that changed the texts or the locale. */
  async use(languages: readonly string[]): Promise<boolean> {
    const best = bestWording(languages)
    if (best.locale === this.#best.locale) return false
    this.#texts = await loadTexts(best.language)
    this.#best = best
    this.#wording = undefined
    this.#i18n = undefined
    return true
  }
}

function translatorOf({ locale, language }: Wording, texts: Texts): i18n {
  const translator = createInstance()
  void translator.init({
    lng: locale,
    // en-GB uses the texts of en.
    load: 'languageOnly',
    fallbackLng: false,
    resources: { [language]: { translation: texts } },
    // The texts aren't HTML.
    interpolation: { escapeValue: false },
    initAsync: false,
  })
  return translator
}
