/**
 * A server's text as it may stand in an error: one line without control or direction characters (which could
 * rewrite a terminal), at most `maxLength` characters.
 */
export function printable(text: string, maxLength = 200): string {
  const line = text
    .slice(0, 4 * maxLength)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  const characters = Array.from(line)
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`
}
