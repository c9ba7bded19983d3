/** The ids in a text with commas between them, also those of Arabic and Japanese keyboards; each once. */
export function idsIn(text: string): string[] {
  return [...new Set(text.split(/[,،、，]/).map((id) => id.trim()))].filter((id) => id !== '')
}

export function idsText(ids: readonly string[]): string {
  return ids.join(', ')
}
