import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { filesBelow } from '../../scripts/files-below'
import { approve, type Computer, failure, newComputer, startMock } from './connecting.testing'
import { createServices } from './services'

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

it('keeps no sign-in to an instance that another process removes while the browser is open', async () => {
  const computer = await newComputer(mock.instance, {
    openBrowser: async (...urls) => {
      await other.removeInstance(computer.target().instanceId)
      await approve(...urls)
    },
  })
  const { dataDir, services } = computer
  const other = createServices({
    dataDir,
    secretStore: 'file',
    openBrowser: approve,
    onNotice: () => undefined,
  })
  onTestFinished(() => other.dispose())
  const instance = await services.instances.find(undefined)
  const error = await failure(services.session(instance).logIn())
  expect(error.code).toBe('usage/unknown-instance')
  expect(await filesAbout(computer)).toEqual([])
})
