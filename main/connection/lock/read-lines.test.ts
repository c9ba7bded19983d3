import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { readLines } from './read-lines'

/** Returns the lines of at most three characters that are read, after each chunk. */
function linesOf(...chunks: readonly string[]) {
  const socket = new PassThrough()
  const lines: string[] = []
  readLines(socket, 3, (line) => lines.push(line))
  for (const chunk of chunks) socket.emit('data', chunk)
  return { lines, isOpen: !socket.destroyed }
}

it.each([
  ['as they come', ['a\nb', 'c\nd'], ['a', 'bc'], true],
  ['up to the limit', ['abc\n', 'def', '\n'], ['abc', 'def'], true],
  ['until one is too long', ['a\nabcd\nb\n'], ['a'], false],
  ['until the start of one is too long', ['a\nabcd'], ['a'], false],
])('reads lines %s', (_how, chunks, lines, isOpen) => {
  expect(linesOf(...chunks)).toEqual({ lines, isOpen })
})

it('reads a character that comes in two parts', async () => {
  const socket = new PassThrough()
  const lines: string[] = []
  readLines(socket, 3, (line) => lines.push(line))
  const bytes = Buffer.from('é\n')
  socket.write(bytes.subarray(0, 1))
  socket.end(bytes.subarray(1))
  await once(socket, 'end')
  expect(lines).toEqual(['é'])
})
