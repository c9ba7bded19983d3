import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'

import { followLogFile, type FollowOptions } from './windows-log-file'

const never = 2_000_000_000

async function follow(options: Partial<FollowOptions> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'causeway-log-'))
  const file = path.join(folder, 'openvpn.log')
  const writer = await open(file, 'a')
  const lines: string[] = []
  const failed = vi.fn()
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  const following = followLogFile(file, (line) => lines.push(line), { ended, onFailure: failed, ...options })
  onTestFinished(async () => {
    end()
    await following
    await writer.close()
    await rm(folder, { recursive: true })
  })
  const expectLines = (expected: readonly string[]) =>
    vi.waitFor(() => {
      expect(lines).toEqual(expected)
    })
  return { writer, lines, failed, expectLines, end: () => (end(), following) }
}

it('reports each line when the system reports the change', async () => {
  const { writer, expectLines } = await follow({ lookMs: never })
  await writer.write('first\r\n')
  await expectLines(['first'])
  await writer.write('second\r\n')
  await expectLines(['first', 'second'])
})

it('polls where the system does not report changes, like Windows', async () => {
  const { writer, expectLines } = await follow({ lookMs: 10, watch: () => ({ close: () => undefined }) })
  await writer.write('first\r\nsecond\r\n')
  await expectLines(['first', 'second'])
  await writer.write('third\r\n')
  await expectLines(['first', 'second', 'third'])
})

it('joins lines and characters that were written in parts', async () => {
  const { writer, expectLines } = await follow()
  const bytes = Buffer.from('Zürich\r\n\r\nend\r\n')
  await writer.write(bytes, 0, 2)
  await writer.write(bytes, 2, bytes.length - 4)
  await expectLines(['Zürich'])
  await writer.write(bytes, bytes.length - 2, 2)
  await expectLines(['Zürich', 'end'])
})

it('reads the last write, even without a line end', async () => {
  const { writer, lines, end } = await follow({ lookMs: never, watch: () => ({ close: () => undefined }) })
  await writer.write(`${'a line\n'.repeat(50_000)}the last`)
  await end()
  expect(lines).toHaveLength(50_001)
  expect(lines.at(-1)).toBe('the last')
})

it('truncates an endless line', async () => {
  const { writer, lines, end } = await follow()
  await writer.write(`${'x'.repeat(200_000)}Initialization Sequence Completed\nnext\n`)
  await end()
  expect(lines.map((line) => line.length)).toEqual([16_384, 4])
})

it('reports once that a file is too long, or cannot be read', async () => {
  const { writer, failed, end } = await follow({ maxBytes: 1000 })
  await writer.write('x'.repeat(600) + '\n')
  await writer.write('y'.repeat(600) + '\n')
  await vi.waitFor(() => {
    expect(failed).toHaveBeenCalledTimes(1)
  })
  await writer.write('z\n')
  await end()
  expect(failed).toHaveBeenCalledTimes(1)

  const nothing = vi.fn()
  await followLogFile('/nonexistent/openvpn.log', () => undefined, {
    ended: Promise.resolve(),
    onFailure: nothing,
  })
  expect(nothing).toHaveBeenCalledTimes(1)
})
