import { createInstance, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { en, type Translation } from './en'
import { nl } from './nl'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { readonly translation: Translation }
  }
}

/** The languages of the window, each by its own name. */
export const languageNames = { en: 'English', nl: 'Nederlands' } as const

export type Language = keyof typeof languageNames

/** The first of these languages (BCP 47, best first) that the window speaks; English where there is none. */
export function bestLanguage(languages: readonly string[]): Language {
  for (const tag of languages) {
    const [language] = tag.toLowerCase().split('-')
    if (language === 'en' || language === 'nl') return language
  }
  return 'en'
}

export function createI18n(language: Language): i18n {
  const instance = createInstance()
  void instance.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    resources: { en: { translation: en }, nl: { translation: nl } },
    // React escapes.
    interpolation: { escapeValue: false },
    initAsync: false,
  })
  return instance
}
