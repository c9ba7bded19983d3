import { Parser } from 'htmlparser2'
import sanitizeHtml from 'sanitize-html'
import { windowText } from '../../../contract/safe-text'
import { HtmlAllowance } from './html-allowance'
import { RichTextBuilder } from './rich-text-builder'
import type { RichText } from './image-reference'

/** Characters of HTML that are read of one text by default; 60,000 characters of it are shown at most. */
const longestHtml = 100_000

/** Elements nested deeper, and everything after them, are left out: parsing them takes more than linear time. */
const deepest = 500

const paragraphs = [
  'p',
  'div',
  'section',
  'article',
  'header',
  'footer',
  'main',
  'aside',
  'blockquote',
  'figure',
  'figcaption',
  'details',
  'summary',
  'center',
  'address',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'tr',
  'caption',
  'dt',
  'dd',
]
const inline = ['b', 'strong', 'i', 'em', 'cite', 'a', 'img', 'br', 'code', 'kbd', 'samp', 'pre']
const structure = ['ul', 'ol', 'li', 'td', 'th']

/**
 * Reads the small part of a server's HTML that is shown. A sanitizer removes what runs, loads or hides; the rest becomes a
 * tree of texts, http(s) addresses and pictures, of bounded size and depth. Text that is cut ends in an ellipsis. Fetches
 * nothing.
 */
export function readHtml(html: string, allowance = new HtmlAllowance(), longest = longestHtml): RichText {
  if (!/[<&]/.test(html)) return readText(html)
  const shallow = upToTheDeepest(allowance.take(html, longest))
  const clean = sanitizeHtml(shallow, {
    allowedTags: [...paragraphs, ...inline, ...structure],
    allowedAttributes: { a: ['href'], img: ['src', 'alt', 'width', 'height'] },
    allowedSchemes: ['http', 'https'],
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    nonTextTags: [
      'script',
      'style',
      'template',
      'noscript',
      'noembed',
      'noframes',
      'iframe',
      'object',
      'svg',
      'math',
      'title',
      'textarea',
      'select',
      'option',
      'button',
      'xmp',
      'plaintext',
      'audio',
      'video',
    ],
    nestingLimit: 40,
    parseStyleAttributes: false,
    enforceHtmlBoundary: false,
  })
  const builder = new RichTextBuilder()
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        builder.open(name, attributes)
      },
      ontext: (text) => {
        builder.text(text)
      },
      onclosetag: (name) => {
        builder.close(name)
      },
    },
    { decodeEntities: true },
  )
  parser.end(clean)
  if (shallow.length < html.length) builder.cut()
  return builder.end()
}

function upToTheDeepest(html: string): string {
  let depth = 0
  let end = html.length
  const parser = new Parser({
    onopentag: () => {
      depth += 1
      if (depth <= deepest) return
      end = parser.startIndex
      parser.pause()
    },
    onclosetag: () => {
      depth -= 1
    },
  })
  parser.end(html)
  return html.slice(0, end)
}

function readText(text: string): RichText {
  const shown = windowText(text.trim())
  return shown === '' ? [] : [{ kind: 'text', text: shown }]
}
