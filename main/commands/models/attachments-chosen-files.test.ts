import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { AttachmentsChosenFiles } from './attachments-chosen-files'

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-chosen-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

it('accepts only ids of chosen files, and returns no paths', async () => {
  const folder = await temporaryFolder()
  // Windows has no names with a line feed.
  const path = join(folder, `Notes of${process.platform === 'win32' ? '\u2028' : '\n'}June.PDF`)
  await writeFile(path, 'notes')
  const files = new AttachmentsChosenFiles()
  const chosen = await files.offer([path, folder, join(folder, 'gone.txt')])
  expect(chosen.files).toMatchObject([{ title: 'Notes of June', bytes: 5 }])
  expect(chosen.refused.map(({ error }) => [error.code, error.details?.reason])).toEqual([
    ['attachments/file-unreadable', 'directory'],
    ['attachments/file-unreadable', 'missing'],
  ])
  expect(JSON.stringify(chosen)).not.toContain(folder)
  expect(files.path(chosen.files[0]?.fileId ?? '')).toBe(path)
  for (const fileId of [path, '/etc/passwd', '0', '2', '']) {
    expect(() => files.path(fileId)).toThrow('Choose it again.')
  }
})

it('refuses a file name without an extension', async () => {
  const path = join(await temporaryFolder(), 'README')
  await writeFile(path, '')
  const { refused } = await new AttachmentsChosenFiles().offer([path])
  expect(refused).toMatchObject([{ name: 'README', error: { code: 'attachments/extension-needed' } }])
})

it.each([['text'], [['relative.txt']], [['']], [[7]], [undefined]])(
  'refuses dropped files without absolute paths: %j',
  async (paths) => {
    expect(await new AttachmentsChosenFiles().offerDropped(paths, () => Promise.resolve(true))).toMatchObject(
      {
        ok: false,
        error: { code: 'usage/invalid-argument' },
      },
    )
  },
)

it('asks for no permission if nothing that was dropped is a file of this computer', async () => {
  const answer = await new AttachmentsChosenFiles().offerDropped([], () =>
    Promise.reject(new Error('It asked.')),
  )
  expect(answer).toMatchObject({
    ok: false,
    error: {
      code: 'attachments/file-unreadable',
      message: "This file isn't on this computer. Save it here first, then choose it.",
    },
  })
})

it.each([
  ['all that the user confirms', true, 1],
  ['none that the user refuses', false, 0],
])('takes of dropped files %s', async (_which, confirmed, count) => {
  const path = join(await temporaryFolder(), 'notes.txt')
  await writeFile(path, 'notes')
  const asked: unknown[] = []
  const files = new AttachmentsChosenFiles()
  const answer = await files.offerDropped([path], (paths) => {
    asked.push(...paths)
    return Promise.resolve(confirmed)
  })
  expect(answer).toMatchObject({ ok: true, value: { refused: [] } })
  expect(answer.ok && answer.value.files).toHaveLength(count)
  expect(asked).toEqual([path])
  if (!confirmed) expect(() => files.path('1')).toThrow('Choose it again.')
})
