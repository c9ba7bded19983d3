import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startTestMock } from '../../../mock-server/test-authority'
import { TestClient } from '../../../mock-server/test-client'
import type { AppState } from '../../../contract/state'
import { AppLanguage } from '../../commands/models/app-language'
import type { DesktopText } from './desktop-notifications'
import { showExpiryNotices } from './expiry-notices'
import { expiryText } from './expiry-texts'
import { messageText } from './message-notices'
import { startModel } from '../../commands/model.testing'

const hour = 3_600_000

it('shows expiry notices in the window and on the desktop until the login is renewed', async () => {
  const server = await startTestMock({ autoApprove: true, sessionSeconds: 5 * 3600 })
  onTestFinished(() => server.close())
  const dataDir = await mkdtemp(join(tmpdir(), 'causeway-expiry-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const clock = { ahead: 0 }
  const now = () => new Date(Date.now() + clock.ahead)
  const { services, model, run } = await startModel({
    dataDir,
    kind: 'window',
    openBrowser: async (url) => {
      await (await fetch(url)).text()
    },
    now,
    chosenLanguages: ['nl'],
  })
  // The file store that the test uses has a notice, too.
  const notices = () => model.state().notices.filter(({ code }) => code !== 'secret-store/in-file')
  const shown: DesktopText[] = []
  let resume = (): void => undefined
  const stop = showExpiryNotices({
    model,
    watchExpiry: (watched) => services.watchExpiry(watched),
    now,
    showOnDesktop: (text) => shown.push(text),
    onResume: (listener) => {
      resume = listener
      return () => undefined
    },
  })
  onTestFinished(stop)
  const { instanceId } = await run.addInstance({ address: server.instance })
  await run.logIn({ instanceId })
  const instance = await services.instances.find(instanceId)
  await (await services.certificates(instance)).renew()
  await model.instance(instanceId).readValidity()
  expect(notices()).toEqual([])

  for (const [ahead, hours] of [
    [1.5 * hour, 4],
    [3.5 * hour, 2],
  ] as const) {
    clock.ahead = ahead
    resume()
    await vi.waitFor(() => {
      expect(notices()).toMatchObject([
        { code: 'session/ends-soon', details: { instance: instanceId, hours } },
      ])
    })
  }
  expect(shown.map(({ title }) => title)).toEqual([
    expect.stringMatching(/^Je toegang verloopt om \d\d:\d\d$/),
    expect.stringMatching(/^Je toegang verloopt om \d\d:\d\d$/),
  ])

  const client = new TestClient(server)
  await client.control('POST', '/session', { endsInSeconds: 9 * 3600 })
  await run.renewSession({ instanceId })
  expect(notices()).toEqual([])
  expect(model.state().instances).toMatchObject([{ login: 'signed-in' }])
  expect(model.state().instances[0]?.renewing).toBeUndefined()
  expect(shown).toHaveLength(2)
})

it("uses the user's language for desktop notifications", async () => {
  const language = new AppLanguage()
  const endsAt = '2026-11-20T15:00:00.000Z'
  const details = { instance: 'vpn.example.org', endsAt, hours: 0 }
  const over = { code: 'session/over', message: '', details } as const
  await language.use(['fy', 'nl-BE'])
  expect(expiryText(over, language, [])).toEqual({
    title: 'Je toegang is verlopen',
    body: 'Klik om deze in Causeway te vernieuwen: vpn.example.org',
  })
  await language.use(['fy'])
  expect(expiryText({ ...over, code: 'session/ends-soon' }, language, []).title).toMatch(
    /^Your access ends at \d+:\d\d.[AP]M$/,
  )
})

it('names the service as the person does', async () => {
  const language = new AppLanguage()
  await language.use(['en'])
  const instances = [{ id: 'vpn.example.org', name: 'My university' }] as AppState['instances']
  const details = { instance: 'vpn.example.org', endsAt: '2026-11-20T15:00:00.000Z', hours: 0 }
  const over = { code: 'session/over', message: '', details } as const
  expect(expiryText(over, language, instances).body).toBe('Click to renew your access to My university')
  const messages = (...texts: string[]) =>
    messageText({ instanceId: 'vpn.example.org', texts }, language.t, instances)
  expect(messages('Maintenance')).toEqual({ title: 'Message from My university', body: 'Maintenance' })
  expect(messages('One', 'Another').body).toBe('My university')
})
