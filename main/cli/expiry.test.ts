import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { MockControl } from '../app/connecting.testing'
import { canConfigureNetwork } from '../privilege/network-rights'
import { canInterrupt, idleBrowser, printed, startCommandAndMock } from './causeway.testing'

const { command, mock } = await startCommandAndMock()
const control = new MockControl(mock.control)

// A tunnel needs permission to configure the network.
it.runIf(canInterrupt && (await canConfigureNetwork()))(
  'prints an expiry notice once while connected, with the command to renew',
  async () => {
    // Simulates a three-hour login from an hour ago.
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
        message: `Your sign-in at ${instance} expires in 1 hour 59 minutes. To renew it, run: causeway --data-dir ${person.dataDir} --secret-store file login --renew ${instance}`,
        details: { instance, hours: 2 },
      },
    })
    running.kill('SIGINT')
    expect((await running).exitCode).toBe(0)

    const again = person.start(['connect', 'office'])
    onTestFinished(() => {
      again.kill('SIGKILL')
    })
    await printed(again, 'Connected to')
    again.kill('SIGINT')
    expect((await again).stderr).not.toContain('Your sign-in at')
  },
)

it.runIf(canInterrupt && (await canConfigureNetwork()))(
  'says at once when access ends if that is within a day',
  async () => {
    await control.post('/reset')
    await control.post('/session', { endsInSeconds: 12 * 3600 + 30 })
    const person = await command.person(mock.instance)
    const running = person.start(['connect', 'office'])
    onTestFinished(() => {
      running.kill('SIGKILL')
    })
    const stderr = new Promise((resolve) => {
      running.stderr.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('Your sign-in at')) resolve(chunk.toString())
      })
    })
    expect(await stderr).toContain('expires in 12 hours')
    running.kill('SIGINT')
    expect((await running).exitCode).toBe(0)
  },
)

it('reports a wrong clock without another login', async () => {
  await control.post('/reset')
  await control.post('/scenarios/wrong-clock-ahead')
  const person = await command.person(mock.instance)
  expect(await person.failure(['connect', 'office', '--check'])).toMatchObject({
    status: 1,
    code: 'clock/wrong',
    message: expect.stringMatching(/^This computer's clock \(.*\) doesn't match the clock of /) as string,
  })
})

it('does not renew a login while another process is connected', async () => {
  await control.post('/reset')
  const person = await command.person(mock.instance)
  const holder = person.start(['connect', 'office', '--check', '--json'], {
    env: { CAUSEWAY_BROWSER: idleBrowser },
  })
  onTestFinished(() => {
    holder.kill('SIGKILL')
  })
  await printed(holder, '"authorizing"')
  expect(await person.failure(['login', '--renew'])).toMatchObject({
    status: 1,
    code: 'connection/held-by-other',
    message: expect.stringMatching(
      /Renew the sign-in there, or disconnect first with: causeway .*disconnect\./,
    ) as string,
    details: { kind: 'terminal', pid: holder.pid, profileId: 'office' },
  })
})
