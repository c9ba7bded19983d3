import type { RichTextNode } from '../../../contract/news'
import type { ImageReference } from './image-reference'

/** Rich text whose pictures have the addresses that main knows. */
export type RichNode = RichTextNode<ImageReference>
export type RichText = readonly RichNode[]

/** A part of an entry. `url`s are http or https; texts are plain. */
export type Block =
  | { readonly kind: 'text'; readonly text: RichText }
  | { readonly kind: 'heading'; readonly text: string; readonly level: 2 | 3 | 4 }
  | {
      readonly kind: 'image'
      readonly image: ImageReference
      readonly title?: string
      readonly author?: string
    }
  | {
      readonly kind: 'gallery'
      readonly images: readonly { readonly image: ImageReference; readonly title?: string }[]
    }
  | {
      readonly kind: 'video'
      readonly url: string
      /** The host of `url`. */
      readonly host: string
      readonly title?: string
      readonly thumbnail?: ImageReference
      readonly durationSeconds?: number
    }
  | { readonly kind: 'quote'; readonly text: RichText; readonly cite?: string }
  | {
      readonly kind: 'tweet'
      readonly text: string
      readonly author?: string
      readonly screenName?: string
      readonly picture?: ImageReference
      /** In seconds since the epoch. */
      readonly date?: number
      readonly url?: string
    }
  | {
      readonly kind: 'embed'
      readonly url: string
      /** The host of `url`, not the one that the server claims. */
      readonly host: string
      readonly title?: string
      readonly description?: string
      readonly image?: ImageReference
    }
  /** A block that cannot be shown: an unknown type, or one without its required fields. */
  | { readonly kind: 'unknown'; readonly type: string }

export interface EntryBody {
  readonly blocks: readonly Block[]
  /** `damaged`: the body could not be read; `cut`: only its beginning is shown. */
  readonly state: 'whole' | 'damaged' | 'cut'
}
