import { imageReference } from './image-reference'
import { windowText } from '../../../contract/safe-text'
import type { RichNode, RichText } from './image-reference'
import { webAddress } from './web-address'

const maxNodes = 3000
const maxCharacters = 60_000
const maxDepth = 24

/** Smaller pictures are tracking pixels. */
const trackingSide = 3

const paragraphTags: ReadonlySet<string> = new Set(
  'p div section article header footer main aside blockquote figure figcaption details summary center address h1 h2 h3 h4 h5 h6 tr caption dt dd li'.split(
    ' ',
  ),
)
const headings: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const codeTags: ReadonlySet<string> = new Set(['pre', 'code', 'kbd', 'samp'])

type Part = RichNode | { readonly kind: 'item'; readonly children: RichText }

interface Frame {
  readonly tag: string
  readonly parts: Part[]
  readonly finish: (parts: readonly Part[]) => readonly Part[]
}

/**
 * Builds the tree from the tags and texts of HTML, in any order. Inline elements never contain a paragraph or a list, and
 * no link contains another.
 */
export class RichTextBuilder {
  readonly #frames: Frame[] = [{ tag: '', parts: [], finish: (parts) => parts }]
  /** Text since the last tag. The parser splits text at each entity; cleaning each piece takes much longer. */
  #text = ''
  #isCut = false
  #nodes = 0
  #characters = 0

  open(tag: string, attributes: Readonly<Record<string, string>>): void {
    this.#endText()
    if (tag === 'br') {
      this.#add({ kind: 'break' })
      return
    }
    if (tag === 'img') {
      this.#image(attributes)
      return
    }
    if ((tag === 'td' || tag === 'th') && this.#top.parts.length > 0) this.#add({ kind: 'text', text: ' · ' })
    this.#frames.push({ tag, parts: [], finish: this.#finishOf(tag, attributes) })
  }

  text(text: string): void {
    this.#text += text
  }

  #endText(): void {
    const collapsed = this.#inside('pre') ? this.#text : this.#text.replaceAll(/[\t\n\f\r ]+/g, ' ')
    this.#text = ''
    const room = maxCharacters - this.#characters
    if (collapsed === '' || room <= 0) return
    const shown = windowText(collapsed, room)
    this.#characters += collapsed.length
    if (shown !== '') this.#add({ kind: 'text', text: shown })
  }

  close(tag: string): void {
    this.#endText()
    if (this.#frames.length > 1 && this.#top.tag === tag) this.#closeTop()
  }

  /** Marks the text as cut. */
  cut(): void {
    this.#isCut = true
  }

  /** Closes all open elements and returns the tree. */
  end(): RichText {
    this.#endText()
    while (this.#frames.length > 1) this.#closeTop()
    const parts = asBlocks(this.#top.parts)
    return this.#isCut ? withEllipsis(parts) : parts
  }

  get #top(): Frame {
    const top = this.#frames.at(-1)
    if (top === undefined) throw new Error('The root is never closed.')
    return top
  }

  #inside(tag: string): boolean {
    return this.#frames.some((frame) => frame.tag === tag)
  }

  #add(part: Part): void {
    const { parts } = this.#top
    const last = parts.at(-1)
    if (part.kind === 'text' && last?.kind === 'text') {
      parts[parts.length - 1] = { kind: 'text', text: last.text + part.text }
      return
    }
    this.#nodes += 1
    if (this.#nodes <= maxNodes) parts.push(part)
    else this.#isCut = true
  }

  #closeTop(): void {
    const frame = this.#frames.pop()
    if (frame === undefined) return
    for (const part of frame.finish(frame.parts)) this.#add(part)
  }

  #image({ src, alt = '', width, height }: Readonly<Record<string, string>>): void {
    const sides = { width: side(width), height: side(height) }
    if ((sides.width ?? 100) < trackingSide || (sides.height ?? 100) < trackingSide) return
    const image = imageReference(src, sides)
    if (image !== undefined) this.#add({ kind: 'image', image, alt: windowText(alt, 300) })
  }

  #finishOf(tag: string, attributes: Readonly<Record<string, string>>): Frame['finish'] {
    if (this.#frames.length >= maxDepth) return (parts) => parts
    if (tag === 'ul' || tag === 'ol') return (parts) => listOf(parts, tag === 'ol')
    if (tag === 'li' && this.#insideList) return (parts) => [{ kind: 'item', children: asBlocks(parts) }]
    if (paragraphTags.has(tag)) return (parts) => paragraphsOf(headings.has(tag) ? bold(parts) : parts)
    if (tag === 'b' || tag === 'strong') return bold
    if (tag === 'i' || tag === 'em' || tag === 'cite') return (parts) => around('italic', parts)
    if (codeTags.has(tag)) return codeOf
    const url = tag === 'a' && !this.#inside('a') ? webAddress(attributes.href ?? '') : undefined
    if (url === undefined) return (parts) => parts
    return (parts) => {
      const children = asLine(parts)
      return children.length === 0 ? [] : [{ kind: 'link', url, children }]
    }
  }

  get #insideList(): boolean {
    return this.#top.tag === 'ul' || this.#top.tag === 'ol'
  }
}

