import { EventEmitter } from 'node:events'
import type { NetworkInterfaceInfo } from 'node:os'
import { PassThrough } from 'node:stream'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ServiceRecord } from './kill-switch-record'
import { TrafficBlock } from './traffic-block'

const computer = vi.hoisted(() => ({
  interfaces: {},
  openSocket: (): unknown => undefined,
  spawn: (..._words: readonly unknown[]): unknown => undefined,
}))

vi.mock('node:os', async (original) => ({
  ...(await original<object>()),
  networkInterfaces: () => computer.interfaces,
}))
vi.mock('node:dgram', () => ({ createSocket: () => computer.openSocket() }))
vi.mock('node:child_process', async (original) => ({
  ...(await original<object>()),
  spawn: (...words: readonly unknown[]) => computer.spawn(...words),
}))

describe('a packet that shows whether the kill switch is still up', () => {
  /** The sockets that were opened. */
  let sockets: Socket[]
  /** The port whose packets a firewall lets pass; the address that has just gone. */
  let open: { readonly port?: number; readonly address?: string; readonly gone?: string }

  /** Sends nothing. */
  class Socket extends EventEmitter {
    address = ''
    isClosed = false
    readonly set: string[] = []

    bind(_port: number, address: string): void {
      this.address = address
      const isGone = open.gone === address
      process.nextTick(() => this.emit(isGone ? 'error' : 'listening', new Error('gone')))
    }

    setMulticastInterface = (address: string): unknown => this.set.push(`from ${address}`)
    setMulticastTTL = (hops: number): unknown => this.set.push(`${String(hops)} hops`)
    setMulticastLoopback = (isOn: boolean): unknown =>
      this.set.push(isOn ? 'to itself, too' : 'not to itself')

    send(_content: string, port: number, group: string, done: (error: Error | null) => void): void {
      expect(group).toBe('224.0.0.1')
      expect(this.set).toEqual([`from ${this.address}`, '0 hops', 'not to itself'])
      const passes = open.port === port && (open.address ?? this.address) === this.address
      process.nextTick(done, passes ? null : Object.assign(new Error('refused'), { code: 'EPERM' }))
    }

    close(): void {
      this.isClosed = true
    }
  }

  const at = (address: string, changes: Partial<NetworkInterfaceInfo> = {}) => [
    { address, family: 'IPv4', internal: false, ...changes },
  ]
  const record = { isThere: () => true, read: () => Promise.resolve(), watch: vi.fn() }
  const isBlocked = async () => {
    const isOn = await new TrafficBlock({ record }).check()
    expect(sockets.every(({ isClosed }) => isClosed)).toBe(true)
    return isOn
  }

  beforeEach(() => {
    sockets = []
    open = {}
    computer.interfaces = { eth0: at('192.0.2.1'), wlan0: at('192.0.2.2') }
    computer.openSocket = () => {
      const socket = new Socket()
      sockets.push(socket)
      return socket
    }
  })

  it('is refused at every port by the kill switch', async () => {
    expect(await isBlocked()).toBe(true)
    expect(sockets.map(({ address }) => address)).toEqual(['192.0.2.1', '192.0.2.2'])
  })

  it('passes at one port, by one network', async () => {
    open = { port: 443, address: '192.0.2.2' }
    expect(await isBlocked()).toBe(false)
  })

  it('is not sent within the computer, by a tunnel, or by IPv6', async () => {
    open = { port: 443 }
    computer.interfaces = {
      lo: at('127.0.0.1', { internal: true }),
      cw1t: at('192.0.2.9'),
      eth0: [...at('192.0.2.9'), ...at('fe80::1', { family: 'IPv6' })],
      eth1: undefined,
    }
    expect(await isBlocked()).toBe(true)
    expect(sockets).toEqual([])
  })

  it('is not sent from an address that has just gone', async () => {
    open = { port: 443, gone: '192.0.2.1' }
    expect(await isBlocked()).toBe(false)
    open = { port: 443, gone: '192.0.2.1', address: '192.0.2.1' }
    expect(await isBlocked()).toBe(true)
  })
})

describe('the record of the service of Windows', () => {
  class Program extends EventEmitter {
    readonly stdin = new PassThrough()
    readonly stdout = new PassThrough()
    readonly unref = vi.fn()
  }
  let started: Program[]

  beforeEach(() => {
    started = []
    computer.spawn = (file, words) => {
      expect([file, words]).toEqual(['helper.exe', ['kill-switch']])
      const program = new Program()
      started.push(program)
      return program
    }
  })

  const follow = async () => {
    const record = new ServiceRecord((...words) => ['helper.exe', ...words])
    const told: boolean[] = []
    const watched = record.watch(() => told.push(record.isThere()))
    await vi.waitFor(() => {
      expect(started).toHaveLength(1)
    })
    return { watched, told, program: started[0] ?? new Program() }
  }
  const say = async ({ stdout }: Program, ...lines: readonly string[]) => {
    for (const line of lines) stdout.write(`${line}\n`)
    await new Promise(setImmediate)
  }
  const recorded = (is: boolean) => JSON.stringify({ recorded: is, own: is })

  it('tells of each change, and of nothing else', async () => {
    const { watched, told, program } = await follow()
    expect(program.unref, 'so that it keeps no process running').toHaveBeenCalled()
    await say(program, recorded(false), 'nonsense', recorded(true), recorded(true), recorded(false))
    expect(told).toEqual([true, false])
    watched.close()
  })

  it('is followed until nobody watches, also where the helper cannot be started', async () => {
    const { watched, told, program } = await follow()
    expect(() => program.emit('error', new Error('ENOENT'))).not.toThrow()
    watched.close()
    expect([program.stdin.destroyed, program.stdout.destroyed]).toEqual([true, true])
    await say(program, recorded(true))
    expect(told).toEqual([])
  })

  it('is not followed if nobody watches any more before it begins', async () => {
    const record = new ServiceRecord((...words) => ['helper.exe', ...words])
    record.watch(() => undefined).close()
    // What it waits for.
    await Promise.all([import('node:child_process'), import('node:readline')])
    await new Promise(setImmediate)
    expect(started).toEqual([])
  })
})
