import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it, onTestFinished } from 'vitest'
import { startTestMock } from '../../mock-server/test-authority'
import packageJson from '../../package.json' with { type: 'json' }
import { createInstanceList } from '../portal/instance/instance-list'
import { findHelper } from '../privilege/find-helper'
import { startCommandAndMock } from './causeway.testing'

const { command, mock } = await startCommandAndMock()
const id = new URL(mock.instance).host

const text = (pattern: RegExp) => expect.stringMatching(pattern) as unknown
const isoTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

it('adds, lists and removes instances by id or address', async () => {
  const person = await command.person()
  expect(await person.json('instance', 'list')).toEqual([])
  const added = { id, address: mock.instance, clientId: 'org.example.app' }
  expect(await person.json('instance', 'add', mock.instance, '--client-id', 'org.example.app')).toEqual(added)
  expect(await person.json('instance', 'list')).toEqual([added])
  expect(await person.json('instance', 'remove', mock.instance)).toEqual({ instance: id, removed: true })
  expect(await person.json('instance', 'list')).toEqual([])
})

it('shows the announced services of an instance, and uses the addresses that the user sets', async () => {
  const person = await command.person(mock.instance)
  const offered = { attachments: `${mock.instance}v2.0.0`, content: mock.instance.slice(0, -1) }
  expect(await person.json('instance', 'show')).toMatchObject({ id, offered })
  await person.json('instance', 'set', '--attachments', `${mock.instance}elsewhere/`, '--user-id', 'ann')
  expect(await person.json('instance', 'show', id)).toMatchObject({
    services: { attachments: `${mock.instance}elsewhere` },
    identity: { userId: 'ann' },
  })
  expect(await person.failure(['attachment', 'list'])).toMatchObject({ status: 5 })
  await person.json('instance', 'set', id, '--attachments', '', '--user-id', '')
  expect(await person.json('attachment', 'list')).toHaveLength(10)
  expect(await person.failure(['instance', 'set', '--content', 'http://example.org'])).toMatchObject({
    status: 2,
    details: { argument: 'content' },
  })
  expect(await person.failure(['instance', 'set'])).toMatchObject({ status: 2 })
})

it('adds an instance by the address of one of its pages', async () => {
  const person = await command.person()
  const page = new URL('/vpn-user-portal/account?lang=de#sessions', mock.instance).href
  expect(await person.json('instance', 'add', page)).toMatchObject({ id, address: mock.instance })
})

it('logs in and out', async () => {
  const person = await command.person(mock.instance)
  expect(await person.json('login')).toEqual({ instance: id, loggedIn: true })
  expect(await person.secrets()).toContain('accessToken')
  expect(await person.json('logout', id)).toEqual({
    instance: id,
    loggedIn: false,
    revokeAt: new URL('/', mock.instance).href,
  })
  expect(await person.secrets()).not.toContain('accessToken')
})

it('names the account page of a portal below a path', async () => {
  const person = await command.person()
  const address = 'https://vpn.example.org/vpn-user-portal/'
  await createInstanceList({ dataDirectory: person.dataDir, now: () => new Date() }).add({ address })
  expect(await person.json('logout')).toMatchObject({ revokeAt: address })
})

it('lists profiles in the given language, after a login', async () => {
  const person = await command.person(mock.instance)
  const protocols = ['openvpn']
  expect(await person.json('profile', 'list', '--lang', 'nl-BE')).toEqual([
    { profileId: 'internet', displayName: 'Internettoegang', defaultGateway: true, protocols },
    { profileId: 'office', displayName: 'Office Network', defaultGateway: false, protocols },
  ])
  await person.run(['settings', 'set', 'language', 'de'])
  const { stdout } = await person.run(['profile', 'list', '--no-login'])
  expect(stdout).toBe(
    [
      'PROFIL    NAME            DATENVERKEHR',
      'internet  Internetzugang  alles',
      'office    Office Network  teilweise',
    ].join('\n'),
  )
})

