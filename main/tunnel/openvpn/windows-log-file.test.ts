import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'

import { followLogFile, type FollowOptions } from './windows-log-file'

const patient = { timeout: 10_000 }
const never = 2_000_000_000

async function follow(options: Partial<FollowOptions> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'causeway-log-'))
  const file = path.join(folder, 'openvpn.log')
  const writer = await open(file, 'a')
  const lines: string[] = []
  const trouble = vi.fn()
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  const following = followLogFile(file, (line) => lines.push(line), { ended, onTrouble: trouble, ...options })
  onTestFinished(async () => {
    end()
    await following
    await writer.close()
    await rm(folder, { recursive: true })
  })
  const told = (expected: readonly string[]) =>
    vi.waitFor(() => {
      expect(lines).toEqual(expected)
    }, patient)
  return { writer, lines, trouble, told, end: () => (end(), following) }
}

it('tells of each line as soon as the system tells of the change', async () => {
  const { writer, told } = await follow({ lookMs: never })
  await writer.write('first\r\n')
  await told(['first'])
  await writer.write('second\r\n')
  await told(['first', 'second'])
})

it('tells of them also where the system does not, as Windows while the file is open', async () => {
  const { writer, told } = await follow({ lookMs: 10, watch: () => ({ close: () => undefined }) })
  await writer.write('first\r\nsecond\r\n')
  await told(['first', 'second'])
  await writer.write('third\r\n')
  await told(['first', 'second', 'third'])
})

it('puts lines and letters together that were written in parts', async () => {
  const { writer, told } = await follow()
  const bytes = Buffer.from('Zürich\r\n\r\nend\r\n')
  await writer.write(bytes, 0, 2)
  await writer.write(bytes, 2, bytes.length - 4)
  await told(['Zürich'])
  await writer.write(bytes, bytes.length - 2, 2)
  await told(['Zürich', 'end'])
})

it('reads what was written last, also without an end of the line', async () => {
  const { writer, lines, end } = await follow({ lookMs: never, watch: () => ({ close: () => undefined }) })
  await writer.write(`${'a line\n'.repeat(50_000)}the last`)
  await end()
  expect(lines).toHaveLength(50_001)
  expect(lines.at(-1)).toBe('the last')
})

it('does not take the rest of an endless line for a line, and keeps no more of it than its beginning', async () => {
  const { writer, lines, end } = await follow()
  await writer.write(`${'x'.repeat(200_000)}Initialization Sequence Completed\nnext\n`)
  await end()
  expect(lines.map((line) => line.length)).toEqual([16_384, 4])
})

it('says once that it stops where there is far too much, and that there is nothing to read', async () => {
  const { writer, trouble, end } = await follow({ maxBytes: 1000 })
  await writer.write('x'.repeat(600) + '\n')
  await writer.write('y'.repeat(600) + '\n')
  await vi.waitFor(() => {
    expect(trouble).toHaveBeenCalledTimes(1)
  }, patient)
  await writer.write('z\n')
  await end()
  expect(trouble).toHaveBeenCalledTimes(1)

  const nothing = vi.fn()
  await followLogFile('/nonexistent/openvpn.log', () => undefined, {
    ended: Promise.resolve(),
    onTrouble: nothing,
  })
  expect(nothing).toHaveBeenCalledTimes(1)
})
