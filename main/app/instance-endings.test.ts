import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { ConnectionState } from '../../contract/connection'
import { TunnelLock } from '../connection/lock/tunnel-lock'
import { ForgetRegistry } from '../portal/instance/forget-registry'
import { createInstanceEndings } from './instance-endings'

const instanceOf = (id: string) => ({ id, address: `https://${id}/` })
const from = { instanceId: 'one.example.org', profileId: 'office' }
const target = { instanceId: 'two.example.org', profileId: 'internet' }
const switching: ConnectionState = { state: 'disconnecting', target, switching: true, from }
const elsewhere = 'three.example.org'

/** The endings of instances during a switch from one to another. `steps` lists what happens. */
async function world(state: ConnectionState = switching) {
  const dataDir = await mkdtemp(join(tmpdir(), 'causeway-endings-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const steps: string[] = []
  const forgets = new ForgetRegistry()
  forgets.add('secrets', ({ id }) => Promise.resolve(void steps.push(`forget ${id}`)))
  forgets.add('entry', ({ id }) => Promise.resolve(void steps.push(`remove ${id}`)))
  const connection = {
    state,
    disconnect: () => Promise.resolve(void steps.push('disconnect')),
    onChange: () => () => undefined,
    reconnect: () => undefined,
  }
  const lock = new TunnelLock({ dataDir, kind: 'window', now: () => new Date() })
  const release = await lock.claim(connection)
  onTestFinished(release)
  const endings = createInstanceEndings({
    connection,
    lock,
    instances: { find: (id) => Promise.resolve(instanceOf(id ?? '')) },
    accessTo: () => ({ settle: () => Promise.resolve() }),
    forgets,
  })
  return { endings, steps }
}

it.each([from.instanceId, target.instanceId])(
  'ends a switch before an instance at one of its ends is removed: %s',
  async (id) => {
    const { endings, steps } = await world()
    expect(await endings.removeInstance(id)).toBe('ended')
    // What another process stored while the entry was there goes, too.
    expect(steps).toEqual(['disconnect', `forget ${id}`, `remove ${id}`, `forget ${id}`])
  },
)

it.each([from.instanceId, target.instanceId])(
  'ends a switch before somebody signs out at one of its ends: %s',
  async (id) => {
    const { endings, steps } = await world()
    expect(await endings.disconnectFrom(id)).toBe('ended')
    expect(steps).toEqual(['disconnect'])
  },
)

it.each([from.instanceId, target.instanceId])(
  'ends a switch before the login at one of its ends is replaced, and refuses while the tunnel is held: %s',
  async (id) => {
    const { endings, steps } = await world()
    await expect(endings.requireNoTunnel(id)).rejects.toMatchObject({
      code: 'connection/in-use',
      details: { instance: id },
    })
    expect(steps).toEqual(['disconnect'])
  },
)

it('leaves a switch alone for the sake of another instance', async () => {
  const { endings, steps } = await world()
  await endings.requireNoTunnel(elsewhere)
  expect(await endings.removeInstance(elsewhere)).toBe('none')
  expect(steps).toEqual([`forget ${elsewhere}`, `remove ${elsewhere}`, `forget ${elsewhere}`])
})
