import { expect, it } from 'vitest'
import { framed, readFrames } from './proxyguard-wire'

/** Returns the datagrams in what was received, and the rest. */
function read(...received: readonly Buffer[]) {
  const datagrams: string[] = []
  const rest = readFrames(Buffer.concat(received), (datagram) => datagrams.push(datagram.toString()))
  return { datagrams, rest: rest?.toString('hex') }
}

it('reads whole datagrams, and keeps the beginning of the next one', () => {
  const [first, second] = [framed(Buffer.from('one')), framed(Buffer.from('second'))]
  expect(read(first, second)).toEqual({ datagrams: ['one', 'second'], rest: '' })
  for (const length of [1, 2, 7])
    expect(read(first, second.subarray(0, length))).toEqual({
      datagrams: ['one'],
      rest: second.subarray(0, length).toString('hex'),
    })
})

it('reads an empty datagram as nothing, and keeps nothing of it', () => {
  expect(read(framed(Buffer.alloc(0)))).toEqual({ datagrams: [], rest: '' })
})

it('refuses an impossible length as soon as it is there', () => {
  expect(read(Buffer.from([0xff, 0xe3])).rest).toBe('ffe3')
  expect(read(Buffer.from([0xff, 0xe4])).rest).toBeUndefined()
  expect(read(framed(Buffer.from('one')), Buffer.from([0xff, 0xff, 0]))).toEqual({
    datagrams: ['one'],
    rest: undefined,
  })
})
