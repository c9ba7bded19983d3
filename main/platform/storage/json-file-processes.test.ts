import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, inject, it, onTestFinished } from 'vitest'
import { isSlowRun } from '../../../scripts/nightly-tests'

it('loses no change of two processes', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'causeway-json-file-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const path = join(directory, 'names.json')
  const program = inject('programs').processes.writeNames
  // A lock that another process waits for takes longer on Windows.
  const count = isSlowRun && process.platform !== 'win32' ? 200 : 40
  const write = (prefix: string) => execa(process.execPath, [program, path, prefix, String(count)])
  await Promise.all([write('a'), write('b')])
  const { data } = JSON.parse(await readFile(path, 'utf8')) as { readonly data: { readonly names: string[] } }
  const expected = (prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
  expect(data.names.filter((name) => name.startsWith('a'))).toEqual(expected('a'))
  expect(data.names.filter((name) => name.startsWith('b'))).toEqual(expected('b'))
  expect(await readdir(directory)).toEqual(['names.json'])
})
