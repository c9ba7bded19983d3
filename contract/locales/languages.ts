/** The languages of Causeway, each by its own name, in the order in which they are offered. */
export const languageNames = {
  en: 'English',
  nl: 'Nederlands',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  it: 'Italiano',
  pl: 'Polski',
  uk: 'Українська',
  tr: 'Türkçe',
  ar: 'العربية',
  ja: '日本語',
} as const

export type Language = keyof typeof languageNames

/** How texts are written: in which language, and in which way dates and numbers (BCP 47), and from which side. */
export interface Wording {
  readonly language: Language
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
}

/**
 * The first of these languages (BCP 47, best first) that Causeway speaks, with the region that the person has it from
 * somewhere in the list; English where there is none.
 */
export function bestWording(tags: readonly string[]): Wording {
  const locales = tags.flatMap(parsed)
  const language = locales.map((locale) => locale.language).find(isLanguage) ?? 'en'
  const regional = locales.find((locale) => locale.language === language && locale.region !== undefined)
  return {
    language,
    locale: regional?.toString() ?? language,
    direction: rightToLeft.includes(language) ? 'rtl' : 'ltr',
  }
}

const rightToLeft: readonly string[] = ['ar']

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(languageNames, tag)
}

function parsed(tag: string): readonly Intl.Locale[] {
  try {
    return [new Intl.Locale(tag)]
  } catch {
    return []
  }
}
