import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerFromRenderer, requestedPath, type PageAnswer } from './renderer-files'

describe('answerFromRenderer', () => {
  let folder: string
  let root: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'causeway-renderer-'))
    root = join(folder, 'renderer')
    await mkdir(join(root, 'assets'), { recursive: true })
    await writeFile(join(root, 'index.html'), '<meta name="style-nonce" content="{{style-nonce}}">')
    await writeFile(join(root, 'assets', 'index-Ab_1.js'), 'run()')
    await writeFile(join(root, 'assets', 'notes.txt'), 'of no type that a page has')
    await writeFile(join(folder, 'secrets.js'), 'outside')
  })

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
  })

  const get = (address: string, method = 'GET'): Promise<PageAnswer> =>
    answerFromRenderer(root, { method, url: address })

  it('serves built files with their types', async () => {
    const answer = await get('app://causeway/assets/index-Ab_1.js')
    expect(answer.statusCode).toBe(200)
    expect(answer.mimeType).toBe('text/javascript')
    expect(answer.data.toString()).toBe('run()')
  })

  it('uses a new nonce for every page load, the same in policy and page', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const answer = await get('app://causeway/index.html')
        const page = /content="([^"]+)"/.exec(answer.data.toString())?.[1]
        expect(answer.headers['content-security-policy']).toContain(`style-src app: 'nonce-${String(page)}'`)
        return page
      }),
    )
    expect(nonces[0]).not.toBe(nonces[1])
  })

  it('allows no inline script, no eval and no other origin', async () => {
    const answer = await get('app://causeway/index.html')
    const policy = answer.headers['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'; script-src app:;")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
  })

  it.each([
    ['app://causeway/../secrets.js'],
    ['app://causeway/assets/..%2f..%2fsecrets.js'],
    ['app://causeway/%2e%2e/secrets.js'],
    ['app://causeway/assets/..\\..\\secrets.js'],
    ['app://causeway/assets/%00'],
    ['app://causeway/assets/missing.js'],
    ['app://causeway/assets/notes.txt'],
    ['app://causeway/assets'],
    ['app://causeway/'],
    ['app://elsewhere/index.html'],
    ['https://causeway/index.html'],
    ['not an address'],
  ])('answers 404 for %s', async (address) => {
    const answer = await get(address)
    expect(answer.statusCode).toBe(404)
    expect(answer.data.toString()).toBe('Not found')
  })

  it('answers only GET', async () => {
    expect((await get('app://causeway/index.html', 'POST')).statusCode).toBe(404)
  })
})

describe('requestedPath', () => {
  it('never returns parent folders, dot files or escapes', () => {
    for (const path of ['a/../../b', './.git/config', '%2e%2e/x', 'a%2fb', 'a//..//b']) {
      const segments = requestedPath(`app://causeway/${path}`) ?? []
      expect(segments.join('/')).not.toMatch(/(^|\/)\.|%/)
    }
  })
})
