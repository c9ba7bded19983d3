import { approveWithoutBrowser } from './browser'
import { expect, test } from './fixtures'
import { Orca } from './orca'

/** What Orca says at a step: each in this order, besides other things. */
interface Step {
  readonly name: string
  readonly says: readonly (string | RegExp)[]
  /** What it doesn't say, because nothing has changed. */
  readonly silentOn?: RegExp
}

/**
 * What Orca says, the screen reader of Linux desktops, from the first start to the settings. Runs with CAUSEWAY_ORCA=1, which the
 * nightly tests set. The whole transcript is printed.
 */
test('a screen reader says what happens, in order, and nothing over and over', async ({
  folder,
  launch,
  mock,
  handedOver,
}) => {
  test.setTimeout(600_000)
  const orca = await Orca.start(folder)
  const transcript: string[] = []
  try {
    // Before the window opens, which looks for a screen reader once.
    const { window } = await launch()
    const { page } = window
    const heard = async ({ name, says, silentOn }: Step): Promise<void> => {
      const speech = (await orca.speech(says.at(-1))).map((line) => lasting(line, mock.host))
      transcript.push(`— ${name}`, ...speech)
      const rest = [...speech]
      for (const wanted of says) {
        const at = rest.findIndex((line) =>
          typeof wanted === 'string' ? line === wanted : wanted.test(line),
        )
        expect.soft(at, `${name}: ${String(wanted)} in ${JSON.stringify(speech)}`).toBeGreaterThanOrEqual(0)
        rest.splice(0, at + 1)
      }
      if (silentOn !== undefined) expect.soft(speech.join('\n'), name).not.toMatch(silentOn)
      const sentences = speech.flatMap((line) => line.split(/(?<=[.…]) /))
      for (const sentence of sentences) {
        const isWord = sentence.length <= 20
        // A word may be a part of others: "leaving region." isn't "region".
        const found = isWord
          ? sentences.filter((each) => each === sentence).length
          : speech.join('\n').split(sentence).length - 1
        expect
          .soft(found, `${name}: "${sentence}" again in ${JSON.stringify(speech)}`)
          .toBeLessThan(isWord ? 3 : 2)
      }
    }

    await test.step('the first start', async () => {
      await heard({
        name: 'the first start',
        says: ['main content Connection', 'Where do you study or work? entry.'],
      })
      await page.keyboard.press('Tab')
      await heard({ name: 'the next key', says: ['Enter the VPN address push button.'] })
      await window.continueWith(mock.instance)
      await approveWithoutBrowser(await handedOver.address(1))
      await window.firstProfile.waitFor()
      await heard({ name: 'signing in', says: ['Connect: Internet Access push button.'] })
    })

    await test.step('connecting', async () => {
      // A phase that lasts.
      await mock.fault('/api/vpn/profile_config', { delayMs: 6000 })
      await page.getByRole('button', { name: 'Connect: Office Network' }).last().focus()
      await heard({
        name: 'a profile',
        says: [
          'region Services and profiles',
          'List with 2 items.',
          'Connect: Office Network push button.',
          "organization's networks only.",
        ],
      })
      await page.keyboard.press('Enter')
      await window.expectWord('Connected')
      await heard({
        name: 'connecting',
        says: [
          'Connecting. Getting your configuration…',
          "Connected to Office Network. Through the VPN: only your organization's networks",
        ],
      })
      await mock.control('DELETE', 'faults')
      await window.disconnect()
      await heard({ name: 'disconnecting', says: ["Not connected. Your traffic doesn't use the VPN."] })
    })

    await test.step('a failure', async () => {
      await mock.fault('/api/vpn/profile_config', { status: 403, body: { error: 'not for you' } })
      await window.connect('Office Network')
      await window.expectWord("Couldn't connect")
      await heard({
        name: 'a failure',
        says: [/Couldn't connect\. The service \S+ refused the request\. Your traffic doesn't use the VPN/],
      })
      await mock.control('DELETE', 'faults')
    })

    await test.step('the list', async () => {
      await page.keyboard.press('ControlOrMeta+f')
      await heard({ name: 'the search', says: ['Find a profile or service entry.'] })
      await page.keyboard.insertText('int')
      await heard({ name: 'a match', says: [/Connect: Internet Access · \S+/] })
      await page.keyboard.press('Escape')
    })

    await test.step('the settings', async () => {
      await page.keyboard.press('ControlOrMeta+,')
      await heard({ name: 'the settings', says: [/General/], silentOn: /Couldn't connect/ })
      await page.keyboard.press('Tab')
      await heard({ name: 'a section', says: [/push button|combo box/], silentOn: /Couldn't connect/ })
    })
  } finally {
    process.stdout.write(`${transcript.join('\n')}\n`)
    await orca.end()
  }
})

/** Replaces what differs from run to run. */
function lasting(line: string, host: string): string {
  return line.replaceAll(host, 'HOST').replace(/\b(?:localhost|127\.0\.0\.1):\d+/g, 'HOST')
}
