import type { EntryBlock, EntryDetails, Picture, RichTextNode } from '../../../contract/news'
import { urlProblem } from '../../../contract/safe-url'
import { webAddress } from './web-address'

/**
 * A picture at its address, as main knows it: https, or http on this computer. The sizes are in pixels and come from the
 * server.
 */
export interface ImageReference extends Omit<Picture, 'imageId'> {
  readonly imageUrl: string
}

type Sides = Pick<Picture, 'width' | 'height'>

type Replaced<Value, From, To> = Value extends From
  ? To
  : Value extends readonly (infer Element)[]
    ? readonly Replaced<Element, From, To>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: Replaced<Value[Key], From, To> }
      : Value

/** A value of the contract with the address of each picture in place of the id that the window knows it by. */
export type WithImageUrls<Value> = Replaced<Value, Picture, ImageReference>
type WithImageIds<Value> = Replaced<Value, ImageReference, Picture>

export type RichNode = WithImageUrls<RichTextNode>
export type RichText = readonly RichNode[]
export type Block = WithImageUrls<EntryBlock>
export type EntryBody = WithImageUrls<EntryDetails['body']>

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
export function imageReference(address: string | undefined, size: Sides = {}): ImageReference | undefined {
  const imageUrl = address === undefined ? undefined : webAddress(address)
  if (imageUrl === undefined || urlProblem('request', new URL(imageUrl)) !== undefined) return undefined
  return { imageUrl, ...sides(size) }
}

const longestSide = 20_000

function sides({ width, height }: Sides): Sides {
  if (width === undefined || height === undefined) return {}
  const fitting = width >= 1 && height >= 1 && width <= longestSide && height <= longestSide
  return fitting ? { width, height } : {}
}
