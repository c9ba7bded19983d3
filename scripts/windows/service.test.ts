import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createInterface, type Interface } from 'node:readline'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildModelService, builtHelperFor, downloadModules, windowsService } from '../build-helper'
import { hasOpenVpn, Windows, wineVariables } from './computer'

/** Causeway's own service, with models of the device, the network and the firewall (helper/windows-service/model.go). */

const windows = new Windows()
/** Without Go's proxy, there is nothing to test. */
const hasModules = await downloadModules(windowsService)
const built = join(wineVariables.WINEPREFIX, '..', 'causeway-service.exe')
const folder = 'C:\\Program Files\\Causeway tests'
const program = `${folder}\\causeway-service.exe`
const helper = `${folder}\\causeway-helper.exe`
const services = 'HKLM\\System\\CurrentControlSet\\Services'
const nameRules = `${services}\\Dnscache\\Parameters\\DnsPolicyConfig`
const model = 'HKLM\\Software\\CausewayModel'
const routes = `${model}Routes`
const devices = `${model}Devices`
const hold = `${model}Hold`

/** The keys of the model's server and of its client. */
const request = `kill-switch on
dns on
private-key AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=
address 10.9.0.2/24
peer zo060cy2M+x7cMF4FKXHbs0CloUFDTRHRboFhw5YfVk=
endpoint 192.0.2.1 1
allowed 0.0.0.0/0
#END
`

const proxied = request.replace(
  'endpoint 192.0.2.1 1\n',
  'endpoint 127.0.0.1 1\nlisten-port 51822\nproxy 192.0.2.7 443 40000\n',
)

const openVpnRequest = 'kill-switch on\ndns on\nremote 192.0.2.1 1194 udp\nremote 192.0.2.2 443 tcp\n#END\n'

/** A command of the service that runs, called as Causeway calls it. */
class Call {
  readonly #running: ChildProcessWithoutNullStreams
  readonly #said: string[] = []
  readonly #lines: Interface
  readonly #ended: Promise<{ status: number | null; said: readonly string[] }>

