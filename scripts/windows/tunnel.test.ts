import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestMock } from '../../mock-server/test-authority'
import type { MockServer } from '../../mock-server/server'
import { Windows } from './computer'
import { HelperProcesses } from './helper-processes'
import { Person } from './person'

const windows = new Windows()
let mock: MockServer
let person: Person

/** The processes of a tunnel. */
const openVpn = () => windows.processes('openvpn', '--service')
const helper = new HelperProcesses(windows)
const { owner, watcher } = helper

/** Connects; resolves once the helper's processes run. */
async function connect() {
  const causeway = await person.connect()
  await helper.underWay()
  return causeway
}

async function kill(found: Promise<number[]>): Promise<void> {
  const [id] = await found
  if (id === undefined) throw new Error('There is no such process.')
  process.kill(id, 'SIGKILL')
}

beforeAll(async () => {
  mock = await startTestMock({ tunnel: 'openvpn', autoApprove: true })
  return () => mock.close()
})

beforeEach(async () => {
  await windows.startService()
  person = await Person.make(windows, 'Jürgen Müller 例え')
  await person.logIn(mock.instance)
})

afterEach(async () => {
  // Nothing is left, whichever process was killed.
  try {
    const left = async () => ({
      causeway: await windows.processes('cli.mjs'),
      openVpn: await openVpn(),
      owner: await owner(),
      watcher: await watcher(),
    })
    await expect.poll(left).toEqual({ causeway: [], openVpn: [], owner: [], watcher: [] })
  } finally {
    await windows.shutDown()
  }
})

it('connects through the service, leaves no key behind, and disconnects in order', async () => {
  const causeway = await connect()
  await expect.poll(() => windows.files(`${person.dataDir}\\tunnel`)).toEqual(['exit-event', 'openvpn.log'])
  expect(await person.json('status')).toMatchObject({ state: 'connected', profileId: 'internet' })
  await person.json('disconnect', '--wait')
  expect(await causeway.ended).toMatchObject({ status: 0 })
  expect(await openVpn()).toEqual([])
  expect(await windows.files(person.dataDir)).not.toContain('tunnel')
})

it('ends OpenVPN in order when Causeway is killed', async () => {
  const causeway = await connect()
  causeway.kill()
  await expect.poll(openVpn).toEqual([])
})

it("reconnects when the event's owner is killed", async () => {
  const causeway = await connect()
  const [before] = await openVpn()
  await kill(owner())
  await expect.poll(causeway.states).toEqual(expect.arrayContaining(['reconnecting']))
  await expect.poll(async () => (await causeway.states()).at(-1)).toBe('connected')
  expect(await openVpn()).not.toContain(before)
  await person.json('disconnect', '--wait')
})

it('ends with the next connection an OpenVPN that lost Causeway and the owner at once', async () => {
  const causeway = await connect()
  const [left] = await openVpn()
  const [id = 0] = await owner()
  causeway.pause()
  process.kill(id, 'SIGKILL')
  causeway.kill()
  await causeway.ended
  expect(await openVpn()).toEqual([left])
  await connect()
  expect(await openVpn()).not.toContain(left)
  await person.json('disconnect', '--wait')
})

it('reconnects when OpenVPN is killed', async () => {
  const causeway = await connect()
  await kill(openVpn())
  await expect.poll(causeway.states).toContain('reconnecting')
  await expect.poll(async () => (await causeway.states()).at(-1)).toBe('connected')
  await person.json('disconnect', '--wait')
})

it('reconnects when the service, which ends OpenVPN at its stop, is back', async () => {
  const causeway = await connect()
  const [before = 0] = await openVpn()
  await windows.stopService()
  await expect.poll(openVpn).not.toContain(before)
  await expect.poll(causeway.states).toContain('reconnecting')
  await windows.startService()
  await expect.poll(async () => (await causeway.states()).at(-1)).toBe('connected')
  await person.json('disconnect', '--wait')
})
