import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

import type { OwnerCommand } from './windows-exit-event'
import type { StartupData } from './windows-service-messages'

/**
 * Stands in for OpenVPN's interactive service on Windows, in its own words (OpenVPN, src/openvpnserv/interactive.c), on
 * a socket in the place of the named pipe. It starts the real OpenVPN of this machine, as the service does: with the
 * options as they came, and with nobody who reads its output.
 */
export interface StandInService {
  readonly pipe: string
  /** Owns an event as Windows' PowerShell does; the event itself is here. */
  readonly eventOwner: OwnerCommand
  /** The events that were made, and whether each is set. */
  readonly events: ReadonlyMap<string, { readonly isSet: boolean; readonly owner: number }>
  /** A folder for the launcher to use. */
  readonly folder: string
  /** What it was asked for, in order. */
  readonly asked: readonly StartupData[]
  /** The bytes of each message, before they were read. */
  readonly messages: readonly Buffer[]
  /** The files in the launcher's folder, which is empty where there is none. */
  files(): Promise<string[]>
  /** Whether an OpenVPN that it started still runs. */
  runs(): boolean
  killOpenVpn(): void
  stop(): Promise<void>
}

/** What it says in the place of starting OpenVPN; `close` ends the conversation after it. */
export interface Saying {
  readonly chunks: readonly Buffer[]
  readonly close: boolean
}

/** The PowerShell's part (windows-exit-event.ts), with a socket in the place of Windows. */
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

/** Options that keep OpenVPN from needing a device and rights, in the place of what the service does for it. */
const withoutRights = ['--dev', 'null', '--ifconfig-noexec', '--route-noexec']
const refusals = { size: 4096, startupData: 0x20000001, openVpn: 0x20000000 }

export async function startStandInService(saying?: Saying): Promise<StandInService> {
  const place = await mkdtemp(path.join(tmpdir(), 'causeway-service-'))
  const pipe = path.join(place, 'service')
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
    // Windows takes a passphrase from standard input; on Linux OpenVPN takes it from a terminal or a file only.
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
      // A pipe keeps messages apart; here three ends make one.
      const ends = bytes.toString('utf16le').split('\0').length - 1
      if (isAnswered || (ends < 3 && bytes.length / 2 <= refusals.size)) return
      isAnswered = true
      void answer(socket, bytes)
    })
  }).listen(pipe)
  await once(server, 'listening')

  const eventsPath = path.join(place, 'events')
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
    eventOwner: (name, earlier = '') => [process.execPath, '-e', ownerScript, eventsPath, name, earlier],
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

/** As GetStartupData reads it; undefined where it refuses it. */
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

export function errorMessage(code: number, what: string, said = ''): Buffer {
  return utf16(`0x${hex(code)}\n${what}\n${said}`)
}

export function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le')
}

function hex(number: number): string {
  return number.toString(16).padStart(8, '0')
}
