import { createInstance, type i18n, type TFunction } from 'i18next'
import type { ErrorReport } from '../../contract/error-codes'
import { type ErrorText, errorText } from '../../contract/error-text'
import type { AppState } from '../../contract/state'
import { bestWording } from '../../contract/locales/languages'
import { englishTexts, loadTexts, type Texts } from '../../contract/locales/texts'

/** The texts of the app, for window, tray, menus and notifications; English at first. */
export class AppLanguage {
  #wording: AppState['wording']
  /** Made when it's first needed: the window has its own. */
  #i18n: i18n | undefined

  constructor() {
    this.#wording = { ...bestWording([]), texts: englishTexts }
  }

  /** Language, locale and texts for the window. */
  get wording(): AppState['wording'] {
    return this.#wording
  }

  /** Translates a key into the current language. */
  get t(): TFunction {
    this.#i18n ??= translatorOf(this.#wording)
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
    const texts = await loadTexts(wording.language)
    this.#wording = { ...wording, texts }
    this.#i18n = undefined
  }
}

function translatorOf({ locale, language, texts }: AppState['wording']): i18n {
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
