/**
 * Returns a value as one line of JSON that is safe for terminals: control, direction and line-breaking characters are
 * escaped. It parses to the same value.
 */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}
