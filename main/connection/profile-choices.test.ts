import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

import { createProfileChoices } from './profile-choices'

it('keeps the protocol of a profile for every process, until the instance is forgotten', async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'causeway-choices-'))
  onTestFinished(() => rm(dataDirectory, { recursive: true }))
  const forgets: ((instanceId: string) => Promise<void>)[] = []
  const create = () =>
    createProfileChoices({
      dataDirectory,
      now: () => new Date(0),
      onDamaged: () => undefined,
      registerForget: (forget) => forgets.push(forget),
      onDefect: () => undefined,
    })
  const choices = create()
  const changes: number[] = []
  choices.onChange((all) => changes.push(all.length))
  const office = { instanceId: 'vpn.example.org', profileId: 'office' }
  expect(await choices.of(office)).toBeUndefined()
  await choices.set({ ...office, protocol: 'wireguard', tcpOnly: true })
  await choices.set({ ...office, profileId: 'internet', protocol: 'openvpn', tcpOnly: false })
  expect(await create().of(office)).toEqual({ ...office, protocol: 'wireguard', tcpOnly: true })
  await choices.set({ ...office, protocol: 'auto', tcpOnly: false })
  expect(await choices.of(office)).toBeUndefined()
  await forgets[0]?.('vpn.example.org')
  expect(await choices.all()).toEqual([])
  expect(changes).toEqual([1, 2, 1, 0])
})