function side(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,5}$/.test(text.trim()) ? Number(text) : undefined
}

function bold(parts: readonly Part[]): readonly Part[] {
  return around('bold', parts)
}

function around(kind: 'bold' | 'italic', parts: readonly Part[]): readonly Part[] {
  const children = asLine(parts)
  return children.length === 0 ? [] : [{ kind, children }]
}

function codeOf(parts: readonly Part[]): readonly Part[] {
  const text = textOf(parts)
  return text.trim() === '' ? [] : [{ kind: 'code', text }]
}

function listOf(parts: readonly Part[], ordered: boolean): readonly Part[] {
  const items = parts.flatMap((part): RichText[] => {
    const children = part.kind === 'item' ? part.children : asBlocks([part])
    return children.length === 0 ? [] : [children]
  })
  return items.length === 0 ? [] : [{ kind: 'list', ordered, items }]
}

function isBlock(part: Part): boolean {
  return part.kind === 'paragraph' || part.kind === 'list' || part.kind === 'item'
}

/** Wraps each run of inline nodes in a paragraph; keeps paragraphs and lists as they are. */
function paragraphsOf(parts: readonly Part[]): readonly RichNode[] {
  const blocks: RichNode[] = []
  let run: RichNode[] = []
  const endRun = () => {
    const children = trimmed(run)
    if (children.length > 0) blocks.push({ kind: 'paragraph', children })
    run = []
  }
  for (const part of parts) {
    if (part.kind === 'item') {
      endRun()
      blocks.push(...part.children)
    } else if (isBlock(part)) {
      endRun()
      blocks.push(part)
    } else {
      run.push(part)
    }
  }
  endRun()
  return blocks
}

/** Keeps a single line inline; with a paragraph or list in it, makes everything paragraphs. */
function asBlocks(parts: readonly Part[]): RichText {
  if (parts.some(isBlock)) return paragraphsOf(parts)
  return trimmed(parts.filter((part) => part.kind !== 'item'))
}

/** Flattens paragraphs and lists into one line, with line breaks at their ends. */
function asLine(parts: readonly Part[]): RichText {
  const line: RichNode[] = []
  for (const part of parts) {
    if (part.kind === 'paragraph' || part.kind === 'item') {
      if (line.length > 0) line.push({ kind: 'break' })
      line.push(...asLine(part.children))
    } else if (part.kind === 'list') {
      for (const item of part.items)
        line.push({ kind: 'break' }, { kind: 'text', text: '• ' }, ...asLine(item))
    } else {
      line.push(part)
    }
  }
  return line
}

/** Removes blank texts and breaks at both ends. */
function trimmed(nodes: readonly RichNode[]): RichNode[] {
  const isBlank = (node: RichNode) =>
    node.kind === 'break' || (node.kind === 'text' && node.text.trim() === '')
  const first = nodes.findIndex((node) => !isBlank(node))
  return first === -1 ? [] : nodes.slice(first, nodes.findLastIndex((node) => !isBlank(node)) + 1)
}

function withEllipsis(text: RichText): RichText {
  const ellipsis: RichNode = { kind: 'text', text: '…' }
  if (text.some(isBlock)) return [...text, { kind: 'paragraph', children: [ellipsis] }]
  return [...text, ellipsis]
}

function textOf(parts: readonly Part[]): string {
  return parts.map(textOfPart).join('')
}

function textOfPart(part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'code':
      return part.text
    case 'break':
      return '\n'
    case 'image':
      return part.alt
    case 'list':
      return part.items.map((item) => textOf(item)).join('\n')
    case 'bold':
    case 'italic':
    case 'link':
      return textOf(part.children)
    case 'paragraph':
    case 'item':
      return `${textOf(part.children)}\n`
  }
}
