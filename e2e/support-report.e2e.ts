import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures'

const { step } = test

test('copies the support report by one click, with defects, but without secrets and messages', async ({
  app,
  loggedIn,
  mock,
  folder,
}) => {
  const { page } = loggedIn
  const clipboard = (): Promise<string> => app.electron.evaluate((electron) => electron.clipboard.readText())
  const report = async (button = 'Copy for help desk'): Promise<string> => {
    await app.electron.evaluate((electron) => {
      electron.clipboard.clear()
    })
    await page.getByRole('button', { name: button }).click()
    await expect.poll(clipboard).not.toBe('')
    return clipboard()
  }
  await expect(loggedIn.profile('Internet Access')).toBeVisible()
  await loggedIn.showSettings('Support')

  await step('contains versions, findings and exchanges, without secrets', async () => {
    const text = await report()
    await expect(page.getByText(/^Copied/)).toBeVisible()
    expect(text).toMatch(/^Causeway shows: Not connected\.\n/)
    for (const part of [
      'Versions',
      'electron: ',
      'Findings',
      '"event":"exchange"',
      '/api/vpn/profile_list',
    ]) {
      expect(text).toContain(part)
    }
    expect(text).not.toMatch(/Bearer (?!\[)|BEGIN|access_token"?[:=] ?"?(?!\[)/)
  })

  await step('reports defects of page and main without their messages', async () => {
    await page.evaluate(`
      setTimeout(() => { throw new TypeError('planted words') })
      void Promise.reject(new RangeError('planted words'))`)
    await app.electron.evaluate(() => {
      void Promise.reject(new SyntaxError('planted words'))
    })
    for (const [part, kind] of [
      ['window', 'TypeError'],
      ['window', 'RangeError'],
      ['app', 'SyntaxError'],
    ]) {
      await expect
        .poll(() => report())
        .toMatch(new RegExp(`"part":"${part}","event":"defect",.*"kind":"${kind}"`))
    }
    expect(await report()).not.toContain('planted')
  })

  await step('removes tokens that something else wrote to the log, in any encoding', async () => {
    const sent = (await mock.requests()).map(({ headers }) => String(headers.authorization))
    const token = sent.find((header) => header.startsWith('Bearer '))?.slice('Bearer '.length) ?? ''
    expect(token).not.toBe('')
    const forms = {
      percent: Array.from(token, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
      escaped: Array.from(token, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join(''),
      html: Array.from(token, (letter) => `&#${letter.charCodeAt(0)};`).join(''),
      capitals: token.toUpperCase(),
      base64: Buffer.from(`Got ${token}.`).toString('base64'),
    }
    const lines = Object.values(forms).map((form) =>
      JSON.stringify({ event: 'notice', fields: { reason: form, [form]: form } }),
    )
    await appendFile(join(folder, 'data', 'logs', 'causeway.log'), `${lines.join('\n')}\n${forms.escaped}\n`)

    const text = await report()
    expect(text).toContain('{"event":"notice","fields":{"reason":"')
    for (const form of Object.values(forms)) expect(text).not.toContain(form.slice(8, -8))
  })

  await step('begins with what failed, where, when and how often, and the code', async () => {
    await mock.fault('/api/vpn/profile_config', { status: 500 })
    await loggedIn.show('Connection')
    await loggedIn.connect('Internet Access')
    await loggedIn.expectWord("Couldn't connect")
    const sentences = (await report('Copy for help desk')).split('\n').slice(0, 5)
    expect(sentences).toEqual([
      expect.stringContaining(mock.host),
      `This is about the profile "Internet Access" of ${mock.host}.`,
      expect.stringMatching(/^It happened once, on .+\.$/),
      'Code: vpn-api/server-error',
      '',
    ])
  })
})
