import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Remote } from '../tunnel'
import { LostTunnel } from './lost-tunnel'

const udp: Remote = { host: '192.0.2.1', port: 1194, protocol: 'udp' }
const tcp: Remote = { ...udp, port: 443, protocol: 'tcp' }
const other: Remote = { ...udp, host: '192.0.2.2' }
const past: Remote = { ...udp, host: '192.0.2.3' }
const named: Remote = { ...udp, host: 'vpn.example.org' }

/** A tunnel that was connected to the first remote, and through which these addresses are reached. */
function lose(remotes: readonly [Remote, ...Remote[]], through: readonly string[], most = true) {
  const stuck: (readonly Remote[])[] = []
  const lost = new LostTunnel({
    routing: { leadsThrough: (address) => Promise.resolve(through.includes(address)) },
    remotes,
    connectedTo: remotes[0],
    most,
    onStuck: (tried) => stuck.push(tried),
  })
  const contact = (remote: Remote, address = remote.host) => lost.contacting({ ...remote, address })
  return { lost, stuck, contact }
}

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('a lost tunnel is in the way', () => {
  it('of another server that is reached through it, once', async () => {
    const { stuck, contact } = lose([udp, tcp, past, other], ['192.0.2.2'])
    await contact(udp)
    await contact(tcp)
    await contact(past)
    expect(stuck).toEqual([])
    await contact(other)
    await contact(other)
    expect(stuck, 'those that were tried past it').toEqual([[udp, tcp, past]])
  })

  it('of another server after a first attempt in vain, before all ports of the first one are tried', async () => {
    const { lost, stuck, contact } = lose([udp, tcp, other], ['192.0.2.2'])
    await contact(udp)
    await lost.failedAgain()
    expect(stuck).toEqual([[udp, tcp]])
  })

  it('of another address of the same name', async () => {
    const { stuck, contact } = lose([named], ['192.0.2.2'])
    await contact(named, '192.0.2.1')
    await contact(named, '192.0.2.2')
    expect(stuck).toEqual([[named]])
  })

  it('of looking up a name, which fails or does not end', () => {
    const failing = lose([named], [])
    failing.lost.notResolved()
    expect(failing.stuck).toEqual([[named]])
    const hanging = lose([udp, named], [])
    vi.advanceTimersByTime(5000)
    expect(hanging.stuck).toEqual([[udp]])
  })
})

describe('a lost tunnel is not in the way', () => {
  it('of servers outside its networks', async () => {
    const { lost, stuck, contact } = lose([udp, other, named], [], false)
    await contact(udp)
    await lost.failedAgain()
    await contact(other)
    lost.notResolved()
    vi.advanceTimersByTime(60_000)
    expect(stuck).toEqual([])
  })

  it('while the same server is tried again, however long that takes', async () => {
    const { lost, stuck, contact } = lose([udp, tcp], [])
    for (let attempt = 0; attempt < 3; attempt += 1) {
      vi.advanceTimersByTime(60_000)
      await contact(udp)
      await lost.failedAgain()
    }
    expect(stuck).toEqual([])
  })

  it('while each attempt looks up a name in less than five seconds', async () => {
    const { lost, stuck, contact } = lose([named], [])
    for (let attempt = 0; attempt < 3; attempt += 1) {
      vi.advanceTimersByTime(4000)
      await lost.failedAgain()
    }
    await contact(named, '192.0.2.1')
    vi.advanceTimersByTime(60_000)
    expect(stuck).toEqual([])
  })

  it('once it is restored, or ended', async () => {
    const { lost, stuck, contact } = lose([named, other], ['192.0.2.2'])
    lost.end()
    await lost.failedAgain()
    // A timer would keep the process running.
    expect(vi.getTimerCount()).toBe(0)
    await contact(other)
    vi.advanceTimersByTime(60_000)
    expect(stuck).toEqual([])
  })
})
