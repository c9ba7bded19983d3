import { createInstance, type i18n, type ResourceLanguage } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { AppState } from '../../contract/state'

/** Creates i18n with the texts that main sent. Its `language` is the locale, for `Intl`. */
export function createI18n(wording: AppState['wording']): i18n {
  const instance = createInstance()
  void instance.use(initReactI18next).init({
    lng: wording.locale,
    // Uses the texts of en for en-GB.
    load: 'languageOnly',
    fallbackLng: false,
    resources: { [wording.language]: { translation: textsOf(wording) } },
    // React escapes markup. In right-to-left text, isolates (UAX 9) keep inserted names and addresses in order.
    interpolation: { escape: (value) => (instance.dir() === 'rtl' ? `\u2068${value}\u2069` : value) },
  })
  return instance
}

/** Switches to other texts. */
export function changeWording(instance: i18n, wording: AppState['wording']): void {
  instance.addResourceBundle(wording.language, 'translation', textsOf(wording))
  void instance.changeLanguage(wording.locale)
}

/** Main made the JSON from its own texts. */
function textsOf({ texts }: AppState['wording']): ResourceLanguage {
  return JSON.parse(texts) as ResourceLanguage
}
