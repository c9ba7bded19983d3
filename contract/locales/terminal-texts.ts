import type { CatalogueOverrides } from '../error-text'
import englishErrors from './en/terminal-errors.json'
import english from './en/terminal.json'
import type { Language } from './languages'
import type { Translated } from './texts'

/** The texts that only the terminal command has: its own, and those that go before the window's texts of errors. */
export interface TerminalTexts {
  readonly terminal: Translated<typeof english>
  readonly terminalErrors: CatalogueOverrides
}

/** The source of all translations, in use until another language is loaded. */
export const englishTerminalTexts = {
  terminal: english,
  terminalErrors: englishErrors,
} satisfies TerminalTexts

interface Loaded<T> {
  readonly default: T
}

async function both(
  terminal: Promise<Loaded<TerminalTexts['terminal']>>,
  terminalErrors: Promise<Loaded<CatalogueOverrides>>,
): Promise<TerminalTexts> {
  return { terminal: (await terminal).default, terminalErrors: (await terminalErrors).default }
}

const loaders: Readonly<Record<Language, () => Promise<TerminalTexts>>> = {
  en: () => Promise.resolve(englishTerminalTexts),
  nl: () => both(import('./nl/terminal.json'), import('./nl/terminal-errors.json')),
  de: () => both(import('./de/terminal.json'), import('./de/terminal-errors.json')),
  fr: () => both(import('./fr/terminal.json'), import('./fr/terminal-errors.json')),
  es: () => both(import('./es/terminal.json'), import('./es/terminal-errors.json')),
  pt: () => both(import('./pt/terminal.json'), import('./pt/terminal-errors.json')),
  it: () => both(import('./it/terminal.json'), import('./it/terminal-errors.json')),
  pl: () => both(import('./pl/terminal.json'), import('./pl/terminal-errors.json')),
  uk: () => both(import('./uk/terminal.json'), import('./uk/terminal-errors.json')),
  tr: () => both(import('./tr/terminal.json'), import('./tr/terminal-errors.json')),
  ar: () => both(import('./ar/terminal.json'), import('./ar/terminal-errors.json')),
  ja: () => both(import('./ja/terminal.json'), import('./ja/terminal-errors.json')),
}

/** Returns the terminal's own texts in a language. */
export function loadTerminalTexts(language: Language): Promise<TerminalTexts> {
  return loaders[language]()
}
