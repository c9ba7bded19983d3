import { urlProblem } from '../../../contract/safe-url'
import { webAddress } from './web-address'

/**
 * A picture at its address, as main knows it: https, or http on this computer. The sizes are in pixels and come from the
 * server.
 */
export interface ImageReference {
  readonly imageUrl: string
  readonly width?: number
  readonly height?: number
}

/** A picture as the page knows it: by an id that main created (main/desktop/image-protocol.ts). */
interface ImageHandle {
  readonly imageId: string
  readonly width?: number
  readonly height?: number
}

/** A value with a handle in place of each image. */
type WithImageIds<Value> = Value extends ImageReference
  ? ImageHandle
  : Value extends readonly (infer Element)[]
    ? readonly WithImageIds<Element>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: WithImageIds<Value[Key]> }
      : Value

/** Replaces each image in plain data with its id from `idOf`, so that no picture's address reaches the page. */
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

/** Returns the reference to a picture at an address that a server wrote, or undefined if that address may not be fetched. */
export function imageReference(
  address: string | undefined,
  size: { readonly width?: number | undefined; readonly height?: number | undefined } = {},
): ImageReference | undefined {
  const imageUrl = address === undefined ? undefined : webAddress(address)
  if (imageUrl === undefined || urlProblem('request', new URL(imageUrl)) !== undefined) return undefined
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
