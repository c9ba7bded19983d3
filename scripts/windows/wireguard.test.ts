import { once } from 'node:events'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { MockServer } from '../../mock-server/server'
import { startTestMock } from '../../mock-server/test-authority'
import { buildModelService, builtHelperFor, downloadModules, windowsService } from '../build-helper'
import { Windows, wineVariables } from './computer'
import { Person } from './person'

/** The terminal command with Causeway's service, whose device is a model that reaches no server of the mock. */

const windows = new Windows()
/** Without Go's proxy, there is no service. */
const hasModules = await downloadModules(windowsService)
const folder = 'C:\\Program Files\\Causeway tests'
const program = `${folder}\\causeway-service.exe`

describe.skipIf(!hasModules)("the command with Causeway's service", () => {
  let mock: MockServer
  let person: Person

  beforeAll(async () => {
    // Wine ends its services when no other program runs.
    const user = windows.open('cmd')
    mock = await startTestMock({ autoApprove: true, api: '3' })
    const built = join(wineVariables.WINEPREFIX, '..', 'causeway-service.exe')
    await buildModelService(built)
    await windows.copy(built, program)
    await windows.copy(builtHelperFor('win32'), `${folder}\\wintun.dll`)
    person = await Person.make(windows)
    await person.logIn(mock.instance)
    return async () => {
      await windows.wine(program, 'remove')
      await mock.close()
      user.stdin.end()
      await once(user, 'close')
    }
  })

  const listed = async () =>
    (await person.json('profile', 'list')) as { profileId: string; notSupported?: true }[]
  const wireGuardOnly = async () => (await listed()).find(({ profileId }) => profileId === 'wireguard-only')
  const failure = async (...words: readonly string[]) => {
    const { status, stdout, stderr } = await person.run(...words, '--json')
    return `${String(status)} ${stdout} ${stderr}`
  }

  it('offers WireGuard exactly where the service is', async () => {
    expect(await wireGuardOnly()).toMatchObject({ notSupported: true })
    expect(await failure('connect', 'wireguard-only')).toContain('"code":"wireguard/not-available"')
    await windows.wine(program, 'install')
    expect(await wireGuardOnly()).not.toHaveProperty('notSupported')
    // Whatever else is missing.
    expect((await person.run('doctor', '--json')).stdout).toContain('"code":"wireguard-service"')
    // The service's own answer: Wine finds no address for the name in the profile.
    const details = '"details":{"reason":"unresolved","step":"look-up"}'
    expect(await failure('connect', 'wireguard-only')).toContain(details)
    expect(await person.json('connect', '--release')).toEqual({ killSwitch: 'none' })
  })
})
