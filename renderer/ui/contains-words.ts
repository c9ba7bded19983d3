/** Returns whether a text has each of these words, or parts of its own, ignoring case and accents. */
export function containsWords(text: string, words: string): boolean {
  const folded = fold(text)
  return fold(words)
    .split(/\s+/u)
    .every((word) => folded.includes(word))
}

/** Removes case and accents, so that a name is found without the keys for them. */
export function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
