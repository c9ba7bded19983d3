import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cases } from '../../../scripts/fuzzing'
import { processorTime } from '../../../scripts/processor-time'
import { startTestServer } from '../../platform/http/test-server.testing'
import { hostileHtml } from './hostile-html.testing'
import { readHtml } from './read-html'
import type { RichNode, RichText } from './image-reference'
import { anyText } from '../../../scripts/any-text'

const keysOf: Readonly<Record<RichNode['kind'], readonly string[]>> = {
  text: ['kind', 'text'],
  bold: ['kind', 'children'],
  italic: ['kind', 'children'],
  paragraph: ['kind', 'children'],
  link: ['kind', 'url', 'children'],
  list: ['kind', 'ordered', 'items'],
  code: ['kind', 'text'],
  image: ['kind', 'image', 'alt'],
  break: ['kind'],
}

interface Measures {
  nodes: number
  characters: number
  depth: number
}

/** Throws at the first node that is not allowed; measures the rest. */
function inspect(text: RichText, inside: readonly RichNode['kind'][] = [], sum?: Measures): Measures {
  const measures = sum ?? { nodes: 0, characters: 0, depth: 0 }
  measures.depth = Math.max(measures.depth, inside.length)
  for (const node of text) {
    measures.nodes += 1
    expect(Object.keys(node).toSorted()).toEqual(keysOf[node.kind].toSorted())
    const within = [...inside, node.kind]
    switch (node.kind) {
      case 'text':
      case 'code':
        measures.characters += node.text.length
        expect(node.text).not.toMatch(/[\p{Cs}\u202a-\u202e\u2066-\u2069\ufeff]|[^\P{Cc}\n\t]/u)
        break
      case 'link':
        expect(inside).not.toContain('link')
        expect(node.url).toMatch(/^https?:\/\/[^/@\s]+\/[^\s"<>]*$/)
        expect(new URL(node.url).username + new URL(node.url).password).toBe('')
        inspect(node.children, within, measures)
        break
      case 'list':
        expectNotInLine(inside)
        for (const item of node.items) inspect(item, within, measures)
        break
      case 'image':
        expect(node.image.imageUrl).toMatch(/^https:\/\/|^http:\/\/127\.0\.0\.1:/)
        break
      case 'paragraph':
        expectNotInLine(inside)
        inspect(node.children, within, measures)
        break
      case 'bold':
      case 'italic':
        inspect(node.children, within, measures)
        break
      case 'break':
    }
  }
  return measures
}

/** Fails for a block inside a line of text. */
function expectNotInLine(inside: readonly RichNode['kind'][]): void {
  for (const outer of ['paragraph', 'bold', 'italic', 'link'] as const) expect(inside).not.toContain(outer)
}

function words(text: RichText): string {
  return JSON.stringify(text)
}

describe('hostile HTML', () => {
  it('has at least 120 samples', () => {
    expect(new Set(hostileHtml).size).toBeGreaterThanOrEqual(120)
  })

  it('becomes a small tree of allowed nodes and addresses, without any request', async () => {
    const { origin, requests } = await startTestServer((_request, response) => response.end())
    for (const piece of hostileHtml) {
      const html = piece.replaceAll('{canary}', `${origin}/canary`)
      // A long sample is its own surroundings, and reading it takes a while.
      const around = html.length < 1000 ? [`<p>before ${html} after</p>`, `<ul><li>${html}</ul>`] : []
      for (const tried of [html, ...around]) {
        const { nodes, characters, depth } = inspect(readHtml(tried))
        expect(nodes).toBeLessThanOrEqual(4000)
        expect(characters).toBeLessThanOrEqual(70_000)
        expect(depth).toBeLessThanOrEqual(30)
      }
    }
    expect(requests).toEqual([])
  })

  it.each([
    `<p>Before</p><script>alert('inside')</script><p>After</p>`,
    `<p>Before</p><style>p{color:inside}</style><p>After</p>`,
    `<p>Before</p><svg><text>inside</text></svg><p>After</p>`,
    `<p>Before</p><iframe>inside</iframe><p>After</p>`,
    `<p>Before</p><!-- inside --><p>After</p>`,
  ])('leaves out content that is not meant to be read: %s', (html) => {
    expect(words(readHtml(html))).not.toContain('inside')
    expect(readHtml(html)).toHaveLength(2)
  })

  it('reads any text safely', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom(...hostileHtml.filter((piece) => piece.length < 300)),
        fc.constantFrom(
          '<',
          '>',
          '"',
          "'",
          '&',
          '</',
          '<p>',
          '</p>',
          '<a href=',
          '<li>',
          '<td>',
          '&#',
          ';',
          '\u0000',
          ' ',
        ),
        anyText({ maxLength: 20 }),
      ),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(pieces, (parts) => {
        inspect(readHtml(parts.join('')))
      }),
      cases('the HTML of news'),
    )
  })
})

