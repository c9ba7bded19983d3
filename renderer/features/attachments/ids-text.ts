/** Splits a text into ids at commas, including Arabic and Japanese ones. Removes duplicates. */
export function idsIn(text: string): string[] {
  return [...new Set(text.split(/[,،、，]/).map((id) => id.trim()))].filter((id) => id !== '')
}

export function idsText(ids: readonly string[]): string {
  return ids.join(', ')
}
