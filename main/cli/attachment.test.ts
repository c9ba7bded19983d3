import { createReadStream } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { canInterrupt, startCommandAndMock } from './causeway.testing'

const { command, mock } = await startCommandAndMock({})
const person = await command.person(mock.instance)

interface AttachmentJson {
  readonly id: string
}

const run = (...args: string[]) => person.json('attachment', ...args)

async function control(path: string, body: object = {}): Promise<void> {
  const response = await fetch(`${mock.control}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.ok).toBe(true)
}

const scenario = (name: string) => control(`/scenarios/${name}`)

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(person.dataDir, name)
  await writeFile(path, content)
  return path
}

it('adds, edits, shows, lists and deletes a link', async () => {
  const added = (await run(
    'add-link',
    'https://example.org/',
    '--title',
    'A',
    '--video',
    'v1',
    'v2',
  )) as AttachmentJson
  expect(added).toMatchObject({ type: 'EXTERNAL', title: 'A', videos: ['v1', 'v2'], modules: [] })
  await run('edit', added.id, '--description', 'About\n\u001b[31mthis')
  expect(await run('show', added.id)).toMatchObject({
    title: 'A',
    url: 'https://example.org/',
    videos: ['v1', 'v2'],
  })
  expect(await run('for-video', 'v2')).toMatchObject([{ id: added.id }])
  const { stdout } = await person.run(['attachment', 'show', added.id])
  expect(stdout).toContain('Description  About\n             [31mthis\nType         link\n')
  expect(await run('delete', added.id, '--yes')).toEqual({ id: added.id })
  expect(await person.failure(['attachment', 'show', added.id])).toMatchObject({
    status: 5,
    code: 'attachments/not-found',
  })
})

it('shows an attachment whose file is not uploaded yet, as the window does', async () => {
  const all = (await run('list', '--page-size', '100')) as (AttachmentJson & { readonly status: string })[]
  const waiting = all.find(({ status }) => status === 'IN_PROGRESS')
  if (waiting === undefined) throw new Error('None is in progress.')
  // Each answer has an address of its own.
  expect(await run('show', waiting.id)).toEqual({ ...waiting, url: expect.any(String) as string })
})

it('uploads, replaces and downloads a file, and shows the progress', async () => {
  const first = await file('Ünïcode “1” (a).TXT', 'one')
  const uploaded = await person.run(['attachment', 'upload', first])
  expect(uploaded).toMatchObject({ status: 0 })
  expect(uploaded.stdout).toMatch(/^Uploaded Ünïcode “1” \(a\) as [\w-]+\.$/)
  expect(uploaded.stderr.split('\n').slice(-2)).toEqual([
    'Uploading Ünïcode “1” (a).TXT (3 B)',
    'Uploaded. Waiting for confirmation from the service',
  ])
  const id = / as ([\w-]+)\./.exec(uploaded.stdout)?.[1] ?? ''
  const second = await file('two', 'second')
  expect(await run('replace', id, second, '--extension', 'MD')).toMatchObject({
    id,
    status: 'COMPLETED',
    title: 'Ünïcode “1” (a)',
    extension: 'md',
  })
  const folder = join(person.dataDir, 'folder')
  await mkdir(folder)
  const path = join(folder, 'Ünïcode “1” (a).md')
  expect(await run('download', id, folder)).toEqual({ id, path, bytes: 6 })
  expect(await readFile(path, 'utf8')).toBe('second')
  expect(await person.failure(['attachment', 'download', id, path])).toMatchObject({
    status: 1,
    code: 'attachments/file-exists',
  })
  expect(await run('download', id, path, '--overwrite')).toMatchObject({ bytes: 6 })
  await run('delete', id, '--yes')
})

it('shows the size of a file and when it changed', async () => {
  const { id } = (await run('upload', await file('size.txt', 'x'.repeat(1234)))) as AttachmentJson
  const shown = (await run('show', id)) as { readonly bytes: number; readonly changedAt: string }
  expect(shown).toMatchObject({ id, bytes: 1234 })
  expect(shown.changedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/)
  const { stdout } = await person.run(['attachment', 'show', id])
  expect(stdout).toMatch(/^Size +1\.2 kB\nModified +[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d\s[AP]M$/m)
  await control('/faults', { match: { path: '/storage/*' }, fault: { status: 503, body: {} } })
  const without = await run('show', id)
  expect(without).toMatchObject({ id })
  expect(without).not.toHaveProperty('bytes')
  expect(without).not.toHaveProperty('changedAt')
  await scenario('all-well')
  await run('delete', id, '--yes')
})

it('reports the number of attachments that cannot be read, and the total', async () => {
  const all = (await run('list', '--page-size', '100')) as AttachmentJson[]
  await scenario('attachments-bad-records')
  const listed = await person.run(['attachment', 'list', '--json', '--page-size', '100'])
  expect((JSON.parse(listed.stdout) as AttachmentJson[]).map(({ id }) => id)).toEqual(all.map(({ id }) => id))
  expect(JSON.parse(listed.stderr.split('\n', 1)[0] ?? '')).toMatchObject({
    notice: { code: 'attachments/unreadable', details: { count: 3 } },
  })
  expect(await run('list', '--with-total', '--page-size', '100')).toMatchObject({
    totalCount: all.length + 3,
    unreadable: 3,
  })
  const shown = await person.run(['attachment', 'for-video', 'none'])
  expect(shown.stderr).toContain("Attachments that couldn't be read and aren't shown: 3.")
  await scenario('all-well')
})

it('reports a possible leftover if the service does not identify the new attachment', async () => {
  await control('/attachments/variant', { listDelaySeconds: 3600 })
  await control('/storage', { earlyRefusals: 1000 })
  await fetch(`${mock.control}/requests`, { method: 'DELETE' })
  const path = await file('left.txt', 'notes')
  expect(await person.failure(['attachment', 'upload', path])).toMatchObject({
    code: 'attachments/storage-refused',
    details: { status: 403, left: 'unidentified' },
  })
  const { stderr } = await person.run(['attachment', 'upload', path])
  expect(stderr).toContain('The service may still list')
  expect(stderr).toMatch(/causeway .*attachment list/)
  for (const method of ['PATCH', 'DELETE']) await control('/verify', { match: { method }, times: 0 })
  await scenario('all-well')
})

describe('safety checks', () => {
  it('require --yes without a terminal to delete, and to replace a link with a file', async () => {
    const { id } = (await run('add-link', 'https://example.org/', '--title', 'Link')) as AttachmentJson
    await fetch(`${mock.control}/requests`, { method: 'DELETE' })
    const path = await file('one.txt', 'one')
    for (const args of [
      ['delete', id],
      ['replace', id, path],
    ]) {
      expect(await person.failure(['attachment', ...args])).toMatchObject({
        status: 2,
        code: 'usage/invalid-argument',
        details: { argument: 'yes' },
      })
    }
    for (const method of ['PATCH', 'DELETE', 'PUT']) await control('/verify', { match: { method }, times: 0 })
    expect(await run('replace', id, path, '--yes')).toMatchObject({ type: 'INTERNAL' })
    await run('delete', id, '--yes')
  })

  // Windows doesn't look whether the folder before `..` exists.
  const missing = ['nodir/', 'nodir/.', ...(process.platform === 'win32' ? [] : ['nodir/..'])]
  it.each(missing)('refuse to download into a missing folder: %s', async (to) => {
    await fetch(`${mock.control}/requests`, { method: 'DELETE' })
    const target = `${person.dataDir}/${to}`
    expect(await person.failure(['attachment', 'download', 'x', target])).toMatchObject({
      code: 'attachments/file-unwritable',
      details: { reason: 'no-folder' },
    })
    await control('/verify', { match: { path: '/v2.0.0/*' }, times: 0 })
  })
})

it.each<[args: string[], code: string, status: number]>([
  [['upload', '/'], 'attachments/file-unreadable', 1],
  [['add-link', 'file:///etc/passwd', '--title', 'x'], 'attachments/invalid-request', 2],
  [['edit', 'x'], 'usage/invalid-argument', 2],
])('reports the error of %j', async (args, code, status) => {
  expect(await person.failure(['attachment', ...args])).toMatchObject({ code, status })
})

it('reports the attachment without a file after a failed upload', async () => {
  await scenario('storage-full')
  const path = await file('a.txt', 'x')
  const failed = await person.failure(['attachment', 'upload', path])
  expect(failed).toMatchObject({ status: 5, code: 'attachments/storage-refused', details: { status: 507 } })
  await scenario('all-well')
  const id = String(failed.details?.attachmentId)
  expect(await run('replace', id, path)).toMatchObject({ id, status: 'COMPLETED' })
})

it.each([
  ['is unavailable', { status: 503 }],
  ['is busy', { status: 429, headers: { 'retry-after': '60' } }],
  ['asks for a sign-in', { status: 401 }],
  ['answers with something else', { malformed: true }],
])('prints the id of a confirmed upload although the service then %s', async (_what, fault) => {
  // The list before and after the attachment is created, and the confirmation.
  await control('/faults', { match: { method: 'GET', path: '/v2.0.0/attachments/*' }, skip: 3, fault })
  const path = await file('confirmed.txt', 'x')
  const uploaded = (await run('upload', path)) as AttachmentJson
  await scenario('all-well')
  expect(uploaded).toEqual({
    id: expect.stringMatching(/./) as string,
    status: 'COMPLETED',
    type: 'INTERNAL',
    title: 'confirmed',
  })
  expect(await run('show', uploaded.id)).toMatchObject({ status: 'COMPLETED' })
  await run('delete', uploaded.id, '--yes')
})

it.runIf(canInterrupt)('does not report an unconfirmed upload as a failure', async () => {
  await scenario('held-upload')
  const running = person.start(['attachment', 'upload', await file('a.txt', 'x')])
  for await (const line of createInterface({ input: running.stderr })) {
    if (line.startsWith('Uploaded. Waiting')) break
  }
  running.kill('SIGINT')
  const { exitCode, stdout } = await running
  expect(exitCode).toBe(0)
  expect(stdout).toContain("The service hasn't confirmed it yet")
  await scenario('all-well')
})

it.runIf(canInterrupt)('cancels transfers on Ctrl-C, and leaves no attachment and no file', async () => {
  const before = await run('list', '--page-size', '100')
  await scenario('slow-upload')
  const big = await file('big.bin', Buffer.alloc(16_000_000))
  const uploading = person.start(['attachment', 'upload', big])
  for await (const line of createInterface({ input: uploading.stderr })) {
    if (line.startsWith('Uploading')) break
  }
  uploading.kill('SIGINT')
  expect(await uploading).toMatchObject({ exitCode: 1 })
  await scenario('all-well')
  expect(await run('list', '--page-size', '100')).toHaveLength((before as AttachmentJson[]).length)

  const { id } = (await run('upload', big)) as AttachmentJson
  const folder = join(person.dataDir, 'empty')
  await mkdir(folder)
  await control('/faults', { match: { path: '/storage/*' }, fault: { slowBodyMs: 600_000 } })
  const downloading = person.start(['attachment', 'download', id, folder])
  for await (const line of createInterface({ input: downloading.stderr })) {
    if (line.startsWith('Downloading')) break
  }
  downloading.kill('SIGTERM')
  const { exitCode, stderr } = await downloading
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('(http/cancelled)')])
  await scenario('all-well')
  expect(await readdir(folder)).toEqual([])
})

it.runIf(process.platform === 'linux')('logs no signed URLs', async () => {
  const lines = createInterface({ input: createReadStream(join(person.dataDir, 'logs', 'causeway.log')) })
  let transfers = 0
  for await (const line of lines) {
    expect(line).not.toContain('signature')
    if (line.includes('/storage/')) transfers += 1
  }
  expect(transfers).toBeGreaterThan(3)
})
