import { once } from 'node:events'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { MockServer } from '../../mock-server/server'
import { startTestMock } from '../../mock-server/test-authority'
import { buildModelService, builtHelperFor, downloadModules, windowsService } from '../build-helper'
import { Windows, wineVariables } from './computer'
import { HelperProcesses } from './helper-processes'
import { Person } from './person'

/** The terminal command with OpenVPN's service, and Causeway's, whose firewall is a model (helper/windows-service/model.go). */

const windows = new Windows()
/** Without Go's proxy, there is no service. */
const hasModules = await downloadModules(windowsService)
const folder = 'C:\\Program Files\\Causeway tests'
const program = `${folder}\\causeway-service.exe`
const model = 'HKLM\\Software\\CausewayModel'
const state = 'HKLM\\System\\CurrentControlSet\\Services\\CausewayService\\State'

const openVpn = () => windows.processes('openvpn', '--service')
const serviceProcesses = () => windows.processes('causeway-service.exe')

/** Returns the programs that the model's kill switch lets pass with their ports, and its device; undefined if it isn't up. */
async function passing() {
  const text = / Rules\s+REG_SZ\s+(\[.*\])/.exec(await windows.output('reg', 'query', model))?.[1]
  if (text === undefined) return undefined
  const rules = JSON.parse(text) as {
    Own: boolean
    Program: string
    Remote: string
    Protocol: number
    Interface: number
  }[]
  return {
    servers: rules
      .filter(({ Own }) => Own)
      .map(({ Program, Remote, Protocol }) => `${Program} ${Remote} ${String(Protocol)}`),
    device: rules.find(({ Interface }) => Interface !== 0)?.Interface,
  }
}

const nothing = { servers: [], device: undefined }

describe.skipIf(!hasModules)("the command with OpenVPN and Causeway's kill switch", () => {
  let mock: MockServer
  let person: Person

  beforeAll(async () => {
    // Wine ends its services, and forgets volatile keys, when no other program runs.
    const user = windows.open('cmd')
    mock = await startTestMock({ tunnel: 'openvpn', autoApprove: true })
    const built = join(wineVariables.WINEPREFIX, '..', 'causeway-service.exe')
    await buildModelService(built)
    await windows.copy(built, program)
    await windows.copy(builtHelperFor('win32'), `${folder}\\wintun.dll`)
    await windows.startService()
    return async () => {
      await windows.wine(program, 'remove')
      await windows.stopService()
      await mock.close()
      user.stdin.end()
      await once(user, 'close')
    }
  })

  beforeEach(async () => {
    // With everything that another test has left.
    await windows.wine(program, 'remove')
    await windows.wine(program, 'install')
    person = await Person.make(windows)
    await person.logIn(mock.instance)
    await person.json('settings', 'set', 'killSwitch', 'true')
  })

  it("doesn't connect without the service", async () => {
    await windows.wine(program, 'remove')
    const { status, stdout, stderr } = await person.run('connect', 'internet', '--json')
    expect(status).not.toBe(0)
    expect(stdout + stderr).toContain('"code":"helper/kill-switch-not-offered"')
    expect(await openVpn()).toEqual([])
  })

  it('blocks everything but OpenVPN, also when everything of the service was killed, until the user disconnects', async () => {
    const causeway = await person.connect()
    const first = await passing()
    expect(first?.device).toBeUndefined()
    expect(first?.servers).not.toEqual([])
    // UDP or TCP to an address of the mock.
    for (const each of first?.servers ?? [])
      expect(each).toMatch(/^C:\\Program Files\\OpenVPN\\\S+\\openvpn\.exe [\d.]+\/32 (?:17|6)$/)
    await windows.wine('reg', 'add', `${model}Devices`, '/v', '7', '/f')
    onTestFinished(() => windows.wine('reg', 'delete', `${model}Devices`, '/f'))
    await expect.poll(passing).toMatchObject({ device: 7 })

    const [before] = await openVpn()
    const killed = await serviceProcesses()
    // None sees the end of another one.
    for (const signal of ['SIGSTOP', 'SIGKILL'] as const) for (const id of killed) process.kill(id, signal)
    await expect.poll(causeway.states).toContain('reconnecting')
    await expect.poll(async () => (await causeway.states()).at(-1)).toBe('connected')
    expect(await openVpn()).not.toContain(before)
    expect((await passing())?.servers).toEqual(first?.servers)

    await person.json('disconnect', '--wait')
    expect(await causeway.ended).toMatchObject({ status: 0 })
    expect(await passing()).toBeUndefined()
    expect(await windows.output('reg', 'query', state)).not.toMatch(/KillSwitch|OpenVPN/)
  })

  it('lets nothing pass after Causeway was killed, until it is released', async () => {
    const causeway = await person.connect()
    await new HelperProcesses(windows).underWay()
    causeway.kill()
    await causeway.ended
    await expect.poll(openVpn).toEqual([])
    await expect.poll(passing).toEqual(nothing)
    expect(await person.json('status')).toMatchObject({ state: 'disconnected', trafficBlocked: true })
    expect(await person.json('connect', '--release')).toEqual({ killSwitch: 'released' })
    expect(await passing()).toBeUndefined()
  })
})
