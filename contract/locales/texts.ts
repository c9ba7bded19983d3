import type { ErrorCatalogue } from '../error-text'
import * as english from './en/index'
import type terminal from './en/terminal.json'
import type { Language } from './languages'

type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many'

/** The keys of English; each language has the plural forms that it needs beside `_other`. */
export type Translated<T> = {
  readonly [Key in keyof T as Key extends `${string}_${PluralForm}` ? never : Key]: T[Key] extends string
    ? string
    : Translated<T[Key]>
} & {
  readonly [Key in keyof T as Key extends `${infer Name}_other` ? `${Name}_${PluralForm}` : never]?: string
}

/**
 * The texts of a language, by namespace (docs/languages.md). A text with `{{count}}` has one for each plural form of the
 * language.
 */
export type Texts = Translated<typeof english> & {
  readonly errors: ErrorCatalogue['errors']
}

declare module 'i18next' {
  interface CustomTypeOptions {
    /** Only the terminal command has `terminal` (terminal-texts.ts). */
    resources: { readonly translation: typeof english & { readonly terminal: typeof terminal } }
  }
}

/** The source of all translations, in use until another language is loaded. */
export const englishTexts: Texts = { ...english }

const loaders: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: () => Promise.resolve(englishTexts),
  nl: () => import('./nl/index'),
  de: () => import('./de/index'),
  fr: () => import('./fr/index'),
  es: () => import('./es/index'),
  pt: () => import('./pt/index'),
  it: () => import('./it/index'),
  pl: () => import('./pl/index'),
  uk: () => import('./uk/index'),
  tr: () => import('./tr/index'),
  ar: () => import('./ar/index'),
  ja: () => import('./ja/index'),
}

/**
 * Returns the texts of a language. Main loads one language and hands it to the window: to load all of them would slow down
 * the start.
 */
export async function loadTexts(language: Language): Promise<Texts> {
  return { ...(await loaders[language]()) }
}
