/**
 * Makes a server's text safe to show: drops half surrogates, control characters, invisible characters and direction
 * overrides, but keeps joiners, which scripts and emoji need. A character keeps at most 8 marks, so that none reaches into
 * other lines. The result has at most `maxLength` characters.
 */
export function plainText(text: string, maxLength = 10_000): string {
  const shown = text
    .slice(0, 2 * maxLength)
    .replaceAll(/\p{Cs}/gu, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(
      /[^\P{Cc}\n\t]|[\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffd]|[\u{e0000}-\u{e007f}]/gu,
      '',
    )
    .replaceAll(/(\p{M}{8})\p{M}+/gu, '$1')
  const characters = Array.from(shown)
  return characters.length <= maxLength ? shown : `${characters.slice(0, maxLength - 1).join('')}…`
}

/** Does the same in one line, without spaces around it. */
export function oneLine(text: string, maxLength = 500): string {
  return plainText(
    text
      .slice(0, 4 * maxLength)
      .replaceAll(/\s+/g, ' ')
      .trim(),
    maxLength,
  )
}
