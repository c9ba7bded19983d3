import type { Language } from './languages'
import type { Translation } from './translation'

const loaders: Readonly<Record<Language, () => Promise<{ readonly texts: Translation }>>> = {
  en: () => import('./en/texts'),
  nl: () => import('./nl/texts'),
  de: () => import('./de/texts'),
  fr: () => import('./fr/texts'),
  es: () => import('./es/texts'),
  pt: () => import('./pt/texts'),
  it: () => import('./it/texts'),
  pl: () => import('./pl/texts'),
  uk: () => import('./uk/texts'),
  tr: () => import('./tr/texts'),
  ar: () => import('./ar/texts'),
  ja: () => import('./ja/texts'),
}

/** The texts of a language. For main, which hands the window those of one language: all of them would slow its start. */
export async function loadTexts(language: Language): Promise<Translation> {
  return (await loaders[language]()).texts
}
