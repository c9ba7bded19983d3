import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createJsonFile, type JsonFile, type JsonFileOptions } from './json-file'
import { testReporter } from '../../reporter.testing'

/** The error of the next write. */
const disk = vi.hoisted(() => ({ fault: undefined as Error | undefined }))
vi.mock('write-file-atomic', async (original) => {
  const { default: write } = await original<{ default: (...given: unknown[]) => Promise<void> }>()
  return {
    default: (...given: unknown[]) =>
      disk.fault === undefined ? write(...given) : Promise.reject(disk.fault),
  }
})

const schema = z.object({ names: z.array(z.string()) })
type Names = z.infer<typeof schema>

let directory: string
let path: string
let damaged: string[]

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'causeway-json-file-'))
  path = join(directory, 'data', 'names.json')
  damaged = []
})

afterEach(() => rm(directory, { recursive: true, force: true }))

function open(more: Partial<JsonFileOptions<Names>> = {}): JsonFile<Names> {
  return createJsonFile<Names>({
    path,
    schema,
    version: 1,
    empty: { names: [] },
    now: () => new Date('2026-11-20T18:29:34.567Z'),
    reporter: testReporter({ notice: ({ details }) => damaged.push(String(details?.movedTo)) }),
    ...more,
  })
}

async function put(content: string | Buffer): Promise<void> {
  await mkdir(join(directory, 'data'), { recursive: true })
  await writeFile(path, content)
}

describe('reading and writing', () => {
  it('returns the empty value without creating a file', async () => {
    expect(await open().read()).toEqual({ names: [] })
    expect(await readdir(directory)).toEqual([])
  })

  it('reads what was written, with its version', async () => {
    await open().write({ names: ['office', 'été'] })

    expect(await open().read()).toEqual({ names: ['office', 'été'] })
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
      version: 1,
      data: { names: ['office', 'été'] },
    })
  })

  it.skipIf(process.platform === 'win32')('restricts file and directory to their owner', async () => {
    await open().write({ names: [] })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(join(directory, 'data'))).mode & 0o777).toBe(0o700)

    await chmod(path, 0o644)
    await open().write({ names: ['a'] })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('leaves no temporary file behind', async () => {
    const file = open()
    await Promise.all([file.write({ names: ['a'] }), file.write({ names: ['b'] })])
    expect(await readdir(join(directory, 'data'))).toEqual(['names.json'])
    expect(await file.read()).toEqual({ names: ['b'] })
  })

  it('loses no change of many concurrent ones', async () => {
    const file = open()
    const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    await Promise.all(letters.map((letter) => file.update(({ names }) => ({ names: [...names, letter] }))))
    expect(await file.read()).toEqual({ names: letters })
  })

  it('updates the value that another process has written', async () => {
    const file = open()
    await file.read()
    await open().write({ names: ['theirs'] })
    expect(await file.update(({ names }) => ({ names: [...names, 'ours'] }))).toEqual({
      names: ['theirs', 'ours'],
    })
  })

  it('continues after a change that threw', async () => {
    const file = open()
    await expect(
      file.update(() => {
        throw new Error('refused')
      }),
    ).rejects.toThrow('refused')
    await file.write({ names: ['a'] })
    expect(await file.read()).toEqual({ names: ['a'] })
  })

  it('reads a file with a byte order mark', async () => {
    await put(`\uFEFF${JSON.stringify({ version: 1, data: { names: ['a'] } })}`)
    expect(await open().read()).toEqual({ names: ['a'] })
  })
})

describe('a damaged file', () => {
  it('keeps the elements of a list that can be used', async () => {
    await put('{"version": 1, "data": ["a", 1, "b"]}')
    const list = createJsonFile<readonly string[]>({
      path,
      schema: z.array(z.string()).readonly(),
      version: 1,
      empty: [],
      now: () => new Date('2026-11-20T18:29:34.567Z'),
    })
    expect(await list.read()).toEqual(['a', 'b'])
    expect(await list.read()).toEqual(['a', 'b'])
  })

  it('keeps what can be used of it', async () => {
    const content = '{"version": 1, "data": {"names": ["a", 1, "b"], "more": true}}'
    await put(content)
    expect(await open().peek()).toEqual({ names: ['a', 'b'] })
    expect(await open().read()).toEqual({ names: ['a', 'b'] })
    expect(await open().read()).toEqual({ names: ['a', 'b'] })
    expect(damaged).toHaveLength(1)
    expect(await readFile(damaged[0] ?? '', 'utf8')).toBe(content)
  })

  it.each([
    ['empty', ''],
    ['cut short', '{"version": 1, "data": {"na'],
    ['not an object', '[]'],
    ['null', 'null'],
    ['without a version', '{"data": {"names": []}}'],
    ['with a version that is a text', '{"version": "1", "data": {"names": []}}'],
    ['of the wrong shape', '{"version": 1, "data": {"names": [1]}}'],
    ['not UTF-8', Buffer.from([0xff, 0xfe, 0x00])],
  ])('is moved away unchanged and reported when it is %s', async (_what, content) => {
    await put(content)
    expect(await open().read()).toEqual({ names: [] })

    const movedTo = `${path}.corrupt-2026-11-20T18-29-34.567Z`
    expect(damaged).toEqual([movedTo])
    expect(await readFile(movedTo)).toEqual(Buffer.from(content))
    expect(await readdir(join(directory, 'data'))).toHaveLength(1)
  })

  it('is moved away before a value is written', async () => {
    await put('{')
    await open().write({ names: ['a'] })
    expect(damaged).toHaveLength(1)
    expect(await open().read()).toEqual({ names: ['a'] })
  })

  it('is reported once for two concurrent reads', async () => {
    await put('{')
    const file = open()
    expect(await Promise.all([file.read(), file.read()])).toEqual([{ names: [] }, { names: [] }])
    expect(damaged).toHaveLength(1)
  })
})

