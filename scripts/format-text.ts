import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { format, type FormatConfig } from 'oxfmt'

const style = join(import.meta.dirname, '../.oxfmtrc.json')

/**
 * Returns the text of a file, whose name says what it is, as `npm run format` writes it.
 *
 * @throws Error for a text that is no such file
 */
export async function formatText(file: string, text: string): Promise<string> {
  const { code, errors } = await format(file, text, JSON.parse(await readFile(style, 'utf8')) as FormatConfig)
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join(', ')}`)
  return code
}

/** Writes a file as `npm run format` does. */
export async function writeFormatted(file: string, text: string): Promise<void> {
  await writeFile(file, await formatText(file, text))
}
