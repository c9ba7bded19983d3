import { windowLine } from '../../../contract/safe-text'

/** A desktop entry (freedesktop.org, Desktop Entry Specification), as far as it tells of an app. */
export interface DesktopEntry {
  /** In one of the languages, else as the entry has it. */
  readonly name: string
  /** The name of an icon of a theme, or an absolute path. */
  readonly icon: string | undefined
  /** The program and its arguments, without the codes for files and addresses; undefined if it can't be read. */
  readonly command: readonly [string, ...string[]] | undefined
  /** The folder in which it starts. */
  readonly folder: string | undefined
  /** Runs in a terminal. */
  readonly inTerminal: boolean
  /** Is in no menu. */
  readonly isHidden: boolean
  /** A program without which the app isn't there. */
  readonly needs: string | undefined
}

const group = '[Desktop Entry]'

/**
 * Reads the text of a desktop entry; undefined for one that is deleted (`Hidden`), isn't an app, or has no name.
 *
 * @param languages the user's languages (BCP 47), best first
 * @param desktops the names in `XDG_CURRENT_DESKTOP`
 */
export function parseDesktopEntry(
  text: string,
  languages: readonly string[],
  desktops: readonly string[] = [],
): DesktopEntry | 'deleted' | undefined {
  const values = valuesOf(text)
  const is = (key: string) => values.get(key) === 'true'
  if (is('Hidden')) return 'deleted'
  if (values.get('Type') !== 'Application') return undefined
  const name = windowLine(localized(values, 'Name', languages) ?? '', 100)
  if (name === '') return undefined
  const icon = values.get('Icon')
  return {
    name,
    icon,
    command: commandOf(values.get('Exec') ?? '', name, icon),
    folder: filled(values.get('Path')),
    inTerminal: is('Terminal'),
    isHidden: is('NoDisplay') || !isFor(values, desktops),
    needs: filled(values.get('TryExec')),
  }
}

function filled(text: string | undefined): string | undefined {
  return text === '' ? undefined : text
}

/** Returns the keys of the first group, each with its first value. */
function valuesOf(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  let isIn = false
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    if (line.startsWith('[')) {
      if (isIn) break
      isIn = line.trimEnd() === group
      continue
    }
    const [, key, value = ''] = /^([A-Za-z0-9-]+(?:\[[^\]]{1,64}\])?)[ \t]*=[ \t]*(.*)$/u.exec(line) ?? []
    if (isIn && key !== undefined && !values.has(key)) values.set(key, unescaped(value).trim())
  }
  return values
}

const escapes: Readonly<Record<string, string>> = { s: ' ', n: '\n', t: '\t', r: '\r', '\\': '\\' }

function unescaped(text: string): string {
  return text.replaceAll(/\\([sntr\\])/g, (_, code: string) => escapes[code] ?? '')
}

/** Returns a text in the first of the languages that it is in, else as it is without one. */
function localized(
  values: ReadonlyMap<string, string>,
  key: string,
  languages: readonly string[],
): string | undefined {
  for (const language of languages) {
    for (const locale of localesOf(language)) {
      const value = values.get(`${key}[${locale}]`)
      if (value !== undefined && value !== '') return value
    }
    // What has no language is in English.
    if (/^en\b/i.test(language)) break
  }
  return values.get(key)
}

/** Returns what entries call a language (BCP 47), the closest first: `sr_RS@latin`, `pt_BR`, `pt`. */
function localesOf(tag: string): readonly string[] {
  try {
    const { language, region, script } = new Intl.Locale(tag)
    const modifiers = script === 'Latn' && language !== 'en' ? ['@latin', ''] : ['']
    return modifiers.flatMap((modifier) => [
      ...(region === undefined ? [] : [`${language}_${region}${modifier}`]),
      `${language}${modifier}`,
      ...(language === 'zh' && region === undefined ? [script === 'Hant' ? 'zh_TW' : 'zh_CN'] : []),
    ])
  } catch {
    return []
  }
}

function isFor(values: ReadonlyMap<string, string>, desktops: readonly string[]): boolean {
  const named = (key: string): boolean | undefined => {
    const list = values.get(key)?.split(';').filter(Boolean)
    return list?.some((each) => desktops.includes(each))
  }
  return (named('OnlyShowIn') ?? true) && named('NotShowIn') !== true
}

/** Returns the words of `Exec`, without the codes for files; undefined for a line that the specification doesn't permit. */
function commandOf(
  exec: string,
  name: string,
  icon: string | undefined,
): readonly [string, ...string[]] | undefined {
  // Outside quotes, these characters need quotes.
  const word = /\s*(?:"((?:[^"\\`$]|\\["`$\\])*)"|([^\s"'\\<>~|&;$*?#()`]+))(?=\s|$)/uy
  const words: string[] = []
  for (const end = exec.trimEnd().length; word.lastIndex < end;) {
    const found = word.exec(exec)
    if (found === null || words.length === 100) return undefined
    const [, quoted, plain] = found
    if (quoted !== undefined) words.push(quoted.replaceAll(/\\(.)/gu, '$1'))
    else if (plain === '%i') words.push(...(icon === undefined ? [] : ['--icon', icon]))
    else if (plain !== undefined && !/^%[fFuUdDnNvmk]$/.test(plain)) words.push(withoutCodes(plain, name))
  }
  const [program, ...rest] = words
  // Arguments of a program can't hold it, and its name can't start with an option or a variable.
  if (program === undefined || program === '' || words.some((each) => each.includes('\0'))) return undefined
  return program.includes('=') ? undefined : [program, ...rest]
}

function withoutCodes(word: string, name: string): string {
  return word.replaceAll(/%(.)/gu, (_, code: string) => (code === '%' ? '%' : code === 'c' ? name : ''))
}
