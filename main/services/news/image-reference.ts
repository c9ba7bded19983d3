import { isSecureUrl } from '../../platform/http/loopback'

/** A picture at its address as main knows it: https, or http on this very machine. Sizes are in pixels, as the server says. */
export interface ImageReference {
  readonly imageUrl: string
  readonly width?: number
  readonly height?: number
}

/** The same as the page knows it: by a word that main made up (main/desktop/image-protocol.ts). */
export interface ImageHandle {
  readonly imageId: string
  readonly width?: number
  readonly height?: number
}

/** A value with a handle in the place of each image. */
export type WithImageIds<Value> = Value extends ImageReference
  ? ImageHandle
  : Value extends readonly (infer Element)[]
    ? readonly WithImageIds<Element>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: WithImageIds<Value[Key]> }
      : Value

/** Puts what `idOf` gives in the place of each image in plain data, so that no address of one gets to the page. */
export function withImageIds<Value>(value: Value, idOf: (imageUrl: string) => string): WithImageIds<Value> {
  return replaced(value, idOf) as WithImageIds<Value>
}

function replaced(value: unknown, idOf: (imageUrl: string) => string): unknown {
  if (Array.isArray(value)) return value.map((element) => replaced(element, idOf))
  if (typeof value !== 'object' || value === null) return value
  if ('imageUrl' in value && typeof value.imageUrl === 'string') {
    const { imageUrl, ...rest } = value
    return { ...rest, imageId: idOf(imageUrl) }
  }
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, replaced(field, idOf)]))
}

/** The reference to a picture at an address that a server wrote, or undefined where that is no address to be asked for. */
export function imageReference(
  address: string | undefined,
  size: { readonly width?: number | undefined; readonly height?: number | undefined } = {},
): ImageReference | undefined {
  const imageUrl = address === undefined ? undefined : webAddress(address)
  if (imageUrl === undefined || !isSecureUrl(new URL(imageUrl))) return undefined
  return { imageUrl, ...sides(size) }
}

const longestSide = 20_000

function sides({
  width,
  height,
}: {
  readonly width?: number | undefined
  readonly height?: number | undefined
}): { readonly width?: number; readonly height?: number } {
  if (width === undefined || height === undefined) return {}
  const fitting = width >= 1 && height >= 1 && width <= longestSide && height <= longestSide
  return fitting ? { width, height } : {}
}

const longestAddress = 2000

/** An http or https address without user name and password, as the parser of URLs writes it; undefined for all else. */
export function webAddress(text: string): string | undefined {
  const trimmed = text.trim()
  // Control characters, which the parser would leave out, stand only where somebody hides something.
  if (trimmed.length > longestAddress || /\p{C}/u.test(trimmed) || !/^https?:\/\//i.test(trimmed))
    return undefined
  if (!URL.canParse(trimmed)) return undefined
  const url = new URL(trimmed)
  return url.username === '' && url.password === '' ? url.href : undefined
}
