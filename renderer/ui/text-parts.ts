export type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  /** Includes its `#`. */
  | { readonly kind: 'hashtag'; readonly text: string }
  | { readonly kind: 'link'; readonly url: string }

/** A hashtag isn't part of a word or an address. */
const parts =
  /(?<url>https?:\/\/[^\s<>"]+)|(?<![\p{L}\p{N}_&/])(?<hashtag>#[\p{L}\p{N}_]*\p{L}[\p{L}\p{N}_]*)/giu
/** Punctuation that ends a sentence rather than an address. */
const afterAddress = /[.,;:!?)\]}'»”]+$/u

/** Splits a plain text into hashtags, links and the text between them. */
export function textParts(text: string): TextPart[] {
  const found: TextPart[] = []
  let end = 0
  const add = (until: number): void => {
    if (until > end) found.push({ kind: 'text', text: text.slice(end, until) })
  }
  for (const match of text.matchAll(parts)) {
    const { url, hashtag } = match.groups ?? {}
    if (hashtag !== undefined) {
      add(match.index)
      found.push({ kind: 'hashtag', text: hashtag })
      end = match.index + hashtag.length
    } else if (url !== undefined) {
      const address = url.replace(afterAddress, '')
      if (!URL.canParse(address)) continue
      add(match.index)
      found.push({ kind: 'link', url: address })
      end = match.index + address.length
    }
  }
  add(text.length)
  return found
}
