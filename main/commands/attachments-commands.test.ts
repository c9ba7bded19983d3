import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startTestMock } from '../../mock-server/test-authority'
import { TestClient } from '../../mock-server/test-client'
import { appState } from '../../contract/state'
import { noDesktop } from './attachments-desktop.testing'
import type { AttachmentsDesktop } from './attachments-window-commands'
import { startModel } from './model.testing'

interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

const everything = { userId: '', videos: [], modules: [] }

/** Starts the commands over real services and adds the instance of a mock server. */
async function start(desktop: Partial<AttachmentsDesktop> = {}) {
  const server = await startTestMock({ autoApprove: true })
  onTestFinished(() => server.close())
  const folder = await mkdtemp(join(tmpdir(), 'causeway-attachments-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const opened: string[] = []
  const { model, run } = await startModel({
    dataDir: join(folder, 'data'),
    openBrowser: (url) => {
      opened.push(url.href)
      return Promise.resolve()
    },
    login: 'never',
    desktop: { ...noDesktop, ...desktop },
  })
  const { instanceId } = await run.addInstance({ address: server.instance })
  return { server, client: new TestClient(server), folder, opened, model, run, instanceId }
}

describe('attachments commands', () => {
  it('return attachments without the URLs of files, and without a login', async () => {
    const { run, instanceId } = await start()
    const page = { instanceId, page: 1, pageSize: 100 }
    const { data, totalCount } = await run.listAttachments({ ...page, filter: everything })
    expect(data).toHaveLength(totalCount)
    const files = data.filter(({ type }) => type === 'INTERNAL')
    expect(JSON.stringify(files)).not.toMatch(/https?:/)
    const link = data.find(({ type }) => type === 'EXTERNAL')
    expect(link?.address).toMatch(/^https:/)
    const ofTester = await run.listAttachments({ ...page, filter: { ...everything, userId: 'tester' } })
    expect(new Set(ofTester.data.map(({ userId }) => userId))).toEqual(new Set(['tester']))
    const [videoId = ''] = link?.videos ?? []
    const ofVideo = await run.listAttachmentsOfVideo({ instanceId, videoId })
    expect(ofVideo.data.every(({ videos }) => videos.includes(videoId))).toBe(true)
  })

  it('return the size and the date of a file from its storage, and never its URL', async () => {
    const { run, instanceId, client } = await start()
    const { data } = await run.listAttachments({ instanceId, page: 1, pageSize: 100, filter: everything })
    const id = (type: string, status: string): string =>
      data.find((each) => each.type === type && each.status === status)?.id ?? ''
    await client.control('DELETE', '/requests')
    const file = await run.attachmentFile({ instanceId, attachmentId: id('INTERNAL', 'COMPLETED') })
    expect(Object.keys(file).sort()).toEqual(['bytes', 'changedAt'])
    const requests = (await (await client.control('GET', '/requests')).json()) as Request[]
    const asked = requests.filter(({ path }) => path.startsWith('/storage/'))
    expect(asked).toMatchObject([{ method: 'GET', headers: { range: 'bytes=0-0' } }])
    for (const name of ['authorization', 'cookie', 'x-user-id', 'x-user-roles'])
      expect(asked[0]?.headers).not.toHaveProperty(name)
    for (const attachmentId of [id('EXTERNAL', 'COMPLETED'), id('INTERNAL', 'IN_PROGRESS'), 'none'])
      expect(await run.attachmentFile({ instanceId, attachmentId })).toEqual({})
  })

  it('stop asking about a file when the window asks about another', async () => {
    const { run, instanceId, client } = await start()
    const { data } = await run.listAttachments({ instanceId, page: 1, pageSize: 100, filter: everything })
    const [first = '', second = ''] = data
      .filter(({ type, status }) => type === 'INTERNAL' && status === 'COMPLETED')
      .map(({ id }) => id)
    await client.control('POST', '/faults', {
      match: { path: '/storage/*' },
      times: 1,
      fault: { delayMs: 600_000 },
    })
    const before = expect(run.attachmentFile({ instanceId, attachmentId: first })).rejects.toMatchObject({
      code: 'http/cancelled',
    })
    await vi.waitFor(async () => {
      expect(await (await client.control('GET', '/faults')).json()).toEqual([])
    })
    expect(await run.attachmentFile({ instanceId, attachmentId: second })).toHaveProperty('bytes')
    await before
  })

  it('upload chosen files, with a state that is valid by the contract and contains no path', async () => {
    const chosen: string[] = []
    const { run, instanceId, folder, model } = await start({ chooseFiles: () => Promise.resolve(chosen) })
    chosen.push(join(folder, 'notes.txt'))
    await writeFile(join(folder, 'notes.txt'), 'notes')
    const { files } = await run.chooseFiles({ several: true })
    await run.uploadFiles({
      instanceId,
      files: [{ fileId: files[0]?.fileId ?? '', title: 'Notes', description: '', videos: [], modules: [] }],
    })
    await vi.waitFor(() => {
      expect(model.state().transfers).toMatchObject([{ state: 'done', title: 'Notes', bytes: 5 }])
    })
    const state = model.state()
    expect(appState.parse(structuredClone(state))).toEqual(state)
    expect(JSON.stringify(state.transfers)).not.toContain(folder)
    expect(JSON.stringify(state.transfers)).not.toMatch(/https?:/)
  })

  it('remove bidirectional overrides from titles and file names', async () => {
    const chosen: string[] = []
    const { run, instanceId, folder, model } = await start({ chooseFiles: () => Promise.resolve(chosen) })
    chosen.push(join(folder, 'a\u202efdp.txt'))
    await writeFile(join(folder, 'a\u202efdp.txt'), 'notes')
    const { files } = await run.chooseFiles({ several: true })
    expect(files[0]).toMatchObject({ name: 'afdp.txt', title: 'afdp' })
    await run.uploadFiles({
      instanceId,
      files: [
        {
          fileId: files[0]?.fileId ?? '',
          title: 'b\u202efdp\u2067',
          description: '',
          videos: [],
          modules: [],
        },
      ],
    })
    expect(model.state().transfers).toMatchObject([{ title: 'bfdp' }])
  })

  it('save a download at the chosen path and open harmless files only', async () => {
    const target: string[] = []
    const opened: [string, string][] = []
    const { run, instanceId, folder, model } = await start({
      chooseTarget: (name) => {
        target.push(name)
        return Promise.resolve(join(folder, `${target.length}-${name}`))
      },
      openFile: (path) => {
        opened.push(['file', path])
        return Promise.resolve()
      },
      showInFolder: (path) => {
        opened.push(['folder', path])
      },
    })
    const { data } = await run.listAttachments({ instanceId, page: 1, pageSize: 100, filter: everything })
    const file = data.find(({ type, status, extension }) => {
      return type === 'INTERNAL' && status === 'COMPLETED' && extension === 'pdf'
    })
    await run.downloadAttachment({ instanceId, attachmentId: file?.id ?? '' })
    const [transfer] = await vi.waitFor(() => {
      const { transfers } = model.state()
      expect(transfers).toMatchObject([{ kind: 'download', state: 'done', opens: 'file' }])
      return transfers
    })
    const path = join(folder, `1-${target[0] ?? ''}`)
    expect((await readFile(path)).length).toBeGreaterThan(0)
    await run.openDownload({ transferId: transfer?.id ?? '' })
    await run.showDownload({ transferId: transfer?.id ?? '' })
    expect(opened).toEqual([
      ['file', path],
      ['folder', path],
    ])
    await expect(run.openDownload({ transferId: path })).rejects.toMatchObject({
      code: 'usage/invalid-argument',
    })
  })

  it('open only http(s) links', async () => {
    const { run, instanceId, opened, client } = await start()
    const link = await run.addAttachmentLink({
      instanceId,
      title: 'Source',
      description: '',
      videos: [],
      modules: [],
      address: 'https://example.org/source',
    })
    await run.openAttachmentLink({ instanceId, attachmentId: link.id })
    expect(opened).toEqual(['https://example.org/source'])
    const hostile = { ...link, url: 'file:///etc/passwd', address: undefined }
    await client.control('POST', '/faults', {
      match: { method: 'GET', path: `/v2.0.0/attachments/${link.id}` },
      fault: { status: 200, body: hostile },
    })
    await expect(run.openAttachmentLink({ instanceId, attachmentId: link.id })).rejects.toMatchObject({
      code: 'attachments/unsafe-link',
    })
    expect(opened).toHaveLength(1)
  })

  it('delete after a delay and show the pending deletion', async () => {
    const { run, instanceId, model } = await start()
    const { data, totalCount } = await run.listAttachments({
      instanceId,
      page: 1,
      pageSize: 1,
      filter: everything,
    })
    const one = { instanceId, attachmentId: data[0]?.id ?? '' }
    await run.deleteAttachment({ ...one, title: 'Slides' })
    expect(model.state().deletions).toEqual([{ ...one, title: 'Slides', state: 'waiting' }])
    await model.attachments.deletions.flush()
    const after = await run.listAttachments({ instanceId, page: 1, pageSize: 1, filter: everything })
    expect(after.totalCount).toBe(totalCount - 1)
  })
})
