import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures'

test('copies the support report by one click, without secrets', async ({ app, loggedIn }) => {
  await loggedIn.page.getByRole('link', { name: 'Settings' }).click()
  await loggedIn.page.getByRole('button', { name: 'Copy for support' }).click()
  await expect(loggedIn.page.getByText(/^Copied/)).toBeVisible()
  const report = await app.electron.evaluate(({ clipboard }) => clipboard.readText())
  for (const part of ['Versions', 'electron: ', 'Findings', '"event":"exchange"', '/api/vpn/profile_list']) {
    expect(report).toContain(part)
  }
  expect(report).not.toMatch(/Bearer (?!\[)|BEGIN|access_token"?[:=] ?"?(?!\[)/)
})

test('reports defects of page and main without their messages', async ({ app, window }) => {
  const { page } = window
  await page.evaluate(`
    setTimeout(() => { throw new TypeError('planted words') })
    void Promise.reject(new RangeError('planted words'))`)
  await app.electron.evaluate(() => {
    void Promise.reject(new SyntaxError('planted words'))
  })
  const report = async (): Promise<string> => {
    await page.getByRole('button', { name: 'Copy for support' }).click()
    await expect(page.getByText(/^Copied/)).toBeVisible()
    return app.electron.evaluate(({ clipboard }) => clipboard.readText())
  }
  await window.show('Settings')
  for (const [part, kind] of [
    ['window', 'TypeError'],
    ['window', 'RangeError'],
    ['app', 'SyntaxError'],
  ]) {
    await expect.poll(report).toMatch(new RegExp(`"part":"${part}","event":"defect",.*"kind":"${kind}"`))
  }
  expect(await report()).not.toContain('planted')
})

test('removes tokens of older logs in any encoding', async ({ app, loggedIn, mock, folder }) => {
  let token = ''
  await expect(async () => {
    const sent = (await mock.requests()).map(({ headers }) => String(headers.authorization))
    token = sent.find((header) => header.startsWith('Bearer '))?.slice('Bearer '.length) ?? ''
    expect(token).not.toBe('')
  }).toPass()
  const forms = {
    percent: Array.from(token, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
    escaped: Array.from(token, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join(''),
    html: Array.from(token, (letter) => `&#${letter.charCodeAt(0)};`).join(''),
    capitals: token.toUpperCase(),
    base64: Buffer.from(`Got ${token}.`).toString('base64'),
  }
  const lines = Object.entries(forms).map(([name, said]) => JSON.stringify({ fields: { name, said } }))
  await appendFile(join(folder, 'data', 'logs', 'causeway.log'), `${lines.join('\n')}\n${forms.escaped}\n`)

  await loggedIn.page.getByRole('link', { name: 'Settings' }).click()
  await loggedIn.page.getByRole('button', { name: 'Copy for support' }).click()
  await expect(loggedIn.page.getByText(/^Copied/)).toBeVisible()
  const report = await app.electron.evaluate(({ clipboard }) => clipboard.readText())
  for (const [name, form] of Object.entries(forms)) {
    expect(report).toContain(`"name":"${name}"`)
    expect(report).not.toContain(form.slice(8, -8))
  }
})

test('warns of an early expiry, but offers no renewal right after a login', async ({ loggedIn, mock }) => {
  await mock.control('POST', 'session', { endsInSeconds: 7200 })
  await loggedIn.connect('Internet Access')
  await expect(loggedIn.page.getByText(/^Access ends in (2 h 0|1 h 5\d) min$/)).toBeVisible()
  await expect(loggedIn.page.getByRole('button', { name: 'Renew' })).toHaveCount(0)
})
