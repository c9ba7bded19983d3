import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { answerHelp } from './help'
import { isStarted } from './program'

/** Texts of a namespace, or a part of them. */
interface Texts {
  readonly [key: string]: string | Texts
}

const pluralForm = /_(zero|one|two|few|many|other)$/

/**
 * Returns the texts of a language in the order of English, with English where one is missing, for each plural form of the
 * language. Calls `missing` with the key of each.
 */
export function filledIn(
  english: Texts,
  own: Texts,
  language: string,
  missing: (key: string) => void,
  prefix = '',
): Texts {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const filled: Record<string, string | Texts> = {}
  const take = (key: string, value: string): void => {
    if (own[key] === undefined) missing(`${prefix}${key}`)
    filled[key] = own[key] ?? value
  }
  for (const [key, value] of Object.entries(english)) {
    const below = own[key] ?? {}
    if (typeof value === 'object')
      filled[key] = filledIn(
        value,
        typeof below === 'object' ? below : {},
        language,
        missing,
        `${prefix}${key}.`,
      )
    else if (!pluralForm.test(key)) take(key, value)
    else if (key.endsWith('_other'))
      for (const form of ['zero', 'one', 'two', 'few', 'many', 'other'] as const)
        if (forms.includes(form)) take(key.replace(pluralForm, `_${form}`), value)
  }
  return filled
}

/** Writes English texts where a language lacks them, and lists them as texts that somebody is to translate. */
async function fillIn(): Promise<void> {
  const locales = join(import.meta.dirname, '..', 'contract/locales')
  const read = async (path: string): Promise<unknown> =>
    JSON.parse(await readFile(join(locales, path), 'utf8'))
  const write = (path: string, value: unknown) =>
    writeFile(join(locales, path), `${JSON.stringify(value, null, 2)}\n`)
  const toTranslate = (await read('to-translate.json')) as Record<string, string[]>
  const entries = await readdir(locales, { withFileTypes: true })
  const files = (await readdir(join(locales, 'en'))).filter((name) => name.endsWith('.json'))
  for (const language of entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)) {
    for (const file of files) {
      const namespace = file
        .replace('.json', '')
        .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
      const added: string[] = []
      const model = (await read(join('en', file))) as Texts
      const own = (await read(join(language, file))) as Texts
      const filled = filledIn(model, own, language, (key) => added.push(`${namespace}.${key}`))
      if (added.length === 0) continue
      await write(join(language, file), filled)
      toTranslate[language] = [...(toTranslate[language] ?? []), ...added].sort()
      console.log(`${language}/${file}: added in English: ${added.join(', ')}`)
    }
  }
  await write('to-translate.json', toTranslate)
}

answerHelp(
  'Usage: npx tsx scripts/missing-texts.ts\n\nAdds English texts to the languages that lack them, and lists them in contract/locales/to-translate.json.',
)
if (isStarted(import.meta.url)) await fillIn()
