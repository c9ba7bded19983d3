import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../clock'
import { inMemory } from '../state/persistence'
import { SeededBytes } from '../state/seeded-bytes'
import { Misprints } from './misprints'
import { TestContent } from './content.testing'

let content: TestContent
beforeAll(async () => {
  content = await TestContent.start()
})
afterAll(() => content.server.close())
beforeEach(() => content.control('DELETE', '/misprints'))

const path = '/2.3/misprints/new'
const misprint = { text: 'It says “teh” & means “the”.', url: 'https://example.org/a?b=1' }
const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) })
const json = (value: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: typeof value === 'string' ? value : JSON.stringify(value),
})
const reports = () => content.json('/_mock/misprints')

it('accepts reports as a form, as JSON and in the query, and lists them newest last', async () => {
  const query = `${path}?${new URLSearchParams(misprint).toString()}`
  const ids: unknown[] = []
  for (const [address, init] of [
    [path, form(misprint)],
    [path, json(misprint)],
    [query, { method: 'POST' }],
    [query, json({ text: 'The body wins.' })],
  ] as const) {
    const response = await content.fetch(address, init)
    const answer = (await response.json()) as { result: boolean; id: string }
    expect([response.status, answer.result]).toEqual([200, true])
    ids.push(answer.id)
  }
  const time = '2026-11-20T12:00:00.000Z'
  expect(await reports()).toEqual([
    { id: ids[0], time, ...misprint },
    { id: ids[1], time, ...misprint },
    { id: ids[2], time, ...misprint },
    { id: ids[3], time, ...misprint, text: 'The body wins.' },
  ])
  expect(new Set(ids).size).toBe(4)
})

it('records reports in the journal as they were sent', async () => {
  await content.control('DELETE', '/requests')
  await content.fetch(path, form({ text: 'a b', url: 'http://x/' }))
  await content.fetch(path, json({ text: 'c' }))
  const journal = (await content.json('/_mock/requests')) as { body: string | null; status: number | null }[]
  expect(journal.map(({ body, status }) => [body, status])).toEqual([
    ['text=a+b&url=http%3A%2F%2Fx%2F', 200],
    ['{"text":"c"}', 400],
  ])
})

it('accepts a text of 1 to 5000 characters', async () => {
  expect((await content.fetch(path, form({ ...misprint, text: 'x' }))).status).toBe(200)
  expect((await content.fetch(path, form({ ...misprint, text: 'x'.repeat(5000) }))).status).toBe(200)
  for (const text of ['', ' \n', 'x'.repeat(5001)]) {
    const [status, message] = await content.refusal(path, form({ ...misprint, text }))
    expect([status, message.split(':')[0]]).toEqual([400, 'text'])
  }
})

it.each([
  ['without parameters', { method: 'POST' }, 400],
  ['without a text', form({ url: misprint.url }), 400],
  ['without an address', json({ text: 'x' }), 400],
  ['with a relative address', form({ ...misprint, url: 'example.org' }), 400],
  ['with a file address', form({ ...misprint, url: 'file:///etc/passwd' }), 400],
  ['with a very long address', form({ ...misprint, url: `http://x/${'y'.repeat(2000)}` }), 400],
  ['with two texts', { method: 'POST', body: new URLSearchParams('text=a&text=b&url=http://x/') }, 400],
  ['with a number as text', json({ ...misprint, text: 7 }), 400],
  ['that is an array', json([misprint]), 400],
  ['that is null', json('null'), 400],
  ['that is a JSON string', json('"text=a&url=http://x/"'), 400],
  ['that is broken JSON', json('{"text": '), 400],
  ['with a prototype', json('{"__proto__": {"text": "x"}, "url": "http://x/"}'), 400],
  ['in plain text', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'text=a' }, 415],
  ['of more than a megabyte', form({ ...misprint, text: 'x'.repeat(1024 * 1024) }), 413],
])('refuses a report %s and stores nothing', async (_name, init, status) => {
  expect((await content.refusal(path, init))[0]).toBe(status)
  expect(await reports()).toEqual([])
})

it('keeps the newest thousand reports', () => {
  const ids = new SeededBytes(inMemory, 'ids', 1)
  const misprints = new Misprints({ clock: systemClock, ids, persistence: inMemory })
  for (let number = 0; number <= 1000; number += 1) misprints.add(`number ${number}`, misprint.url)
  const kept = misprints.all.map(({ text }) => text)
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([1000, 'number 1', 'number 1000'])
})

it('stores any text unchanged, and deletes reports on request and with a reset', async () => {
  for (const text of ['\0', '<script>', '__proto__', '\u202e', '👩🏽‍💻', '\ud800']) {
    expect((await content.fetch(path, json({ ...misprint, text }))).status).toBe(200)
    expect(await reports()).toMatchObject([{ text }])
    await content.control('DELETE', '/misprints')
    expect(await reports()).toEqual([])
  }
  await content.fetch(path, form(misprint))
  await content.control('POST', '/reset')
  expect(await reports()).toEqual([])
})
