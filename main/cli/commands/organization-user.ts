import { terminalLine } from '../../../contract/safe-text'

/** Converts an id for JSON: a number, or a string if a number can't hold it exactly. */
export function idInJson(id: string): number | string {
  const number = Number(id)
  return Number.isSafeInteger(number) && String(number) === id ? number : id
}

/** Shortens a server's text to one line of at most `maxLength` characters. */
export function shortened(text: string, maxLength: number): string {
  const characters = Array.from(terminalLine(text).replaceAll(/\s+/g, ' '))
  return characters.length <= maxLength
    ? characters.join('')
    : `${characters.slice(0, maxLength - 1).join('')}…`
}
