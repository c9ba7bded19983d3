import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import type { SystemMessage } from './portal'
import { createUnreadMessages, messageId, type UnreadMessages } from './read-state'
import { testReporter } from '../reporter.testing'

let dataDirectory: string
let errors: unknown[]
let damaged: string[]

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'causeway-unread-'))
  onTestFinished(() => rm(dataDirectory, { recursive: true, force: true }))
  errors = []
  damaged = []
})

const start = (): UnreadMessages =>
  createUnreadMessages({
    dataDirectory,
    now: () => new Date('2026-11-20T12:00:00Z'),
    reporter: testReporter({
      notice: (notice) => {
        if (notice.code === 'data/damaged') damaged.push(String(notice.details?.movedTo))
        else errors.push(notice)
      },
    }),
    registerForget: () => undefined,
  })

const message = (day: number, text: SystemMessage['message'] = `Text ${day}`): SystemMessage => ({
  dateTime: new Date(Date.UTC(2026, 10, day)),
  message: text,
  type: 'notification',
})
const path = (): string => join(dataDirectory, 'messages-read.json')

it('tells of each message once, also over a restart, and knows which were read', async () => {
  const first = start()
  expect(await first.see('a', [message(1), message(2)])).toHaveLength(2)
  expect(await first.see('a', [message(1), message(2)])).toEqual([])
  await first.markRead('a', [messageId(message(1))])

  const second = start()
  expect(await second.see('a', [message(3), message(2), message(1)])).toEqual([message(3)])
  expect([1, 2, 3].map((day) => second.isUnread('a', message(day)))).toEqual([false, true, true])
  expect(errors).toEqual([])
})

it('keeps instances apart, and forgets what was removed', async () => {
  const unread = start()
  await unread.see('a', [message(1)])
  expect(await unread.see('b', [message(1)])).toHaveLength(1)
  await unread.forget('a')
  expect([unread.isUnread('a', message(1)), unread.isUnread('b', message(1))]).toEqual([false, true])
  expect(JSON.parse(await readFile(path(), 'utf8'))).toMatchObject({ data: { b: [{}] } })
  expect(await start().see('a', [message(1)])).toHaveLength(1)
})

it('writes nothing to forget an instance that it does not know', async () => {
  await start().forget('a')
  await expect(stat(path())).rejects.toMatchObject({ code: 'ENOENT' })
})

it('knows a message by what it says, in whatever order its languages come', () => {
  const one = message(1, { en: 'Maintenance', nl: 'Onderhoud' })
  expect(messageId(one)).toBe(messageId(message(1, { nl: 'Onderhoud', en: 'Maintenance' })))
  expect(messageId(one)).not.toBe(messageId(message(1, { en: 'Other', nl: 'Onderhoud' })))
  expect(messageId(one)).not.toBe(messageId(message(2, { en: 'Maintenance', nl: 'Onderhoud' })))
})

it('holds no text, for the owner alone, and no more than a server may be kept busy with', async () => {
  const unread = start()
  const many = Array.from({ length: 1200 }, (_, index) => message(index, `Secret ${index}`))
  expect(await unread.see('a', many)).toHaveLength(1000)
  expect(await unread.see('a', many)).toEqual([])
  expect(unread.isUnread('a', message(1199, 'Secret 1199'))).toBe(true)
  expect(unread.isUnread('a', message(3, 'Secret 3'))).toBe(false)
  const text = await readFile(path(), 'utf8')
  expect(text).not.toContain('Secret')
  if (process.platform !== 'win32') expect((await stat(path())).mode & 0o777).toBe(0o600)
})

it.each([
  '{"version":1,"data":{"a":[{"id":"../../etc/passwd","read":false}]}}',
  '{"version":1,"data":{"a":"all"}}',
  'not JSON',
])('starts over with a file of another format: %s', async (content) => {
  await writeFile(path(), content)
  expect(await start().see('a', [message(1)])).toHaveLength(1)
  expect(damaged).toHaveLength(1)
  expect(errors).toEqual([])
})

it('goes on without remembering where the file cannot be used', async () => {
  await writeFile(path(), '{"version":99,"data":{}}')
  const unread = start()
  expect(await unread.see('a', [message(1)])).toHaveLength(1)
  expect(await unread.see('a', [message(1)])).toEqual([])
  expect(errors).toMatchObject([{ code: 'data/unreadable' }, { code: 'data/unreadable' }])
})
