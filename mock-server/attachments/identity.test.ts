import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Attachment } from './attachment'
import { TestAttachments } from './attachments.testing'

let open: TestAttachments
let strict: TestAttachments
beforeAll(async () => {
  open = await TestAttachments.start()
  strict = await TestAttachments.start({ strictIdentity: true })
})
afterAll(async () => {
  await open.server.close()
  await strict.server.close()
})

const status = async (service: TestAttachments, headers: Record<string, string>, path = '/') =>
  (await service.call('GET', path, { headers })).status

it.each([
  ['no headers, as the tester with every role', {}, 200],
  ['two empty headers', { 'x-user-roles': '', 'x-user-id': '' }, 403],
  ['an id without roles', { 'x-user-id': 'anna' }, 403],
  ['a role without an id, as the tester', { 'x-user-roles': 'CONTRIBUTOR' }, 200],
  ['the role MEMBER', { 'x-user-id': 'anna', 'x-user-roles': 'MEMBER' }, 403],
  ['the role CONTRIBUTOR', { 'x-user-id': 'anna', 'x-user-roles': 'CONTRIBUTOR' }, 200],
  ['the role ADMINISTRATOR', { 'x-user-id': 'anna', 'x-user-roles': 'ADMINISTRATOR' }, 200],
  ['several roles', { 'x-user-id': 'anna', 'x-user-roles': 'MEMBER,CONTRIBUTOR' }, 200],
  ['spaces and repeated roles', { 'x-user-id': 'a', 'x-user-roles': ' MEMBER ,, CONTRIBUTOR,MEMBER ' }, 200],
  ['an empty list of roles', { 'x-user-id': 'a', 'x-user-roles': ' , ' }, 403],
  ['an unknown role', { 'x-user-id': 'a', 'x-user-roles': 'KING' }, 400],
  ['a role in lower case', { 'x-user-id': 'a', 'x-user-roles': 'member' }, 400],
  ['roles without commas', { 'x-user-id': 'a', 'x-user-roles': 'MEMBER CONTRIBUTOR' }, 400],
  ['too many roles', { 'x-user-roles': 'MEMBER,'.repeat(200) }, 400],
  ['an id of 101 characters', { 'x-user-id': 'a'.repeat(101), 'x-user-roles': 'MEMBER' }, 400],
])('answers a list request with %s', async (_name, headers, expected) => {
  expect(await status(open, headers)).toBe(expected)
})

it('makes the caller the owner of a new attachment', async () => {
  const ownerWith = async (headers: Record<string, string>) => {
    const body = { type: 'EXTERNAL', title: 'x', url: 'https://www.example.org/' }
    return (await open.call<Attachment>('POST', '/', { headers, body })).body.userId
  }
  expect(await ownerWith({})).toBe('tester')
  expect(await ownerWith({ 'x-user-roles': 'CONTRIBUTOR' })).toBe('tester')
  expect(await ownerWith({ 'x-user-id': 'zoe', 'x-user-roles': 'CONTRIBUTOR' })).toBe('zoe')
})

it('answers 401 when identity is required and either header is missing', async () => {
  for (const path of ['/', '/video/video-1', '/unknown']) {
    const incomplete: Record<string, string>[] = [
      {},
      { 'x-user-id': 'a' },
      { 'x-user-roles': 'MEMBER' },
      { 'x-user-id': '', 'x-user-roles': 'MEMBER' },
    ]
    for (const headers of incomplete) {
      const { status: given, body } = await strict.call('GET', path, { headers })
      expect([given, body]).toMatchObject([401, { statusCode: 401, error: 'Unauthorized' }])
    }
  }
  expect(await status(strict, { 'x-user-id': 'a', 'x-user-roles': 'CONTRIBUTOR' })).toBe(200)
})
