import type SanitizeHtml from 'sanitize-html'
import { expect, it, vi } from 'vitest'
import type { Instance } from '../portal/instance/instance'
import { createContentClient } from '../services/news/content-client'
import { contentHandlers } from './content-commands'

/** Number of characters of each text that was converted from HTML, for each turn of the event loop. */
const turns = vi.hoisted((): number[][] => [[]])
vi.mock('sanitize-html', async (original) => {
  const { default: sanitizeHtml } = await original<{ default: typeof SanitizeHtml }>()
  const counted = (...[html, options]: Parameters<typeof sanitizeHtml>): string => {
    turns.at(-1)?.push(html.length)
    return sanitizeHtml(html, options)
  }
  return { default: Object.assign(counted, sanitizeHtml) }
})

const instance = { id: 'vpn.example.org' } as Instance

/** Returns the news commands of the window for a service that gives this answer. */
function handlersFor(answer: unknown) {
  const text = JSON.stringify(answer)
  const client = createContentClient({
    baseUrl: 'https://news.example.org',
    http: { send: (url) => Promise.resolve({ url, status: 200, headers: new Headers(), text }) },
  })
  const read = {
    content: async (_instance: Instance, ask: (from: typeof client) => unknown) => ({
      data: await ask(client),
    }),
  }
  const contentImages = { idOf: (imageUrl: string) => imageUrl }
  const services = { read, contentImages } as unknown as Parameters<typeof contentHandlers>[0]
  return contentHandlers(services, () => Promise.resolve(instance))
}

/** Runs the work, and returns its result with the characters that it converted in each turn of the event loop. */
async function countedTurns<Result>(work: () => Promise<Result>) {
  let isCounting = true
  const count = (): void => {
    turns.push([])
    if (isCounting) setImmediate(count)
  }
  turns.splice(0, turns.length, [])
  setImmediate(count)
  const result = await work()
  isCounting = false
  // On a busy computer, many thousands convert nothing.
  const charactersPerTurn = turns
    .filter((texts) => texts.length > 0)
    .map((texts) => texts.reduce((sum, length) => sum + length, 0))
  return { result, charactersPerTurn, characters: charactersPerTurn.reduce((sum, each) => sum + each, 0) }
}

function endsInEllipsis(text: unknown): boolean {
  return JSON.stringify(text)
    .replaceAll(/["\]}]/g, '')
    .endsWith('…')
}

const instanceId = instance.id
const club = { list: 'club', type: 0, sortMode: 'recent' } as const

it.each(['<', '<b>x</b>'])('a list full of %s neither takes long nor blocks the window', async (piece) => {
  const intro = piece.repeat(40_000 / piece.length)
  const { listEntries } = handlersFor(
    Array.from({ length: 209 }, (_, n) => ({ id: n + 1, title: 'x', intro })),
  )
  const answer = await listEntries({ instanceId, of: club, offset: 0 })
  const { result, characters, charactersPerTurn } = await countedTurns(async () => listEntries.show(answer))
  expect(characters).toBeLessThanOrEqual(300_000)
  expect(Math.max(...charactersPerTurn)).toBeLessThanOrEqual(40_000)
  expect(result.data.length).toBeGreaterThanOrEqual(50)
  expect(charactersPerTurn.length).toBeGreaterThanOrEqual(result.data.length)
  expect(result.data.map(({ title }) => title)).toEqual(result.data.map(() => 'x'))
  expect(endsInEllipsis(result.data.at(-1)?.intro)).toBe(true)
})

it('a list of ordinary length stays whole', async () => {
  const intro = `<p>${'word '.repeat(1000)}end</p>`
  const { listEntries } = handlersFor(
    Array.from({ length: 50 }, (_, n) => ({ id: n + 1, title: 'x', intro })),
  )
  const { data } = await listEntries.show(await listEntries({ instanceId, of: club, offset: 0 }))
  expect(data).toHaveLength(50)
  expect(data.every(({ intro: shown }) => JSON.stringify(shown).includes('end'))).toBe(true)
})

it('an entry with long blocks is cut and marked', async () => {
  const block = { type: 'text', data: { text: '<b>x</b>'.repeat(37_500), format: 'html' } }
  const entryJSON = JSON.stringify({ data: Array.from({ length: 6 }, () => block) })
  const { showEntry } = handlersFor({ id: 1, title: 'x', intro: '', entryJSON })
  const answer = await showEntry({ instanceId, entryId: '1' })
  const { result, characters } = await countedTurns(async () => showEntry.show(answer))
  expect(characters).toBeLessThanOrEqual(300_000)
  expect(result.data.body.state).toBe('cut')
  for (const each of result.data.body.blocks) expect('text' in each && endsInEllipsis(each.text)).toBe(true)
})

it('an article with long related entries is cut', async () => {
  const related = { id: 2, title: 'x', intro: '<'.repeat(40_000) }
  const data = { id: 1, title: 'x', intro: '<p>x</p>' }
  const { revealEntry } = handlersFor({
    id: 1,
    data,
    sectionRelated: Array.from({ length: 150 }, () => related),
  })
  const answer = await revealEntry({ instanceId, address: 'https://news.example.org/1' })
  const { result, characters } = await countedTurns(async () => revealEntry.show(answer))
  expect(characters).toBeLessThanOrEqual(300_000)
  expect(result.data.entry.body.state).toBe('whole')
})
