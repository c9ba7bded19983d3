import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { parseFeed } from '../main/updates/feed'
import { updateFeed } from './update-feed'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-feed-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

const now = new Date('2026-11-23T12:00:00Z')
const source = new URL('https://updates.example.org/updates.json')

it('names the packages that Causeway installs by itself, with what they must be', async () => {
  const names = [
    'Causeway-1.3.0.AppImage',
    'Causeway-1.3.0-arm64.AppImage',
    'causeway-1.3.0-x64-setup.exe',
    'causeway-1.3.0-arm64-setup.exe',
    'Causeway-1.3.0-universal-mac.zip',
    'Causeway-1.2.0.AppImage',
    'causeway_1.3.0_amd64.deb',
    'causeway-1.3.0.tar.gz',
    'Causeway-1.3.0-universal.dmg',
    'causeway-1.3.0-x64.msi',
  ]
  for (const name of names) await writeFile(join(folder, name), name)
  const feed = parseFeed(await updateFeed(folder, { version: '1.3.0', now }), source)
  expect([...feed.files].map(([target, { url }]) => [target, url.pathname])).toEqual([
    ['AppImage-arm64', '/Causeway-1.3.0-arm64.AppImage'],
    ['mac', '/Causeway-1.3.0-universal-mac.zip'],
    ['AppImage-x64', '/Causeway-1.3.0.AppImage'],
    ['nsis-arm64', '/causeway-1.3.0-arm64-setup.exe'],
    ['nsis-x64', '/causeway-1.3.0-x64-setup.exe'],
  ])
  const sha512 = createHash('sha512').update('Causeway-1.3.0.AppImage').digest('base64')
  expect(feed.files.get('AppImage-x64')).toMatchObject({ sha512, size: 23 })
  expect(feed).toMatchObject({ release: '1.3.0', rollout: 100, expires: new Date('2027-02-21T12:00:00Z') })
})

it('takes the roll-out, the page and the oldest supported version', async () => {
  await writeFile(join(folder, 'Causeway-1.3.0.AppImage'), 'x')
  const options = {
    version: '1.3.0',
    now,
    files: 'https://files.example.org/v1.3.0/',
    notes: 'https://example.org/1.3.0',
    rollout: 10,
    minimum: '1.1.0',
    days: 1,
  }
  const feed = parseFeed(await updateFeed(folder, options), source)
  expect(feed).toMatchObject({
    rollout: 10,
    minimumVersion: '1.1.0',
    notes: new URL('https://example.org/1.3.0'),
    expires: new Date('2026-11-24T12:00:00Z'),
  })
  expect(feed.files.get('AppImage-x64')?.url.href).toBe(
    'https://files.example.org/v1.3.0/Causeway-1.3.0.AppImage',
  )
})

it.each([{ rollout: 101 }, { minimum: 'old' }, { files: 'http://files.example.org/' }])(
  'writes no feed that Causeway would refuse: %j',
  async (wrong) => {
    await writeFile(join(folder, 'Causeway-1.3.0.AppImage'), 'x')
    await expect(updateFeed(folder, { version: '1.3.0', now, ...wrong })).rejects.toMatchObject({
      code: 'updates/invalid-document',
    })
  },
)
