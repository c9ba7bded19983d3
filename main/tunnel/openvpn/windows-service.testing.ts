import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

import type { WindowsHelper } from '../../platform/child-process/windows-helper'
import type { StartupData } from './windows-service-messages'

/**
 * A fake of OpenVPN's interactive service on Windows with the same protocol (OpenVPN, src/openvpnserv/interactive.c), on a
 * socket instead of the named pipe. Like the service, it starts the real OpenVPN of this computer with unchanged options,
 * without reading its output.
 */
export interface StandInService {
  readonly pipe: string
  /** A helper that owns events and does nothing else; the events themselves are here. */
  readonly helper: WindowsHelper
  /** The events, and if each is set. */
  readonly events: ReadonlyMap<string, { readonly isSet: boolean; readonly owner: number }>
  /** A folder for the launcher. */
  readonly folder: string
  /** The requests, in order. */
  readonly asked: readonly StartupData[]
  /** The raw bytes of each request. */
  readonly messages: readonly Buffer[]
  /** Returns the files in the launcher's folder; none if it is missing. */
  files(): Promise<string[]>
  /** Returns true while an OpenVPN that it started runs. */
  runs(): boolean
  killOpenVpn(): void
  stop(): Promise<void>
}

/** An answer instead of starting OpenVPN; `close` ends the connection after it. */
export interface Saying {
  readonly chunks: readonly Buffer[]
  readonly close: boolean
}

/** The helper's `exit-event`, with a socket instead of Windows. */
const ownerScript = `
  const [events, name, earlier] = process.argv.slice(1)
  const socket = require('node:net').connect(events, () => {
    if (earlier) socket.write('set ' + earlier + '\\n')
    socket.write('make ' + name + ' ' + process.pid + '\\n')
  })
  socket.once('data', () => console.log('ready'))
  socket.on('error', () => process.exit(1))
  require('node:readline').createInterface({ input: process.stdin })
    .on('line', (line) => line === 'gone' && process.exit())
    .on('close', () => socket.end('set ' + name + '\\n'))
`

/** Options that replace the service's work, so that OpenVPN needs no device and rights. */
const withoutRights = ['--dev', 'null', '--ifconfig-noexec', '--route-noexec']
const refusals = { size: 4096, startupData: 0x20000001, openVpn: 0x20000000 }

export async function startStandInService(saying?: Saying): Promise<StandInService> {
  const place = await mkdtemp(path.join(tmpdir(), 'causeway-service-'))
  const pipe = listenAt(place, 'service')
  const folder = path.join(place, 'tunnel')
  const asked: StartupData[] = []
  const messages: Buffer[] = []
  const running = new Set<ReturnType<typeof spawn>>()
  const sockets = new Set<Socket>()
  const events = new Map<string, { isSet: boolean; owner: number; onSet?: () => void }>()

  const answer = async (socket: Socket, message: Buffer): Promise<void> => {
    messages.push(message)
    const data = startupData(message)
    if (data === undefined) {
      socket.end(errorMessage(refusals.startupData, 'GetStartupData'))
      return
    }
    asked.push(data)
    if (saying !== undefined) {
      for (const chunk of saying.chunks) socket.write(chunk)
      if (saying.close) socket.end()
      return
    }
    // Windows reads a passphrase from standard input; on Linux OpenVPN reads it only from a terminal or a file.
    const input = path.join(place, 'input')
    await writeFile(input, data.input, { mode: 0o600 })
    const [, options = '', name = ''] = /^(.*) --service (\S+) 0$/.exec(data.options) ?? []
    const event = events.get(name)
    if (event === undefined || event.isSet) {
      socket.write(startMessage(4242))
      socket.end(errorMessage(refusals.openVpn, 'OpenVPN exited with error: exit code = 1'))
      return
    }
    const openVpn = spawn('openvpn', [...options.split(' '), '--askpass', input, ...withoutRights], {
      cwd: data.folder,
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      stdio: 'ignore',
    })
    event.onSet = () => openVpn.kill('SIGTERM')
    running.add(openVpn)
    const exit = once(openVpn, 'exit') as Promise<[number | null]>
    socket.write(startMessage(openVpn.pid ?? 0))
    const [code] = await exit
    running.delete(openVpn)
    if (code !== null && code !== 0) {
      socket.write(errorMessage(refusals.openVpn, `OpenVPN exited with error: exit code = ${code}`))
    }
    socket.end()
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    let bytes = Buffer.alloc(0)
    let isAnswered = false
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      // A pipe separates messages; here the third NUL ends one.
      const ends = bytes.toString('utf16le').split('\0').length - 1
      if (isAnswered || (ends < 3 && bytes.length / 2 <= refusals.size)) return
      isAnswered = true
      void answer(socket, bytes)
    })
  }).listen(pipe)
  await once(server, 'listening')

  const eventsPath = listenAt(place, 'events')
  const eventServer = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    createInterface({ input: socket }).on('line', (line) => {
      const [what, name = '', owner] = line.split(' ')
      if (what === 'make') {
        events.set(name, { isSet: false, owner: Number(owner) })
        socket.write('made\n')
      } else {
        const event = events.get(name)
        if (event === undefined) return
        event.isSet = true
        event.onSet?.()
      }
    })
  }).listen(eventsPath)
  await once(eventServer, 'listening')

  return {
    pipe,
    folder,
    events,
    helper: (_word, ...names) => [process.execPath, '-e', ownerScript, eventsPath, ...names],
    asked,
    messages,
    files: () => readdir(folder).catch(() => []),
    runs: () => running.size > 0,
    killOpenVpn: () => {
      for (const one of running) one.kill('SIGKILL')
    },
    stop: async () => {
      server.close()
      eventServer.close()
      for (const socket of sockets) socket.destroy()
      const exits = [...running].map(async (one) => {
        const exit = once(one, 'exit')
        one.kill('SIGKILL')
        await exit
      })
      await Promise.all(exits)
      await rm(place, { recursive: true, force: true })
    },
  }
}

/** Returns the path of a socket in the folder, or of a pipe with the folder's unique name. */
function listenAt(folder: string, name: string): string {
  return process.platform === 'win32'
    ? `\\\\.\\pipe\\${path.basename(folder)}-${name}`
    : path.join(folder, name)
}

/** Parses a message like GetStartupData; undefined if it is invalid. */
function startupData(message: Buffer): StartupData | undefined {
  const text = message.toString('utf16le')
  const [folder, options, input] = text.split('\0')
  return text.length > refusals.size || !text.endsWith('\0') || input === undefined || options === undefined
    ? undefined
    : { folder: folder ?? '', options, input }
}

export function startMessage(pid: number): Buffer {
  return utf16(`0x00000000\n0x${hex(pid)}\nProcess ID`)
}

/** FormatMessage makes CR LF of the line feeds in the service's format, and ends the system's text with CR LF. */
export function errorMessage(code: number, what: string, output = '(null)'): Buffer {
  return utf16(`0x${hex(code)}\r\n${what}\r\n${output}`)
}

export function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le')
}

function hex(number: number): string {
  return number.toString(16).padStart(8, '0')
}