it('shows a configuration without its keys', async () => {
  const person = await command.person(mock.instance)
  const { config, ...rest } = (await person.json('profile', 'config', 'office')) as { config: string }
  expect(rest).toEqual({})
  expect(config).toContain('[private key]')
  expect(config).toMatch(/^remote \S+ \d+ udp$/m)
  expect(config).not.toContain('PRIVATE KEY')
  expect(config).not.toContain('OpenVPN Static key')
  const { stdout } = await person.run(['profile', 'config', 'office', '--instance', id])
  expect(stdout.split('\n')).toContain('[private key]')
  expect(stdout).not.toContain('PRIVATE KEY')
})

it('prints each state of a connection as a line of JSON', async () => {
  const person = await command.person(mock.instance)
  const { status, stdout } = await person.run(['connect', 'internet', '--check', '--json'])
  expect(status).toBe(0)
  const states = stdout.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(states.map(({ state }) => state)).toEqual([
    'discovering',
    'authorizing',
    'preparing',
    ...(['connecting', 'connecting', 'connecting', 'connecting', 'connecting'] as const),
    'connected',
    'disconnecting',
    'disconnected',
  ])
  for (const state of states) expect(state).toMatchObject({ instance: id, profileId: 'internet' })
  const phases = states.flatMap(({ state, phase }) => (state === 'connecting' ? [phase] : []))
  expect(phases).toEqual(['starting', 'contacting', 'tls', 'authenticating', 'configuring'])
  expect(states.find(({ state }) => state === 'connected')).toEqual({
    state: 'connected',
    instance: id,
    profileId: 'internet',
    addresses: expect.objectContaining({ ipv4: text(/^10\.88\.\d+\.\d+$/) }) as unknown,
    remote: { address: text(/^[\d.]+$/), port: expect.any(Number) as unknown, protocol: 'udp' },
    protocol: 'openvpn',
    cipher: 'AES-256-GCM',
    since: text(isoTime),
  })
})

it("prints OpenVPN's log as lines of JSON", async () => {
  const person = await command.person(mock.instance)
  const { stderr } = await person.run(['connect', 'internet', '--check', '--json', '--verbose'])
  const lines = stderr.split('\n').map((line) => JSON.parse(line) as object)
  expect(lines).toContainEqual({ log: text(/^OpenVPN 2\./) })
})

it('prints progress to standard error and the result to standard output', async () => {
  const person = await command.person(mock.instance)
  const { status, stdout, stderr } = await person.run(['connect', 'office', '--check', '--prefer-tcp'])
  expect(status).toBe(0)
  expect(stdout.split('\n')).toEqual([
    `Connected to office · ${id}.`,
    text(/^ {2}Address {2}10\.88\.\d+\.\d+/),
    text(/^ {2}Server {3}[\d.]+:\d+ \(TCP\)$/),
    '  Cipher   AES-256-GCM',
    "Not connected. Your traffic doesn't use the VPN.",
  ])
  for (const output of [
    'Continue in your browser. Sign in and approve Causeway there.',
    'Starting the VPN…',
    `Disconnecting from ${id}…`,
  ]) {
    expect(stderr).toContain(output)
  }
})

it('connects to the only profile without an argument', async () => {
  const other = await startTestMock({ tunnel: 'openvpn', autoApprove: true })
  onTestFinished(() => other.close())
  await fetch(`${other.control}/profiles`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ profile_id: 'one', display_name: 'One' }]),
  })
  const person = await command.person(other.instance)
  const { status, stdout } = await person.run(['connect', '--check'])
  expect(status).toBe(0)
  expect(stdout).toContain('Connected to one · ')
})

