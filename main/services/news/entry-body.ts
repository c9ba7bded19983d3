import { parseJson } from '../../json'
import { z } from 'zod'
import { type Block, type EntryBody, imageReference, type RichText } from './image-reference'
import { listOf, objectIfAny, textIfAny, textOrEmpty, wholeNumber } from '../../loose'
import { timestamp } from '../../timestamp'
import { windowLine, windowText } from '../../../contract/safe-text'
import { HtmlAllowance } from './html-allowance'
import { limitLists } from './limit-lists'
import { readHtml } from './read-html'
import { webAddress, webLink } from './web-address'

const maxBlocks = 400
const maxPictures = 60
const longestBody = 2 * 1024 * 1024

const body = z.object({ data: z.array(z.unknown()) })
const block = z.object({ type: z.string(), data: z.unknown() })

/**
 * Returns the blocks of an entry from the `entryJSON` of club/item. A block of an unknown type, or without its required
 * fields, becomes `unknown`. Text that is not the expected JSON makes the body `damaged`; too many blocks or too much HTML
 * make it `cut`. Never throws.
 */
export function entryBody(entryJSON: string, allowance = new HtmlAllowance()): EntryBody {
  if (entryJSON === '') return { blocks: [], state: 'whole' }
  const parsed = body.safeParse(entryJSON.length > longestBody ? undefined : parseJson(entryJSON))
  if (!parsed.success) return { blocks: [], state: 'damaged' }
  const { data } = parsed.data
  const blocks = data.slice(0, maxBlocks).map((given) => shownBlock(given, allowance))
  return { blocks, state: data.length > maxBlocks || allowance.isExceeded ? 'cut' : 'whole' }
}

function shownBlock(given: unknown, allowance: HtmlAllowance): Block {
  const parsed = block.safeParse(limitLists(given))
  if (!parsed.success) return { kind: 'unknown', type: '' }
  const { type, data } = parsed.data
  const read = readers.get(type)
  return read?.(data, allowance) ?? { kind: 'unknown', type: windowLine(type, 60) }
}

const file = z.object({ url: textIfAny, width: wholeNumber, height: wholeNumber })

type ReadBlock = (data: unknown, allowance: HtmlAllowance) => Block | undefined

function reader<Schema extends z.ZodType>(
  schema: Schema,
  show: (data: z.infer<Schema>, allowance: HtmlAllowance) => Block | undefined,
): ReadBlock {
  return (data, allowance) => {
    const parsed = schema.safeParse(data)
    return parsed.success ? show(parsed.data, allowance) : undefined
  }
}

const readers = new Map<string, ReadBlock>([
  ['text', reader(z.object({ text: textOrEmpty, format: textIfAny }), textBlock)],
  [
    'rawhtml',
    reader(z.object({ raw: textOrEmpty }), ({ raw }, allowance) =>
      textBlock({ text: raw, format: 'html' }, allowance),
    ),
  ],
  [
    'heading_styled',
    reader(
      z.object({ text: textOrEmpty, 'heading-styles': textIfAny, format: textIfAny }),
      (data, allowance) => {
        const text = data.format === 'html' ? lineOf(readHtml(data.text, allowance)) : windowLine(data.text)
        const level = /^h([2-4])$/.exec(data['heading-styles'] ?? '')?.[1] ?? '2'
        return text === '' ? undefined : { kind: 'heading', text, level: Number(level) as 2 | 3 | 4 }
      },
    ),
  ],
  [
    'image_extended',
    reader(
      z.object({ file, title: textIfAny, author: textIfAny }),
      ({ file: { url, ...size }, title, author }) => {
        const image = imageReference(url, size)
        if (image === undefined) return undefined
        return { kind: 'image', image, title: lineIfAny(title), author: lineIfAny(author) }
      },
    ),
  ],
  [
    'gallery',
    reader(z.object({ files: listOf(file.extend({ title: textIfAny })) }), ({ files }) => {
      const images = files.slice(0, maxPictures).flatMap(({ url, title, ...size }) => {
        const image = imageReference(url, size)
        return image === undefined ? [] : [{ image, title: lineIfAny(title) }]
      })
      return images.length === 0 ? undefined : { kind: 'gallery', images }
    }),
  ],
  [
    'video_extended',
    reader(
      z.object({ url: textIfAny, title: textIfAny, thumbnailUrl: textIfAny, durationSeconds: wholeNumber }),
      ({ url, title, thumbnailUrl, durationSeconds }) => {
        const link = webLink(url)
        if (link === undefined) return undefined
        return {
          kind: 'video',
          ...link,
          title: lineIfAny(title),
          thumbnail: imageReference(thumbnailUrl),
          durationSeconds: durationSeconds !== undefined && durationSeconds > 0 ? durationSeconds : undefined,
        }
      },
    ),
  ],
  [
    'quote_styled',
    reader(
      z.object({ text: textOrEmpty, format: textIfAny, cite: textIfAny }),
      ({ text, format, cite }, allowance) => {
        const shown = richText(text, format, allowance)
        return shown.length === 0 ? undefined : { kind: 'quote', text: shown, cite: lineIfAny(cite) }
      },
    ),
  ],
  [
    'tweet',
    reader(
      z.object({
        text: textOrEmpty,
        user: objectIfAny(
          z.object({ name: textIfAny, screen_name: textIfAny, profile_image_url: textIfAny }),
        ),
        created_at: timestamp,
        url: textIfAny,
      }),
      ({ text, user, created_at, url }) => {
        const shown = windowText(text)
        if (shown.trim() === '') return undefined
        return {
          kind: 'tweet',
          text: shown,
          author: lineIfAny(user?.name),
          screenName: lineIfAny(user?.screen_name),
          picture: imageReference(user?.profile_image_url),
          date: created_at,
          url: url === undefined ? undefined : webAddress(url),
        }
      },
    ),
  ],
  [
    'link_embed',
    reader(
      z.object({ url: textIfAny, title: textIfAny, description: textIfAny, imageUrl: textIfAny }),
      ({ url, title, description, imageUrl }) => {
        const link = webLink(url)
        if (link === undefined) return undefined
        return {
          kind: 'embed',
          ...link,
          title: lineIfAny(title),
          description: lineIfAny(description),
          image: imageReference(imageUrl),
        }
      },
    ),
  ],
])

function textBlock(
  { text, format }: { readonly text: string; readonly format: string | undefined },
  allowance: HtmlAllowance,
): Block | undefined {
  const shown = richText(text, format, allowance)
  return shown.length === 0 ? undefined : { kind: 'text', text: shown }
}

/** Reads text as HTML unless the block declares it as plain. */
function richText(text: string, format: string | undefined, allowance: HtmlAllowance): RichText {
  if (format !== 'text') return readHtml(text, allowance)
  const shown = windowText(text)
  return shown.trim() === '' ? [] : [{ kind: 'text', text: shown }]
}

/** Returns the texts of a tree in one line. */
function lineOf(text: RichText): string {
  return windowLine(text.map(textOfNode).join(' '))
}

function textOfNode(node: RichText[number]): string {
  switch (node.kind) {
    case 'text':
    case 'code':
      return node.text
    case 'bold':
    case 'italic':
    case 'paragraph':
    case 'link':
      return node.children.map(textOfNode).join('')
    case 'list':
      return node.items.map((item) => lineOf(item)).join(' ')
    case 'image':
      return node.alt
    case 'break':
      return ' '
  }
}

/** Returns a server's text as one line, or undefined if there is nothing to show. */
export function lineIfAny(text: string | undefined): string | undefined {
  const line = text === undefined ? '' : windowLine(text)
  return line === '' ? undefined : line
}
