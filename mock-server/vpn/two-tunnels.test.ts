import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { isSlowRun } from '../../scripts/nightly-tests'
import { createMockServer } from '../server'
import { TestClient } from '../test-client'
import { TestOpenVpn } from './tunnel/openvpn.testing'
import { newWireguardKeys, TestWireguard } from './wireguard/wireguard.testing'

const exec = promisify(execFile)
const isRoot = process.platform === 'linux' && process.getuid?.() === 0
const ip = (...parameters: string[]) => execFileSync('ip', parameters, { encoding: 'utf8' })
/** An address in no network of the mock: only a default route leads there. */
const elsewhere = '192.0.2.1'

it.runIf(isSlowRun && isRoot)(
  'carries two full tunnels at once, each with all traffic of its own client',
  async () => {
    const tunnel = { tunnel: 'both', pushDefaultRoute: true } as const
    const server = await createMockServer({ autoApprove: true, api: '2,3', ...tunnel })
    const client = new TestClient(server)
    const name = `cwo${process.pid}`
    const { accessToken } = await client.logIn()
    const config = await client.profileConfig(accessToken, 'profile_id=internet')
    // Its device goes to a network of its own, so that this machine's routes stay.
    const options = ['--dev', name, '--dev-type', 'tun', '--ifconfig-noexec', '--route-noexec']
    const openvpn = new TestOpenVpn(config, await client.createKeyPair(accessToken), options, 120)
    ip('netns', 'add', name)
    let wireguard: TestWireguard | undefined
    try {
      expect(await openvpn.isConnected(), openvpn.log.join('\n')).toBe(true)
      const pushed = openvpn.log.find((line) => line.includes('PUSH_REPLY')) ?? ''
      expect(pushed).toContain('redirect-gateway def1')
      const own = /,ifconfig ([\d.]+) /.exec(pushed)?.[1] ?? ''
      ip('link', 'set', name, 'netns', name)
      ip('-n', name, 'address', 'add', `${own}/26`, 'dev', name)
      ip('-n', name, 'link', 'set', name, 'up')
      ip('-n', name, 'route', 'add', 'default', 'dev', name)

      const other = (await client.logIn()).accessToken
      const { privateKey, publicKey } = newWireguardKeys()
      const form = { profile_id: 'everywhere', public_key: publicKey }
      const text = await (await client.connect(other, form)).text()
      expect(text).toContain('AllowedIPs = 0.0.0.0/0,::/0')
      wireguard = await TestWireguard.start(text, privateKey)

      const ping = ['ping', '-n', '-c', '3', '-i', '0.2', '-w', '10', elsewhere]
      const alone = /Address = ([\d.]+)/.exec(text)?.[1] ?? ''
      await client.control('DELETE', '/requests')
      // Nothing answers there; the journal behind the tunnels says what arrived.
      const pings = [
        wireguard.run(...ping),
        exec('ip', ['netns', 'exec', name, ...ping]).catch(() => undefined),
      ]
      const match = { path: `/${elsewhere}`, method: 'ICMP' }
      for (const from of [own, alone])
        await server.waitFor({ ...match, headers: { from } }, { timeoutMs: 15_000 })
      await Promise.all(pings)
    } finally {
      await wireguard?.stop()
      await openvpn.stop()
      ip('netns', 'delete', name)
      await server.close()
    }
  },
  120_000,
)
