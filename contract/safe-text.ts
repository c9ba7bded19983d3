/**
 * What of a foreign text may be printed where. A server's or a file's text can hold control characters, which rewrite a
 * terminal; direction overrides, with which `fdp.exe` reads as `exe.pdf`; line ends, with which a text poses as another
 * message; and half surrogates, which no encoder takes.
 *
 * | Place                       | Lines | Control | Invisible, direction  | Length |
 * | --------------------------- | ----- | ------- | --------------------- | ------ |
 * | `printable`: errors, logs   | one   | space   | space                 | 200    |
 * | `terminalText`              | kept  | removed | removed               | any    |
 * | `terminalLine`              | one   | removed | removed               | any    |
 * | `printableJson`             | one   | escaped | escaped               | any    |
 * | `windowText`                | kept  | removed | removed; joiners stay | 10,000 |
 * | `windowLine`                | one   | removed | removed; joiners stay | 500    |
 * | `editableText`: a text that | kept  | removed | overrides are removed | any    |
 * | the person may change       |       |         |                       |        |
 */

const overrides = /[\u202a-\u202e\u2066-\u2069]/g
/** Characters that scripts and emoji don't need; joiners aren't among them. */
const invisible = /[\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffd]|[\u{e0000}-\u{e007f}]/gu

/** Returns a text for an error or a log: at most `maxLength` characters. */
export function printable(text: string, maxLength = 200): string {
  const line = text
    .slice(0, 4 * maxLength)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return shortened(line, maxLength)
}

/** Returns a text for the terminal. */
export function terminalText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\t\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(/[^\P{C}\n]/gu, '')
}

/** Returns a text for one line of the terminal. */
export function terminalLine(text: string): string {
  return terminalText(text).replaceAll(/\s*\n\s*/g, ' ')
}

/** Returns a value as one line of JSON for terminals and logs, which parses to the same value. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}

/** Returns a text for the window. A character keeps at most 8 marks, so that none reaches into other lines. */
export function windowText(text: string, maxLength = 10_000): string {
  const shown = text
    .slice(0, 2 * maxLength)
    .replaceAll(/\p{Cs}/gu, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .replaceAll(invisible, '')
    .replaceAll(/(\p{M}{8})\p{M}+/gu, '$1')
  return shortened(shown, maxLength)
}

/** Returns a text for one line of the window, without spaces around it. */
export function windowLine(text: string, maxLength = 500): string {
  const line = text
    .slice(0, 4 * maxLength)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return windowText(line, maxLength)
}

/** Returns a text that the window shows and that may be sent back. */
export function editableText(text: string): string {
  return text.replaceAll(overrides, '').replaceAll(/(?![\n\t])\p{Cc}/gu, '')
}

function shortened(text: string, maxLength: number): string {
  const characters = Array.from(text)
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`
}