  constructor(command: 'wireguard' | 'openvpn' | 'release' | 'blocked') {
    this.#running = windows.open(helper, 'call', command)
    this.#running.stdin.on('error', () => undefined)
    this.#running.stdout.resume()
    this.#lines = createInterface(this.#running.stderr).on('line', (line) => {
      this.#said.push(line.replace('causeway-helper: ', '').trim())
      this.#lines.emit('said')
    })
    this.#ended = once(this.#running, 'close').then(([status]) => ({
      status: status as number | null,
      said: this.#said,
    }))
  }

  send(lines: string): void {
    this.#running.stdin.write(lines)
  }

  end() {
    this.#running.stdin.end()
    return this.#ended
  }

  outcome() {
    return this.#ended
  }

  /** Resolves once it says something that begins with these words. */
  async says(begin: string): Promise<void> {
    const over = this.#ended.then(() => 'over' as const)
    const isSaid = () => this.#said.some((line) => line.startsWith(begin))
    while (!isSaid()) {
      const next = await Promise.race([once(this.#lines, 'said'), over])
      if (next === 'over' && !isSaid())
        throw new Error(`It ended without “${begin}”: ${this.#said.join(', ')}`)
    }
  }

  kill(): void {
    this.#running.kill('SIGKILL')
  }
}

const release = () => new Call('release').end()

async function connect(lines = request): Promise<Call> {
  const call = new Call('wireguard')
  call.send(lines)
  await call.says('handshake 0')
  call.send('dns 10.9.0.1 example.org\n')
  await call.says('dns applied')
  return call
}

/** Returns what the helper answers to a word, whose input ends at once as with Causeway. */
async function answer(word: 'own-service' | 'kill-switch'): Promise<Record<string, boolean>> {
  const asked = windows.open(helper, word)
  asked.stdin.end()
  return JSON.parse(await text(asked.stdout)) as Record<string, boolean>
}

const listed = () => answer('own-service')
const noted = () => answer('kill-switch')
const blocked = async () => (await new Call('blocked').end()).said

/** Returns the rules in the model's firewall. */
const modelRules = () => windows.output('reg', 'query', model)

/** Returns what the kill switch lets pass in the model: the program with its servers, and the number of the device. */
async function passing() {
  const text = / Rules\s+REG_SZ\s+(\[.*\])/.exec(await modelRules())?.[1] ?? '[]'
  const rules = JSON.parse(text) as { Own: boolean; Program: string; Remote: string; Interface: number }[]
  return {
    servers: rules.filter(({ Own }) => Own).map(({ Program, Remote }) => `${Program} ${Remote}`),
    device: rules.find(({ Interface }) => Interface !== 0)?.Interface,
    blocks: rules.length > 0,
  }
}

const hasNameRule = async () => (await windows.output('reg', 'query', nameRules, '/s')).includes('10.9.0.1')
const serviceProcesses = () => windows.processes('causeway-service.exe')
const workers = () => windows.processes('causeway-service.exe', 'worker')

async function until(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await delay(100)
}

async function killAll(found: readonly number[]): Promise<void> {
  // None sees the end of another one.
  for (const signal of ['SIGSTOP', 'SIGKILL'] as const) for (const id of found) process.kill(id, signal)
  await until(async () => (await serviceProcesses()).every((id) => !found.includes(id)))
}

describe.skipIf(!hasModules)('the service', () => {
  beforeAll(async () => {
    // Wine ends its services, and forgets volatile keys, when no other program runs.
    const user = windows.open('cmd')
    await buildModelService(built)
    await windows.copy(built, program)
    await windows.copy(builtHelperFor('win32'), helper)
    await windows.wine(program, 'install')
    return async () => {
      await windows.wine(program, 'remove')
      user.stdin.end()
      await once(user, 'close')
    }
  })

  afterEach(async () => {
    await release()
  })

  it('makes a tunnel with a handshake, and undoes everything but the kill switch at its end', async () => {
    const call = await connect()
    expect(await hasNameRule()).toBe(true)
    const { status, said } = await call.end()
    expect(status).toBe(0)
    expect(said.slice(0, 3)).toEqual([
      'remote 192.0.2.1 1',
      'kill-switch on',
      expect.stringMatching(/^started cw\d+t userspace$/),
    ])
    expect(await hasNameRule()).toBe(false)
    expect((await release()).said).toEqual(['kill-switch released'])
    expect((await release()).said).toEqual(['kill-switch none'])
  })

  it('blocks the family that it does not carry until its end, also without the kill switch', async () => {
    const call = await connect()
    expect(await modelRules()).toMatch(/ Rules [^]* TunnelRules /)
    call.send('release\n')
    await call.says('kill-switch released')
    expect(await modelRules()).toContain(' TunnelRules ')
    expect(await modelRules()).not.toContain(' Rules ')
    expect((await call.end()).status).toBe(0)
    expect(await modelRules()).not.toContain('Rules')
  })

  it('says that the firewall blocks local networks, if they are to be blocked', async () => {
    const open = await connect()
    const { said } = await open.end()
    expect(said.filter((line) => line.startsWith('local-network'))).toEqual([])
    const call = await connect(request.replace('#END', 'local-network block\n#END'))
    const blocking = await call.end()
    expect(blocking.status).toBe(0)
    expect(blocking.said.slice(2, 4)).toEqual(['local-network blocked', expect.stringMatching(/^started /)])
  })

  it('is listed with its files, and says whether the kill switch is up', async () => {
    const library = `${folder}\\wintun.dll`
    onTestFinished(() => rm(windows.unixPath(library), { force: true }))
    await rm(windows.unixPath(library), { force: true })
    const found = { installed: true, disabled: false, mayStart: true, program: true }
    expect(await listed()).toMatchObject({ ...found, library: false })
    await windows.copy(built, library)
    expect(await listed()).toMatchObject({ ...found, library: true })
    expect(await noted()).toEqual({ recorded: false, own: false })
    expect(await blocked()).toEqual(['kill-switch none'])

    const follower = windows.open(helper, 'kill-switch')
    const lines: string[] = []
    const read = createInterface({ input: follower.stdout }).on('line', (line) => lines.push(line.trim()))
    await until(() => Promise.resolve(lines.length === 1))
    const call = await connect()
    expect(await listed()).toMatchObject({ ...found, running: true })
    expect(await noted()).toEqual({ recorded: true, own: true })
    expect(await blocked()).toEqual(['kill-switch on'])
    expect((await call.end()).status).toBe(0)
    expect(await blocked()).toEqual(['kill-switch on'])
    await release()
    expect(await noted()).toEqual({ recorded: false, own: false })
    await until(() => Promise.resolve(lines.length === 3))
    expect(lines.map((line) => (JSON.parse(line) as { recorded: boolean }).recorded)).toEqual([
      false,
      true,
      false,
    ])
    follower.stdin.end()
    await once(follower, 'close')
    read.close()
    expect(await blocked()).toEqual(['kill-switch none'])
  })

  it('ends the tunnel when its client is killed', async () => {
    const call = await connect()
    call.kill()
    await until(async () => !(await hasNameRule()))
    await until(async () => (await workers()).length === 0)
    expect((await release()).said).toEqual(['kill-switch released'])
  })

  it('undoes the changes of a worker that was killed, and keeps the kill switch', async () => {
    const call = await connect()
    await killAll(await workers())
    expect((await call.outcome()).status).toBe(70)
    await until(async () => !(await hasNameRule()))
    expect((await release()).said).toEqual(['kill-switch released'])
  })

  it('ends the tunnel when the service is killed', async () => {
    const call = await connect()
    const working = await workers()
    await killAll((await serviceProcesses()).filter((id) => !working.includes(id)))
    expect((await call.outcome()).status).toBe(70)
    await until(async () => !(await hasNameRule()))
    expect((await release()).said).toEqual(['kill-switch released'])
  })

  it('undoes at its next start what was left when all of it was killed at once', async () => {
    const call = await connect(proxied)
    expect(await windows.output('reg', 'query', routes)).toContain('192.0.2.7')
    await killAll(await serviceProcesses())
    expect((await call.outcome()).status).toBe(70)
    expect(await hasNameRule()).toBe(true)
    // Any command starts it, and doesn't wait for that.
    expect((await release()).said).toEqual(['kill-switch released'])
    await until(async () => !(await hasNameRule()))
    await until(async () => !(await windows.output('reg', 'query', routes)).includes('192.0.2.7'))
  })

  it.each(['TunnelRules', 'Rules', 'route', 'device', 'set-up'])(
    'leaves nothing when all of it was killed at this step: %s',
    async (step) => {
      const held = () => windows.output('reg', 'query', hold, '/v', 'Held')
      await windows.wine('reg', 'add', hold, '/v', 'At', '/d', step, '/f')
      onTestFinished(() => windows.wine('reg', 'delete', hold, '/f'))
      const call = new Call('wireguard')
      call.send(proxied)
      await until(async () => (await held()).includes(step))
      await windows.wine('reg', 'delete', hold, '/v', 'At', '/f')
      await killAll(await serviceProcesses())
      expect((await call.outcome()).status).toBe(70)
      expect((await release()).status).toBe(0)
      expect((await release()).said).toEqual(['kill-switch none'])
      await until(async () => !(await windows.output('reg', 'query', routes)).includes('192.0.2.7'))
      await until(async () => !(await modelRules()).includes('Rules'))
      expect((await (await connect()).end()).status).toBe(0)
    },
  )

  it.skipIf(!hasOpenVpn())(
    'lets OpenVPN and its device alone pass around OpenVPN, and nothing when it was killed',
    async () => {
      const openVpn = 'C:\\Program Files\\OpenVPN\\bin\\nodevice\\openvpn.exe'
      const servers = [`${openVpn} 192.0.2.1/32`, `${openVpn} 192.0.2.2/32`]
      // Of another OpenVPN, from before.
      await windows.wine('reg', 'add', devices, '/v', '4', '/f')
      onTestFinished(() => windows.wine('reg', 'delete', devices, '/f'))
      const call = new Call('openvpn')
      call.send(openVpnRequest)
      await call.says('kill-switch on')
      expect(await passing()).toEqual({ servers, device: undefined, blocks: true })
      await windows.wine('reg', 'add', devices, '/v', '7', '/f')
      await until(async () => (await passing()).device === 7)
      await windows.wine('reg', 'delete', devices, '/v', '7', '/f')
      await until(async () => (await passing()).device === undefined)
      const second = new Call('wireguard')
      second.send(request)
      expect(await second.outcome()).toEqual({ status: 65, said: ['failed other-tunnel'] })

      await windows.wine('reg', 'add', devices, '/v', '7', '/f')
      await until(async () => (await passing()).device === 7)
      await killAll(await serviceProcesses())
      expect((await call.outcome()).status).toBe(70)
      expect(await passing()).toEqual({ servers, device: 7, blocks: true })
      // The service starts again, and takes back what it let pass.
      expect(await blocked()).toEqual(['kill-switch on'])
      await until(async () => (await passing()).device === undefined)
      expect(await passing()).toEqual({ servers: [], device: undefined, blocks: true })

      const again = new Call('openvpn')
      again.send(openVpnRequest)
      await again.says('kill-switch on')
      expect((await passing()).servers).toEqual(servers)
      expect((await again.end()).status).toBe(0)
      expect(await passing()).toEqual({ servers: [], device: undefined, blocks: true })
      expect((await release()).said).toEqual(['kill-switch released'])
      expect((await passing()).blocks).toBe(false)
    },
  )

  it('makes one tunnel at a time', async () => {
    const call = await connect()
    const second = new Call('wireguard')
    second.send(request)
    expect(await second.outcome()).toEqual({ status: 65, said: ['failed other-tunnel'] })
    expect((await call.end()).status).toBe(0)
  })

  it('refuses hostile requests, and stays', async () => {
    for (const [lines, refusal] of [
      [request.replace('allowed 0.0.0.0/0', 'PostUp calc.exe'), 'refused unknown'],
      [request.replace('192.0.2.1', '127.0.0.1'), 'refused endpoint'],
      ['kill-switch on\n'.repeat(2), 'failed header'],
      [`kill-switch on\ndns on\n${'x'.repeat(300_000)}\n`, 'failed too-large'],
      [request.replace('#END', 'address \u0000'), 'refused unprintable'],
    ] as const) {
      const call = new Call('wireguard')
      call.send(lines)
      expect(await call.outcome(), refusal).toEqual({ status: 65, said: [refusal] })
    }
    for (const [lines, refusal] of [
      [openVpnRequest.replace('kill-switch on', 'kill-switch off'), 'failed header'],
      [openVpnRequest.replace('#END', 'program C:\\users\\ann\\openvpn.exe'), 'refused unknown'],
      [openVpnRequest.replace('192.0.2.1', '0.0.0.0/0'), 'refused remote'],
    ] as const) {
      const call = new Call('openvpn')
      call.send(lines)
      expect(await call.outcome(), refusal).toEqual({ status: 65, said: [refusal] })
    }
    expect((await (await connect()).end()).status).toBe(0)
  })

  it('installs only below Program Files', async () => {
    await windows.copy(built, 'C:\\Apps\\causeway-service.exe')
    expect(await windows.succeeds('C:\\Apps\\causeway-service.exe', 'install')).toBe(false)
    expect(await windows.output('reg', 'query', `${services}\\CausewayService`)).toContain(`"${program}"`)
  })

  it('trusts no other program with the name of its pipe', async () => {
    await windows.wine('net', 'stop', 'CausewayService').catch(() => undefined)
    await until(async () => (await serviceProcesses()).length === 0)
    const squatter = await windows.node([
      '-e',
      `require('node:net').createServer((socket) => socket.pipe(process.stdout)).listen('\\\\\\\\.\\\\pipe\\\\ProtectedPrefix\\\\Administrators\\\\causeway-service', () => console.log('taken'))`,
    ])
    await until(async () => (await squatter.stdout()).includes('taken'))
    const call = new Call('wireguard')
    call.send(request)
    const { status, said } = await call.outcome()
    expect(status).toBe(65)
    expect(said).toEqual([expect.stringMatching(/^failed service-(?:not-started|of-others)/)])
    expect(await squatter.stdout()).not.toContain('private-key')
    squatter.kill()
    await squatter.ended
  })

  it('leaves nothing when it is removed', async () => {
    const call = await connect()
    await windows.wine(program, 'remove')
    await call.outcome()
    expect(await hasNameRule()).toBe(false)
    expect(await windows.output('reg', 'query', services)).not.toContain('CausewayService')
    expect(await modelRules()).not.toContain('Rules')
    expect(await listed()).toMatchObject({ installed: false, program: false })
    await windows.wine(program, 'install')
  })
})
