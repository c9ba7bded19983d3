import { once } from 'node:events'
import { chown, lstat, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PassThrough } from 'node:stream'
import { execa } from 'execa'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'

import { answersAtConsole } from './find-helper'
import { releaseKillSwitch, runHelper } from './helper-client'
import { callHelper, frameParser } from './helper-socket'

function frame(stream: 'l' | 'm' | 'x', content: string | Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(Buffer.byteLength(content))
  return Buffer.concat([Buffer.from(stream), length, Buffer.from(content)])
}

const names = { l: 'log', m: 'messages' } as const

describe('the parser of frames', () => {
  it('returns the same frames however the bytes are split', () => {
    const texts = fc.array(
      fc.tuple(fc.constantFrom('l', 'm'), fc.uint8Array({ minLength: 1, maxLength: 400 })),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 50 }), (sent, size) => {
        const bytes = Buffer.concat(sent.map(([stream, content]) => frame(stream, Buffer.from(content))))
        const parse = frameParser()
        const found = []
        for (let at = 0; at < bytes.length; at += size) found.push(...parse(bytes.subarray(at, at + size)))
        expect(found.map(({ stream, content }) => [stream, content.toString('hex')])).toEqual(
          sent.map(([stream, content]) => [names[stream], Buffer.from(content).toString('hex')]),
        )
      }),
    )
  })

  it('takes the longest frame', () => {
    expect(frameParser()(frame('l', 'x'.repeat(32_768)))).toHaveLength(1)
  })

  it.each([
    ['another stream', Buffer.from('panic: runtime error')],
    ['an empty frame', frame('l', '')],
    ['a frame that is too long', frame('l', 'x'.repeat(32_769))],
    ['a status of two bytes', frame('x', 'xx')],
  ])('refuses %s', (_name, bytes) => {
    expect(() => frameParser()(bytes)).toThrow('other than frames')
  })
})

/** Listens, and leaves its socket behind. */
const deserted = (path: string) =>
  `require('node:net').createServer().listen('${path}', () => process.kill(process.pid, 'SIGKILL'))`

describe.skipIf(process.platform === 'win32')('a helper behind a socket', () => {
  /** Listens like launchd; `answer` gets the command, once its line is complete. */
  async function listen(answer: (socket: Socket, command: string) => void): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-socket-'))
    const server = createServer((socket) => {
      let command = ''
      socket
        .on('error', () => undefined)
        .on('data', (chunk) => {
          if (command.includes('\n')) return
          command += chunk.toString()
          if (command.includes('\n')) answer(socket, command)
        })
    })
    server.listen(join(folder, 'socket'))
    await once(server, 'listening')
    onTestFinished(async () => {
      server.close()
      await rm(folder, { recursive: true, force: true })
    })
    return join(folder, 'socket')
  }

  const helper = '/nonexistent'
  const elevation = 'launchd'

  it('gets its command, and reports its status', async () => {
    const socket = await listen((client, command) => {
      expect(command).toBe('release\n')
      client.write(frame('m', 'causeway-helper: kill-sw'))
      client.write(Buffer.concat([frame('m', 'itch released\n'), frame('x', '\0')]))
    })
    expect(await releaseKillSwitch({ helper, elevation, socket })).toBe('released')
  })

  it('may refuse who asks', async () => {
    const socket = await listen((client) => {
      client.write(Buffer.concat([frame('m', 'causeway-helper: failed not-at-console\n'), frame('x', 'A')]))
    })
    await expect(releaseKillSwitch({ helper, elevation, socket })).rejects.toMatchObject({
      code: 'helper/not-authorized',
    })
  })

  it.each([
    ['ends without a status', ''],
    ['sends something else', 'l\0\x05hellopanic: runtime error'],
    ['sends half a frame', 'm\0\x05ab'],
  ])('fails if it %s', async (_name, bytes) => {
    const socket = await listen((client) => client.end(bytes, 'latin1'))
    const tunnel = await runHelper(
      { helper, elevation, socket },
      { command: 'run', configuration: '', killSwitch: false },
    )
    await tunnel.followLog(() => undefined)
    expect(await tunnel.exited).toMatchObject({ error: { code: 'helper/failed' } })
  })

  it('fails if nobody listens', async () => {
    await expect(
      releaseKillSwitch({ helper, elevation, socket: '/nonexistent/socket' }),
    ).rejects.toMatchObject({ code: 'helper/failed' })
  })

  it('passes on a log that is longer than its reader keeps up with', async () => {
    const line = `${'x'.repeat(999)}\n`
    let hungUp: Promise<unknown> = Promise.resolve()
    const socket = await listen((client) => {
      hungUp = once(client, 'close')
      for (let count = 0; count < 400; count++) client.write(frame('l', line))
      client.write(frame('x', '\0'))
    })
    const { stdout, ended } = callHelper('run', socket)
    // Enough to receive it all.
    for (let round = 0; round < 100; round += 1) await new Promise(setImmediate)
    expect((stdout as PassThrough).writableLength, 'what nobody reads yet').toBeLessThan(200_000)
    const [log, status] = await Promise.all([stdout.toArray(), ended])
    expect(Buffer.concat(log).toString()).toBe(line.repeat(400))
    expect(status).toEqual({ exitCode: 0 })
    await hungUp
  })

  it('is used only if root made its socket, and by the user of the console', async () => {
    const socket = await listen(() => undefined)
    const mine = process.getuid?.() === 0
    expect(await answersAtConsole(socket, socket)).toBe(mine)
    const file = `${socket}-file`
    await writeFile(file, '')
    expect(await answersAtConsole(file, file)).toBe(false)
    expect(await answersAtConsole('/nonexistent', socket)).toBe(false)
    expect(await answersAtConsole(socket, '/nonexistent')).toBe(false)
    const link = `${socket}-link`
    await symlink(socket, link)
    expect(await answersAtConsole(link, socket), 'a link to it').toBe(false)
    if (mine) {
      await writeFile(`${socket}-console`, '')
      await chown(`${socket}-console`, 1, 0)
      expect(await answersAtConsole(socket, `${socket}-console`), 'of another user').toBe(false)
      await chown(socket, 1, 0)
      expect(await answersAtConsole(socket, file), 'made by another user').toBe(false)
      await chown(socket, 0, 0)
    }
    await execa(process.execPath, ['-e', deserted(`${socket}-left`)], { reject: false })
    expect((await lstat(`${socket}-left`)).isSocket()).toBe(true)
    expect(await answersAtConsole(`${socket}-left`, socket)).toBe(false)
  })
})
