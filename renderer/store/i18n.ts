import { createInstance, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { AppState } from '../../contract/state'

/** The texts that main has sent, for the components. `language` of what it returns is the locale, for `Intl`. */
export function createI18n(wording: AppState['wording']): i18n {
  const instance = createInstance()
  let isRightToLeft = false
  instance.on('languageChanged', () => {
    isRightToLeft = instance.dir() === 'rtl'
  })
  void instance.use(initReactI18next).init({
    lng: wording.locale,
    // The texts of en-GB are those of en.
    load: 'languageOnly',
    fallbackLng: false,
    resources: { [wording.language]: { translation: wording.texts } },
    // React escapes. Names and addresses of another direction leave the sentence around them in order (UAX 9, isolates).
    interpolation: { escape: (value) => (isRightToLeft ? `\u2068${value}\u2069` : value) },
    initAsync: false,
  })
  return instance
}

/** Goes on with other texts. */
export function changeWording(instance: i18n, wording: AppState['wording']): void {
  instance.addResourceBundle(wording.language, 'translation', wording.texts, false, true)
  void instance.changeLanguage(wording.locale)
}
