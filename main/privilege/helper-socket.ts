import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { helperSocket } from './find-helper'
import type { HelperProcess } from './helper-process'

/** The byte of each stream, as in helper/serve_macos.go. */
const streams = { log: 0x6c, messages: 0x6d, status: 0x78 } as const
const headerLength = 3
const maxFrame = 1 << 15

interface Frame {
  readonly stream: keyof typeof streams
  readonly content: Buffer
}

/**
 * Returns a function that takes the bytes of the socket as they come and returns the frames that they complete. It throws
 * on anything else. It keeps less than a frame.
 */
export function frameParser(): (chunk: Buffer) => Frame[] {
  let pending: Buffer = Buffer.alloc(0)
  return (chunk) => {
    pending = Buffer.concat([pending, chunk])
    const frames: Frame[] = []
    while (pending.length >= headerLength) {
      const stream = (Object.keys(streams) as (keyof typeof streams)[]).find(
        (name) => streams[name] === pending[0],
      )
      const length = pending.readUInt16BE(1)
      if (stream === undefined || length === 0 || length > maxFrame || (stream === 'status' && length !== 1))
        throw new Error('The helper sent something other than frames.')
      if (pending.length < headerLength + length) break
      frames.push({ stream, content: pending.subarray(headerLength, headerLength + length) })
      pending = pending.subarray(headerLength + length)
    }
    return frames
  }
}

/** Runs a command of the helper (`run`, `release`) through launchd, which starts one helper for each connection. */
export function callHelper(command: string, path = helperSocket): HelperProcess {
  const socket = connect({ path })
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const parse = frameParser()
  const ended = new Promise<{ exitCode?: number }>((resolve) => {
    const end = (status: { exitCode?: number }) => {
      resolve(status)
      stdout.end()
      stderr.end()
      socket.destroy()
    }
    socket.on('data', (chunk) => {
      try {
        for (const { stream, content } of parse(chunk)) {
          if (stream === 'status') {
            end({ exitCode: content.readUInt8() })
            return
          }
          const to = stream === 'log' ? stdout : stderr
          to.write(content)
        }
        const full = [stdout, stderr].find(({ writableNeedDrain }) => writableNeedDrain)
        if (full !== undefined) {
          socket.pause()
          full.once('drain', () => socket.resume())
        }
      } catch {
        end({})
      }
    })
    // The helper ended without a status, or none answered.
    socket
      .on('error', () => undefined)
      .on('close', () => {
        end({})
      })
  })
  socket.write(`${command}\n`)
  return { stdin: socket, stdout, stderr, ended, stop: () => socket.destroy() }
}
