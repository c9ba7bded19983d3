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
  readonly query: object
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
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
  const client = new TestClient(server)
  /** Returns the requests to the attachments service since the last call. */
  async function sent(): Promise<[call: string, ...queryAndBody: unknown[]][]> {
    const journal = (await (await client.control('GET', '/requests')).json()) as Request[]
    await client.control('DELETE', '/requests')
    return journal
      .filter(({ path }) => path.startsWith('/v2.0.0/'))
      .map(({ method, path, query, headers, body }) => {
        expect(headers).toMatchObject({ 'x-user-id': 'me', 'x-user-roles': 'CONTRIBUTOR,MEMBER' })
        return [
          `${method} ${path.replace('/v2.0.0', '')}`,
          query,
          ...(body === null ? [] : [JSON.parse(body) as unknown]),
        ]
      })
  }
  return { server, client, folder, opened, model, run, instanceId, sent }
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

  it('send what the user entered, with the identity of the settings', async () => {
    const { run, instanceId, model, sent } = await start()
    await run.setInstanceSettings({ instanceId, userId: 'me', roles: 'CONTRIBUTOR,MEMBER' })
    const nothing = { description: '', videos: [], modules: [] }
    const address = 'https://example.org/'
    await sent()
    const { id } = await run.addAttachmentLink({ instanceId, title: 'A', address, ...nothing })
    const texts = { title: 'B', description: 'More', videos: ['v1'], modules: ['m1'] }
    await run.addAttachmentLink({ instanceId, address, ...texts })
    expect(await sent()).toEqual([
      ['POST /attachments/', {}, { type: 'EXTERNAL', title: 'A', url: address }],
      ['POST /attachments/', {}, { type: 'EXTERNAL', url: address, ...texts }],
    ])

    const edit = { instanceId, attachmentId: id, type: 'EXTERNAL', title: 'C' } as const
    await run.editAttachment({ ...edit, address: `${address}c`, description: '' })
    await run.editAttachment({ ...edit, videos: ['v1'], modules: [] })
    const one = `/attachments/${id}`
    expect(await sent(), 'an emptied text too').toEqual([
      [`PATCH ${one}`, {}, { type: 'EXTERNAL', title: 'C', description: '', url: `${address}c` }],
      [`PATCH ${one}`, {}, { type: 'EXTERNAL', title: 'C', videos: ['v1'], modules: [] }],
    ])

    const filter = { userId: 'me', videos: ['v 1', 'v2'], modules: ['m1'] }
    await run.listAttachments({ instanceId, page: 2, pageSize: 5, filter })
    await run.listAttachments({ instanceId, page: 1, pageSize: 1, filter: everything })
    await run.showAttachment({ instanceId, attachmentId: id })
    expect(await sent()).toEqual([
      ['GET /attachments/', { pageSize: '5', page: '2', userId: 'me', videos: ['v 1', 'v2'], modules: 'm1' }],
      ['GET /attachments/', { pageSize: '1', page: '1' }],
      [`GET ${one}`, {}],
    ])

    await run.deleteAttachment({ instanceId, attachmentId: id, title: 'C' })
    await run.undoDeleteAttachment({ instanceId, attachmentId: id })
    await model.attachments.deletions.flush()
    expect(await sent()).toEqual([])
    await run.deleteAttachment({ instanceId, attachmentId: id, title: 'C' })
    expect(await sent()).toEqual([])
    await model.attachments.deletions.flush()
    expect(await sent()).toEqual([[`DELETE ${one}`, {}]])
    expect(model.state().deletions).toEqual([])
  })

  it('replace a file, retry a refused upload, and delete the attachment of a cancelled one', async () => {
    const chosen: string[] = []
    const { run, instanceId, folder, model, sent, client } = await start({
      chooseFiles: () => Promise.resolve(chosen.splice(0)),
    })
    await run.setInstanceSettings({ instanceId, userId: 'me', roles: 'CONTRIBUTOR,MEMBER' })
    const choose = async (name: string) => {
      chosen.push(join(folder, name))
      await writeFile(join(folder, name), name)
      return (await run.chooseFiles({ several: false })).files[0]?.fileId ?? ''
    }
    const last = (state: string) =>
      vi.waitFor(() => {
        const transfer = model.state().transfers.at(-1)
        expect(transfer).toMatchObject({ state })
        return { id: '', attachmentId: '', ...transfer }
      })
    const texts = { title: 'One', description: '', videos: [], modules: [] }
    await client.control('POST', '/faults', { match: { method: 'POST' }, times: 1, fault: { status: 403 } })
    await run.uploadFiles({ instanceId, files: [{ ...texts, fileId: await choose('one.TXT') }] })
    const failed = await last('failed')
    expect(failed.error).toMatchObject({ code: 'attachments/forbidden', details: { status: 403 } })
    await sent()
    await run.retryTransfer({ transferId: failed.id })
    const { attachmentId } = await last('done')
    const body = { type: 'INTERNAL', title: 'One', extension: 'txt' }
    expect((await sent()).filter(([call]) => !call.startsWith('GET'))).toEqual([
      ['POST /attachments/', {}, body],
    ])

    const other = { attachmentId, fileId: await choose('two.md'), title: 'Two' }
    await run.replaceAttachmentFile({ instanceId, ...other })
    expect(await last('done')).toMatchObject({ kind: 'replacement', attachmentId })
    const one = `/attachments/${attachmentId}`
    const patched = { type: 'INTERNAL', title: 'Two', extension: 'md' }
    expect((await sent()).slice(0, 2)).toEqual([
      [`GET ${one}`, {}],
      [`PATCH ${one}`, {}, patched],
    ])

    await client.control('POST', '/faults', { match: { method: 'PUT' }, fault: { delayMs: 600_000 } })
    await run.uploadFiles({ instanceId, files: [{ ...texts, fileId: await choose('three.txt') }] })
    await run.cancelTransfer({ transferId: (await last('transferring')).id })
    const cancelled = await last('cancelled')
    expect(cancelled.left).toBeUndefined()
    const writes = (await sent()).map(([call]) => call).filter((call) => !call.startsWith('GET'))
    expect(writes).toEqual(['POST /attachments/', expect.stringMatching(/^DELETE \/attachments\/[\w-]+$/)])
  })

  it('show an attachment without its file, for which the service answers 404', async () => {
    const { run, instanceId } = await start()
    const { data } = await run.listAttachments({ instanceId, page: 1, pageSize: 100, filter: everything })
    const waiting = data.find(({ status }) => status === 'IN_PROGRESS')
    const shown = await run.showAttachment({ instanceId, attachmentId: waiting?.id ?? '' })
    expect(shown.data).toEqual(waiting)
  })
})
