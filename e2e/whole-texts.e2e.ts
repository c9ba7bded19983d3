import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sendState, setWidth, type RunningApp, type Slices, drawn } from './causeway-app'
import { connectionStates } from './connection-states'
import { expect, test } from './fixtures'
import { isNightly } from '../scripts/nightly-tests'

/**
 * What the stage says can be read: in every state, every language and both widths. A person who trusts "Connected" because the
 * rest of the sentence was cut off is not protected.
 */

const locales = join(import.meta.dirname, '..', 'contract/locales')
const widths = [880, 400] as const
/** The lines that a sentence may take. */
const maxLines = { 880: 2, 400: 3 } as const

/** Values of the sentences of errors, as long as those of real services. */
const details = {
  host: 'vpn.example.edu',
  instance: 'vpn.example.edu',
  service: 'vpn.example.edu',
  address: '192.0.2.7',
  status: 503,
}

/** Runs in the page. Returns what can't be read of the stage, and the lines that its sentence takes. */
const look = `(() => {
  const stage = document.querySelector('main section[data-tone]')
  const found = []
  const outside = (text, box, name) => {
    const range = document.createRange()
    range.selectNodeContents(text)
    for (const { left, right, top, bottom } of range.getClientRects())
      if (left < box.left - 1 || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1)
        return found.push(name + ': ' + text.textContent)
  }
  const word = stage.querySelector('[class*=word]')
  if (word.scrollWidth > word.clientWidth + 1 || word.scrollHeight > word.clientHeight + 1) found.push('headline: ' + word.textContent)
  const line = stage.querySelector('[class*=line][data-tone]')
  const box = line.getBoundingClientRect()
  outside(line.firstElementChild, box, 'sentence')
  // What follows it is seen whole, or not at all.
  for (const spare of line.querySelectorAll('[data-spare]')) {
    const its = spare.getBoundingClientRect()
    if (its.left < box.right - 1 && its.right > box.left + 1) outside(spare, box, 'what follows')
  }
  for (const button of stage.querySelectorAll('button')) {
    if (button.closest('[class*=subject]')) continue
    const label = button.querySelector('.mantine-Button-label')
    if (label && (label.scrollWidth > label.clientWidth + 1 || label.scrollHeight > button.clientHeight + 1)) found.push('button: ' + label.textContent)
    const its = button.getBoundingClientRect()
    if (its.left < 0 || its.right > innerWidth || its.bottom > stage.getBoundingClientRect().bottom) found.push('button outside: ' + button.textContent)
  }
  if (stage.scrollHeight > stage.clientHeight) found.push('the stage is ' + stage.scrollHeight + ' of ' + stage.clientHeight)
  const lineHeight = parseFloat(getComputedStyle(line).lineHeight)
  return { misfits: found, lines: Math.round(line.firstElementChild.getBoundingClientRect().height / lineHeight) }
})()`

/** Sends the states one after another, and returns what can't be read of each. */
async function cutIn(
  { electron }: RunningApp,
  states: Readonly<Record<string, Slices>>,
  maxLines: number,
): Promise<readonly string[]> {
  const seen = await electron.evaluate(
    async ({ BrowserWindow }, { all, script }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      if (contents === undefined) throw new Error('There is no window.')
      const looks: unknown[] = []
      for (const slices of all) {
        contents.send('causeway:state-changed', slices)
        looks.push(await contents.executeJavaScript(script))
      }
      return looks as { readonly misfits: readonly string[]; readonly lines: number }[]
    },
    { all: Object.values(states), script: `${drawn}.then(() => ${look})` },
  )
  return Object.keys(states).flatMap((name, index) => {
    const { misfits = ['nothing was seen'], lines = 0 } = seen[index] ?? {}
    return [
      ...misfits.map((each) => `${name}: ${each}`),
      ...(lines > 0 && lines <= maxLines ? [] : [`${name}: ${lines} lines`]),
    ]
  })
}

async function inEveryLanguage(
  app: RunningApp,
  states: (language: string) => Readonly<Record<string, Slices>> | Promise<Readonly<Record<string, Slices>>>,
): Promise<readonly string[]> {
  const { page } = app.window
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const names = (await readdir(locales, { withFileTypes: true })).filter((each) => each.isDirectory())
  expect(names).toHaveLength(12)
  const cut: string[] = []
  for (const width of widths) {
    await setWidth(app, width)
    for (const { name: language } of names) {
      await page.evaluate(`causeway.run('setSetting', { name: 'language', value: '${language}' })`)
      await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe(language)
      const found = await cutIn(app, await states(language), maxLines[width])
      cut.push(...found.map((each) => `${language}, ${width}, ${each}`))
    }
  }
  return cut
}

test('nothing that the stage says is cut off, in any state and language', async ({ launch }) => {
  test.setTimeout(600_000)
  expect(await inEveryLanguage(await launch({ language: 'system' }), connectionStates)).toEqual([])
})

test('nothing of the first sign-in is cut off, in any language', async ({ launch, mock }) => {
  test.setTimeout(600_000)
  const app = await launch({ language: 'system' })
  const { window } = app
  await window.continueWith(mock.instance)
  await expect(window.page.getByRole('button', { name: 'Copy link' })).toBeVisible()
  const { instances } = await window.page.evaluate<Slices>('causeway.state()')
  expect(await inEveryLanguage(app, () => ({ 'the first sign-in': { instances } }))).toEqual([])
})

/** The codes of errors whose texts are the longest in a language: as many as are looked at. */
async function longestErrors(language: string): Promise<readonly string[]> {
  const errors = JSON.parse(await readFile(join(locales, language, 'errors.json'), 'utf8')) as object
  const lengths = Object.entries(errors).map(([code, text]) => [code, JSON.stringify(text).length] as const)
  expect(lengths.length).toBeGreaterThan(100)
  const longest = lengths.sort(([, first], [, second]) => second - first).map(([code]) => code)
  return isNightly ? longest : longest.slice(0, 30)
}

test('no error is cut off, in any language', async ({ launch }) => {
  test.setTimeout(600_000)
  const cut = await inEveryLanguage(await launch({ language: 'system' }), async (language) => {
    const { failed } = connectionStates(language)
    const codes = await longestErrors(language)
    return Object.fromEntries(
      codes.map((code) => {
        const connection = { ...(failed?.connection as object), error: { code, message: '', details } }
        return [code, { ...failed, connection }]
      }),
    )
  })
  expect(cut).toEqual([])
})

test('the other views say in words that a connection carries less than it should', async ({ app }) => {
  const { page } = app.window
  const strip = page.getByRole('navigation').getByRole('status')
  for (const [name, words] of [
    ['less than promised', 'Connected, not all traffic'],
    ['nothing comes back', 'No traffic gets through'],
    ['names outside', 'Connected, DNS outside'],
    ['no routes', 'Connected, not in use'],
    ['all traffic', 'Connected'],
  ] as const) {
    await sendState(app.electron, { ...connectionStates()[name] })
    await page.evaluate("location.hash = '#settings'")
    await expect(strip.getByText(words, { exact: true })).toBeVisible()
    await expect(
      page.getByRole('link', { name: new RegExp(`^${words} Internet|^${words} Office`) }),
    ).toBeVisible()
  }
})