it('shows, checks and renews the certificate', async () => {
  const person = await command.person(mock.instance)
  expect(await person.failure(['certificate', 'show'])).toMatchObject({ code: 'certificate/none', status: 1 })
  const made = (await person.json('certificate', 'renew')) as { commonName: string }
  expect(made).toEqual({
    instance: id,
    commonName: text(/^[\da-f]{32}$/),
    notBefore: text(isoTime),
    notAfter: text(isoTime),
  })
  expect(await person.json('certificate', 'show', id)).toEqual(made)
  expect(await person.json('certificate', 'check')).toEqual({
    instance: id,
    commonName: made.commonName,
    isValid: true,
  })
  await fetch(`${mock.control}/certificates/revoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ commonName: made.commonName }),
  })
  expect(await person.json('certificate', 'check')).toMatchObject({
    isValid: false,
    reason: 'certificate_missing',
  })
  expect(await person.json('certificate', 'renew')).not.toMatchObject({ commonName: made.commonName })
  const { stdout } = await person.run(['certificate', 'show'])
  expect(stdout).toMatch(
    /^Instance {5}\S+\nCommon name {2}\S+\nValid from {3}\w{3} \d+, \d{4}, \d+:\d\d\s[AP]M\nValid until {2}\w{3} \d+, \d{4}, \d+:\d\d\s[AP]M\nTime left {4}8\d days .+$/,
  )
})

it('lists messages in the given language, newest first', async () => {
  const person = await command.person(mock.instance)
  const messages = (await person.json('message', 'list', '--lang', 'nl')) as { dateTime: string }[]
  expect(messages).toHaveLength(3)
  expect(messages[1]).toEqual({
    type: 'notification',
    dateTime: text(isoTime),
    message: text(/^Het kantoornetwerk/),
  })
  const times = messages.map(({ dateTime }) => dateTime)
  expect(times).toEqual(times.toSorted().toReversed())
  const { stdout } = await person.run(['message', 'list'])
  expect(stdout).toContain('\n  Welcome to the <b>mock instance</b>.\n  Nothing here')
})

it('lists attachments by page, video and module', async () => {
  const person = await command.person(mock.instance)
  const list = (await person.json('attachment', 'list', '--page-size', '3', '--page', '2')) as object[]
  expect(list).toHaveLength(3)
  expect(list[0]).toMatchObject({ id: expect.anything() as unknown, type: text(/./), title: text(/./) })
  const { stdout } = await person.run(['attachment', 'list', '--page-size', '2'])
  expect(stdout).toMatch(/^ID .*TITLE\n.*\n.*\n2 of \d+$/)
})

it('moves a damaged file away with a warning and continues', async () => {
  const person = await command.person(mock.instance)
  await writeFile(join(person.dataDir, 'instances.json'), '{"version": 1, "da')
  const { status, stdout, stderr } = await person.run(['instance', 'list', '--json'])
  expect([status, stdout]).toEqual([0, '[]'])
  const [, warning] = stderr.split('\n').map((line) => JSON.parse(line) as { warning: unknown })
  expect(warning?.warning).toMatchObject({
    code: 'data/damaged',
    details: { movedTo: text(/instances\.json\.corrupt-/) },
  })
})

it('includes warnings in the JSON line of an error', async () => {
  const person = await command.person(mock.instance)
  await writeFile(join(person.dataDir, 'settings.json'), '{')
  const { status, stdout, stderr } = await person.run(['settings', 'get', 'nonsense', '--json'])
  expect([status, stdout]).toEqual([2, ''])
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'settings/unknown' }, warnings: [{}] })
})

it('sets, gets and lists settings', async () => {
  const person = await command.person()
  expect(await person.json('settings', 'set', 'preferTcp', 'true')).toEqual({
    name: 'preferTcp',
    value: true,
  })
  expect(await person.json('settings', 'get', 'preferTcp')).toEqual({ name: 'preferTcp', value: true })
  expect(await person.json('settings', 'list')).toMatchObject({ preferTcp: true, remoteStrategy: 1 })
  expect((await person.run(['settings', 'get', 'preferTcp'])).stdout).toBe('true')
})

it('prints the findings of the doctor', async () => {
  const person = await command.person()
  const { status, stdout: json } = await person.run(['doctor', '--json'])
  const findings = JSON.parse(json) as { status: string }[]
  expect(status).toBe(findings.some((finding) => finding.status === 'missing') ? 1 : 0)
  expect(findings).toContainEqual({
    name: 'openvpn',
    status: 'ok',
    code: 'openvpn-found',
    detail: text(/^OpenVPN 2\./),
    facts: { version: text(/^2\./), path: text(/openvpn(\.exe)?$/) },
  })
  const { stdout } = await person.run(['doctor'])
  expect(stdout).toMatch(/^ok {7}openvpn +OpenVPN 2\./m)
})

it.runIf(process.platform === 'linux')(
  'has a doctor whose remedies work as they are, also for an error of the system',
  async () => {
    const person = await command.person()
    const noStore = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', CAUSEWAY_SECRET_STORE: 'os' }
    const { stdout } = await person.run(['--data-dir', person.dataDir, 'doctor', '--json'], { env: noStore })
    const findings = JSON.parse(stdout) as {
      name: string
      status: string
      command?: string
      remedy?: string
    }[]
    for (const { name, status, remedy } of findings)
      expect(status === 'ok' || remedy !== undefined, name).toBe(true)
    expect(findings).toContainEqual(
      expect.objectContaining({
        name: 'key-store',
        detail: text(/^\S.*\.$/),
        remedy: text(/--secret-store file/),
      }),
    )
    const own = findings.flatMap(({ command = '' }) => (command.includes('causeway ') ? [command] : []))
    // Where the helper is installed, nothing may be missing.
    expect(own.length > 0 || (await findHelper()) !== undefined).toBe(true)
    for (const each of own) expect(each).toContain(`causeway --data-dir ${person.dataDir} `)
  },
)

it('exits with 1 if the doctor finds something missing', async () => {
  const person = await command.person()
  const { status, stdout } = await person.run(['doctor', '--openvpn', '/no/such/openvpn'])
  expect(status).toBe(1)
  expect(stdout).toMatch(/^MISSING {2}openvpn/m)
  const sentences = stdout
    .split('\n')
    .map((line) => line.slice(22))
    .flatMap((line) => line.split(/(?<=\.) /))
    .filter((sentence) => sentence !== 'Run in a terminal:')
  expect(sentences, 'each is said once').toEqual([...new Set(sentences)])
  expect(stdout.match(/causeway helper install/g)?.length ?? 0).toBeLessThan(2)
})

it('tries the way to a service, and stops where it fails', async () => {
  const person = await command.person(mock.instance)
  const tried = async (instance: string) => {
    const { status, stdout } = await person.run(['doctor', instance, '--json'])
    return { status, findings: JSON.parse(stdout) as { name: string; code: string }[] }
  }
  const [{ id = '' } = {}] = (await person.json('instance', 'list')) as { id?: string }[]
  const { status, findings } = await tried(id)
  expect(status).toBe(0)
  expect(findings.map(({ name }) => name).filter((name) => name !== 'name')).toEqual([
    'tcp',
    'tls',
    'answer',
    'udp',
  ])

  await person.json('instance', 'set', '--api', '2', id)
  await fetch(`${mock.control}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ match: { path: '/info.json' }, times: 9, fault: { status: 500 } }),
  })
  const broken = await tried(id)
  await fetch(`${mock.control}/faults`, { method: 'DELETE' })
  expect(broken.status).toBe(1)
  expect(broken.findings.at(-1)).toMatchObject({
    name: 'answer',
    code: 'service-unusable',
    error: 'discovery/server-error',
    detail: text(/\.$/),
  })
  expect(await person.failure(['doctor', 'vpn.unknown.example'])).toMatchObject({ status: 2 })
})

it('prints its version, also from source', async () => {
  const person = await command.person()
  const [node] = command.words
  const { stdout } = await execa(node, [
    '--import',
    'tsx',
    join(import.meta.dirname, '..', 'cli.ts'),
    '--version',
  ])
  expect(stdout).toBe(packageJson.version)
  expect((await person.run(['--version'])).stdout).toBe(stdout)
})
