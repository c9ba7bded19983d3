import { createInstance } from 'i18next'
import type { ErrorReport } from '../../contract/error-codes'
import { bestWording, type Language } from '../../contract/locales/languages'
import {
  englishTerminalTexts,
  loadTerminalTexts,
  type TerminalTexts,
} from '../../contract/locales/terminal-texts'
import { englishTexts, loadTexts, type Texts } from '../../contract/locales/texts'
import { allowedValues, settingName, type SettingName } from '../../contract/settings'
import { sentence, sentences } from '../errors'

/** The language of the terminal command's own texts, one for the process; English until `speak`. */
const i18n = createInstance()
let current: {
  readonly language: Language
  readonly options: string
  readonly texts: Texts & TerminalTexts
} = {
  language: 'en',
  options: '',
  texts: { ...englishTexts, ...englishTerminalTexts },
}
void i18n.init({
  lng: current.language,
  fallbackLng: false,
  resources: { en: { translation: current.texts } },
  // The terminal isn't HTML, and removes control characters itself.
  interpolation: { escapeValue: false },
  initAsync: false,
})

/** Translates a key into the language that is spoken. */
export const { t } = i18n

/** Returns the language that is spoken, for `Intl`. */
export function language(): Language {
  return current.language
}

/**
 * Speaks the first of these languages (BCP 47, best first) that Causeway has, or English. `options` become part of every command
 * in the texts, so that it does what it says as it is printed.
 */
export async function speak(languages: readonly string[], options = ''): Promise<void> {
  const { language } = bestWording(languages)
  if (language === current.language && options === current.options) return
  const plain = { ...(await loadTexts(language)), ...(await loadTerminalTexts(language)) }
  const texts = options === '' ? plain : withOptions(plain, options)
  i18n.addResourceBundle(language, 'translation', texts, false, true)
  await i18n.changeLanguage(language)
  current = { language, options, texts }
}

/** Returns the texts with the options in every command. Only commands have the name in small letters, with a word after it. */
function withOptions<Tree>(texts: Tree, options: string): Tree {
  return JSON.parse(JSON.stringify(texts), (_key, value: unknown) =>
    typeof value === 'string'
      ? value.replaceAll(/\bcauseway (?=[a-z])/g, () => `causeway ${options} `)
      : value,
  ) as Tree
}

/** Returns a word of a command as a shell takes it. */
export function shellWord(word: string, platform = process.platform): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word) && (platform === 'win32' || !word.includes('\\'))) return word
  return platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`
}

/** Returns what happened and what to do, in the language that is spoken. */
export function errorTexts(of: Parameters<typeof sentences>[0]): ReturnType<typeof sentences> {
  const { language, texts } = current
  return sentences(of, { locale: language, catalogue: texts, overrides: texts.terminalErrors })
}

/** Returns a command of Causeway with the options that the texts have in theirs. */
export function ownCommand(text: string): string {
  return current.options === '' ? text : withOptions(text, current.options)
}

/** Returns the sentence of an error. A message that isn't the one of the error's code stays as it is. */
export function errorMessage(report: ErrorReport): string {
  const { language, options, texts } = current
  if ((language === 'en' && options === '') || report.message !== sentence(report)) return report.message
  const { code, variant, details } = report
  const setting = code === 'settings/invalid-value' ? settingName.safeParse(details?.name).data : undefined
  const translatable =
    setting === undefined
      ? report
      : { code, variant, details: { ...details, allowed: allowedTexts(setting) } }
  return sentence(translatable, { locale: language, catalogue: texts, overrides: texts.terminalErrors })
}

/** Returns the allowed values of a setting for people. */
export function allowedTexts(name: SettingName): readonly string[] {
  return allowedValues(name, (as) => t(`terminal.settings.allowed.${as}`))
}

/** Returns a number with its unit, such as `2 hours`. */
export function amount(value: number, unit: 'day' | 'hour' | 'minute'): string {
  return new Intl.NumberFormat(current.language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}
