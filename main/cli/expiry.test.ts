import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { createMockServer, type MockServer } from '../../mock-server/server'
import { MockControl } from '../app/connecting.testing'
import { canConfigureNetwork } from '../privilege/network-rights'
import { BuiltCommand, said } from './causeway.testing'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

let command: BuiltCommand
let mock: MockServer
let control: MockControl

beforeAll(async () => {
  command = await BuiltCommand.make()
  mock = await createMockServer({ tunnel: 'openvpn', autoApprove: true })
  control = new MockControl(mock.control)
})
afterAll(async () => {
  await mock.close()
  await command.remove()
})

// A tunnel needs the right to configure the network.
it.runIf(await canConfigureNetwork())(
  'a login that ends soon is told of while there is a tunnel, once, with the way to renew it',
  async () => {
    // An hour ago somebody logged in for three hours.
    await control.post('/clock', { advanceSeconds: -3600 })
    await control.post('/session', { endsInSeconds: 3 * 3600 - 30 })
    const person = await command.person(mock.instance)
    const running = person.start(['connect', 'office', '--json'])
    onTestFinished(() => {
      running.kill('SIGKILL')
    })
    const errors = createInterface({ input: running.stderr })
    const [line] = (await Promise.race([
      new Promise((resolve) =>
        errors.once('line', (first) => {
          resolve([first])
        }),
      ),
      running.then(() => []),
    ])) as [string]
    const instance = new URL(mock.instance).host
    expect(JSON.parse(line)).toMatchObject({
      notice: {
        code: 'session/ends-soon',
        message: `Your login at ${instance} expires in 1 hour 59 minutes. To renew it, run: causeway login --renew ${instance}`,
        details: { instance, hours: 2 },
      },
    })
    running.kill('SIGINT')
    expect((await running).exitCode).toBe(0)

    const again = person.start(['connect', 'office'])
    onTestFinished(() => {
      again.kill('SIGKILL')
    })
    await said(again, 'Connected to')
    again.kill('SIGINT')
    expect((await again).stderr).not.toContain('Your login at')
  },
)

it('a wrong clock is named, and no login is asked for again', async () => {
  await control.post('/reset')
  await control.post('/scenarios/wrong-clock-ahead')
  const person = await command.person(mock.instance)
  expect(await person.failure(['connect', 'office', '--check'])).toMatchObject({
    status: 1,
    code: 'clock/wrong',
    message: expect.stringContaining("This computer's clock is 2 days behind") as string,
  })
})

it('a login is not renewed under a tunnel that another process has', async () => {
  await control.post('/reset')
  const person = await command.person(mock.instance)
  const holder = person.start(['connect', 'office', '--check', '--json'], {
    env: { CAUSEWAY_BROWSER: '/bin/true' },
  })
  onTestFinished(() => {
    holder.kill('SIGKILL')
  })
  await said(holder, '"authorizing"')
  expect(await person.failure(['login', '--renew'])).toMatchObject({
    status: 1,
    code: 'connection/held-by-other',
    message: expect.stringContaining(
      'Renew the login there, or disconnect first with: causeway disconnect.',
    ) as string,
    details: { kind: 'terminal', pid: holder.pid, profileId: 'office' },
  })
})
