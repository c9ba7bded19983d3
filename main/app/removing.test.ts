import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { filesBelow } from '../../scripts/files-below'
import { type Computer, failure, newComputer, startMock } from './connecting.testing'

const { mock } = await startMock({ autoApprove: true })

/** Returns a computer with data of its instance in every store. */
async function usedComputer(): Promise<Computer> {
  const computer = await newComputer(mock.instance)
  const { services } = computer
  const instance = await services.instances.find(undefined)
  await services.session(instance).logIn()
  await services.organizationCredentials(instance).set({ kind: 'bearer', token: 'abc' }, mock.instance)
  const keyPair = await (await services.certificates(instance)).renew()
  const messages = await services.read.vpn(instance, async (portal) => portal.messages?.())
  await services.unreadMessages.see(instance.id, messages.data?.items ?? [])
  await services.lastConnections.put(computer.target())
  const watch = services.watchExpiry({
    logins: () => [{ ...keyPair, notAfter: new Date(), instanceId: instance.id }],
    onNotice: () => undefined,
  })
  onTestFinished(() => {
    watch.dispose()
  })
  await watch.check()
  return computer
}

/** Returns the files that contain the instance's id or its cached answers, except logs. */
async function filesAbout(computer: Computer): Promise<string[]> {
  const { dataDir } = computer
  const { instanceId } = computer.target()
  const about = (await filesBelow(dataDir)).filter(
    ({ path, content }) =>
      !path.startsWith(join(dataDir, 'logs')) &&
      (content.includes(instanceId) || path.startsWith(join(dataDir, 'seen'))),
  )
  return about.map(({ path }) => basename(path)).sort()
}

it('leaves nothing of a removed instance in any file', async () => {
  const computer = await usedComputer()
  expect((await filesAbout(computer)).filter((name) => name.length < 60)).toEqual([
    'expiry-notices.json',
    'instances.json',
    'issuers.json',
    'last-connections.json',
    'messages-read.json',
    'secrets.json',
  ])
  await computer.services.removeInstance(computer.target().instanceId)
  expect(await filesAbout(computer)).toEqual([])
})

it('forgets the rest of a removed instance if one file cannot be changed', async () => {
  const computer = await usedComputer()
  const inTheWay = join(computer.dataDir, 'last-connections.json')
  await rm(inTheWay)
  await mkdir(inTheWay)
  const error = await failure(computer.services.removeInstance(computer.target().instanceId))
  expect(error.code).toBe('data/unreadable')
  expect(await filesAbout(computer)).toEqual([])
})