describe('HTML of ordinary editors', () => {
  const text = (shown: string): RichNode => ({ kind: 'text', text: shown })
  const paragraph = (...children: RichNode[]): RichNode => ({ kind: 'paragraph', children })

  it.each<[string, string, RichText]>([
    ['plain text', 'Fish & chips', [text('Fish & chips')]],
    ['entities', 'Fish &amp; chips &lt;3', [text('Fish & chips <3')]],
    [
      'paragraphs with emphasis',
      '<p>One <b>bold</b></p>\n<p>two <em>more</em></p>',
      [
        paragraph(text('One '), { kind: 'bold', children: [text('bold')] }),
        paragraph(text('two '), { kind: 'italic', children: [text('more')] }),
      ],
    ],
    [
      'a link',
      'See <a href="https://example.org/a?b=1&amp;c=2" onclick="x">this</a>',
      [text('See '), { kind: 'link', url: 'https://example.org/a?b=1&c=2', children: [text('this')] }],
    ],
    [
      'lists, one in the other',
      '<ol><li>a</li><li>b<ul><li>c</li></ul></li></ol>',
      [
        {
          kind: 'list',
          ordered: true,
          items: [
            [text('a')],
            [paragraph(text('b')), { kind: 'list', ordered: false, items: [[text('c')]] }],
          ],
        },
      ],
    ],
    ['line breaks', 'a<br>b', [text('a'), { kind: 'break' }, text('b')]],
    ['code with its lines', '<pre>a\n  b</pre>', [{ kind: 'code', text: 'a\n  b' }]],
    [
      'a heading',
      '<h2>Title</h2>text',
      [paragraph({ kind: 'bold', children: [text('Title')] }), paragraph(text('text'))],
    ],
    [
      'a table, row by row',
      '<table><tr><th>Test</th><th>Result</th></tr><tr><td>Trip</td><td>10 ms</td></tr></table>',
      [paragraph(text('Test · Result')), paragraph(text('Trip · 10 ms'))],
    ],
    [
      'a picture',
      '<img src="https://example.org/a.png" alt="A &quot;cat&quot;" width="40" height="30">',
      [
        {
          kind: 'image',
          image: { imageUrl: 'https://example.org/a.png', width: 40, height: 30 },
          alt: 'A "cat"',
        },
      ],
    ],
    [
      'paragraphs in bold, as broken editors have them',
      '<b><p>one</p><p>two</p></b>',
      [{ kind: 'bold', children: [text('one'), { kind: 'break' }, text('two')] }],
    ],
    ['other scripts', '<p>اختبار हिन्दी 测试 👩‍👩‍👧</p>', [paragraph(text('اختبار हिन्दी 测试 👩‍👩‍👧'))]],
    ['nothing', ' <p> </p> <br>', []],
  ])('reads %s', (_what, html, expected) => {
    expect(readHtml(html)).toEqual(expected)
  })

  it('marks text that was cut', () => {
    expect(readHtml(`<p>a</p>${'<b>'.repeat(5000)}b`)).toEqual([paragraph(text('a')), paragraph(text('…'))])
    expect(words(readHtml(`<p>a</p>${' '.repeat(400_000)}b`))).toContain('…')
  })

  it.each([
    ['tags that nobody closes', '<b>'],
    ['lists in lists', '<ul><li>'],
    ['paragraphs', '<p>x'],
    ['signs', '<'],
    ['half entities', '&'],
    ['half attributes', '<p a="'],
  ])('reads a long run of %s quickly', (_what, piece) => {
    expect(processorTime(() => readHtml(piece.repeat(300_000 / piece.length)))).toBeLessThan(1200)
  })

  it('reads a long article quickly', () => {
    const html =
      '<p>A paragraph with <a href="https://example.org">a link</a> and some words more.</p>'.repeat(1000)
    expect(processorTime(() => readHtml(html))).toBeLessThan(1000)
    expect(inspect(readHtml(html)).nodes).toBeGreaterThan(2500)
  })
})