describe('a full disk', () => {
  const full = Object.assign(new Error('no room'), { code: 'ENOSPC' })
  afterEach(() => {
    disk.fault = undefined
  })

  it('allows removing a secret in place', async () => {
    await open({ shrinksInPlace: true }).write({ names: ['secret', 'kept'] })
    disk.fault = full
    const file = open({ shrinksInPlace: true })
    expect(await file.update(({ names }) => ({ names: names.slice(1) }))).toEqual({ names: ['kept'] })
    expect(await readFile(path, 'utf8')).not.toContain('secret')
    expect(await file.read()).toEqual({ names: ['kept'] })
    expect((await stat(path)).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600)
    expect(await readdir(join(directory, 'data'))).toEqual(['names.json'])
  })

  it('rejects a longer value, and never writes in place without the option', async () => {
    await open().write({ names: ['before'] })
    const before = await readFile(path, 'utf8')
    disk.fault = full
    const refusal = { code: 'data/unwritable', details: { reason: 'ENOSPC' } }
    await expect(open({ shrinksInPlace: true }).write({ names: ['much longer'] })).rejects.toMatchObject(
      refusal,
    )
    await expect(open().write({ names: [] })).rejects.toMatchObject(refusal)
    expect(await readFile(path, 'utf8')).toBe(before)
  })

  it('is not assumed for another error', async () => {
    await open().write({ names: ['before'] })
    disk.fault = Object.assign(new Error('broken'), { code: 'EIO' })
    await expect(open({ shrinksInPlace: true }).write({ names: [] })).rejects.toMatchObject({
      code: 'data/unwritable',
      details: { reason: 'EIO' },
    })
    expect(await open().read()).toEqual({ names: ['before'] })
  })
})

describe('files that Causeway must not change', () => {
  it('keeps a file of a newer version unchanged', async () => {
    const content = '{"version": 2, "data": {"names": {"a": 1}}}'
    await put(content)
    const refusal = { code: 'data/unreadable', details: { path, version: 2 } }

    await expect(open().read()).rejects.toMatchObject(refusal)
    await expect(open().write({ names: [] })).rejects.toMatchObject(refusal)
    await expect(open().update((value) => value)).rejects.toMatchObject(refusal)
    expect(await readFile(path, 'utf8')).toBe(content)
    expect(damaged).toEqual([])
  })

  it('reports the path that cannot be read, with the reason', async () => {
    await mkdir(path, { recursive: true })
    await expect(open().read()).rejects.toMatchObject({
      code: 'data/unreadable',
      details: { path, reason: 'EISDIR' },
    })
  })

  it.skipIf(process.platform === 'win32').each([
    ['a pipe', () => execa('mkfifo', [path])],
    ['a device', () => symlink('/dev/zero', path)],
    ['a terminal', () => symlink('/dev/ptmx', path)],
  ])('does not wait for %s in place of a file', async (_what, make) => {
    await mkdir(join(directory, 'data'))
    await make()
    const refusal = { code: 'data/unreadable', details: { path, reason: 'not-a-file' } }
    await expect(open().read()).rejects.toMatchObject(refusal)
    await expect(open().write({ names: [] })).rejects.toMatchObject(refusal)
    expect(damaged).toEqual([])
  })

  // Windows says for both that the path doesn't exist.
  it.skipIf(process.platform === 'win32')(
    'does not mistake a path through a file for a missing file',
    async () => {
      path = join(directory, 'names.json', 'names.json')
      await writeFile(join(directory, 'names.json'), 'a file where a directory is needed')
      await expect(open().read()).rejects.toMatchObject({
        code: 'data/unreadable',
        details: { reason: 'ENOTDIR' },
      })
    },
  )

  it('reports the path that cannot be written, with the reason', async () => {
    // The longest allowed file name leaves no room for a temporary file beside it.
    path = join(directory, 'n'.repeat(250))
    await expect(open().write({ names: [] })).rejects.toMatchObject({
      code: 'data/unwritable',
      details: { path, reason: process.platform === 'win32' ? 'ENOENT' : 'ENAMETOOLONG' },
    })
  })
})
