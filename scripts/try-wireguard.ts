import { generateKeyPairSync } from 'node:crypto'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { execa } from 'execa'

/**
 * Makes WireGuard tunnels on macOS with the installed helper, as root, to a server of wireguard-go on this computer. Kills each part,
 * and compares routes, DNS servers and pf with those from before. The workflows run it.
 */

const helper = '/Library/PrivilegedHelperTools/org.causeway.helper/causeway-helper'

async function run(program: string, words: readonly string[], input = ''): Promise<string> {
  return (await execa(program, words, { input })).stdout
}

function createKey() {
  const { d = '', x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
  const base64 = (text: string) => Buffer.from(text, 'base64url').toString('base64')
  return { secret: base64(d), shared: base64(x) }
}

const [serverKey, clientKey] = [createKey(), createKey()]

/** Starts the server, and returns an address of this computer, where it listens. */
async function startServer(): Promise<string> {
  await run('wireguard-go', ['utun99'])
  const peer = ['peer', clientKey.shared, 'allowed-ips', '10.88.0.2/32']
  await run(
    'wg',
    ['set', 'utun99', 'listen-port', '51820', 'private-key', '/dev/stdin', ...peer],
    serverKey.secret,
  )
  await run('ifconfig', ['utun99', 'up'])
  const device = /interface: (\S+)/.exec(await run('route', ['-n', 'get', 'default']))?.[1] ?? 'en0'
  return run('ipconfig', ['getifaddr', device])
}

/** Returns what a tunnel may leave behind. Routes that the system clones for single hosts come and go. */
async function state(): Promise<string> {
  const routes = (await run('netstat', ['-rn']))
    .split('\n')
    .map((line) => line.trim().split(/\s+/).slice(0, 4))
  const lasting = routes.filter(([, , flags = '']) => !/[WI]/.test(flags)).map((words) => words.join(' '))
  return [...lasting, await run('scutil', ['--dns'])].join('\n')
}

async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let waited = 0; !(await holds()); waited += 1) {
    if (waited === 100) throw new Error(`Not so: ${what}`)
    await delay(200)
  }
}

async function tryTunnel(server: string, victim: 'app' | 'helper' | 'watcher' | 'program'): Promise<void> {
  console.log(`kill ${victim}`)
  const before = await state()
  const child = execa(helper, ['wireguard'], { reject: false })
  const said: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    console.log(line)
    said.push(line.replace('causeway-helper: ', ''))
  })
  const addresses = ['address 10.88.0.2/24', `endpoint ${server} 51820`, 'allowed 0.0.0.0/0']
  const keys = [`private-key ${clientKey.secret}`, `peer ${serverKey.shared}`]
  child.stdin.write(['kill-switch on', 'dns on', ...keys, ...addresses, '#END', 'dns 10.88.0.1\n'].join('\n'))
  await until('handshake', () => said.some((line) => /^handshake \d/.test(line)))
  await until('DNS', () => said.includes('dns applied scutil'))
  const device = said.find((line) => line.startsWith('started '))?.split(' ')[1] ?? ''
  const wayTo = (...words: string[]) => run('route', ['-n', 'get', ...words])
  if (!(await wayTo('198.51.100.7')).includes(`interface: ${device}`)) throw new Error('It is not routed.')
  if ((await wayTo(server)).includes(`interface: ${device}`)) throw new Error('The server is routed.')
  if (!(await wayTo('-inet6', '2001:db8::1')).includes('REJECT')) throw new Error('IPv6 is not refused.')
  if (!(await run('scutil', ['--dns'])).includes('10.88.0.1')) throw new Error('The DNS server is not asked.')
  const rules = await run('pfctl', ['-a', 'com.apple/org.causeway.0', '-s', 'rules'])
  if (!rules.includes('block drop out quick proto udp')) throw new Error('pf has no rules.')

  if (victim === 'app') child.stdin.end()
  else {
    const pattern = {
      helper: `${helper} wireguard`,
      watcher: 'causeway-helper watch',
      program: 'causeway-wireguard',
    }
    await run('pkill', ['-KILL', '-f', `^${pattern[victim]}`])
  }
  await child
  await until('routes and DNS servers are as before', async () => (await state()) === before)
  await run(helper, ['release'])
  const left = await execa('pfctl', ['-a', 'com.apple/org.causeway.0', '-s', 'rules'], { reject: false })
  if (left.stdout.includes('block')) throw new Error('pf still has rules.')
}

const server = await startServer()
for (const victim of ['app', 'helper', 'watcher', 'program'] as const) await tryTunnel(server, victim)
