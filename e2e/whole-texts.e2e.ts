import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { lookInEachState, setWidth, type RunningApp, type Slices } from './causeway-app'
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

interface Looked {
  readonly misfits: readonly string[]
  readonly lines: number
}

/** Returns what can't be read of the stage in these states. */
async function cutIn(
  app: RunningApp,
  states: Readonly<Record<string, Slices>>,
  maxLines: number,
): Promise<readonly string[]> {
  const seen = await lookInEachState<Looked>(app, states, look)
  return seen.flatMap(([name, { misfits, lines }]) => [
    ...misfits.map((each) => `${name}: ${each}`),
    ...(lines > 0 && lines <= maxLines ? [] : [`${name}: ${lines} lines`]),
  ])
}

const errorTexts = z.record(z.string(), z.object({ what: z.string() }))

/**
 * The languages in which every state is shown: those with the longest sentences, and one that is written from right to left. At
 * night all.
 */
const inEveryState = (language: string): boolean => isNightly || ['ar', 'de', 'fr'].includes(language)

/** Returns the codes of the errors with the longest sentences in a language; at night all. */
async function longestErrors(language: string): Promise<readonly string[]> {
  const texts = errorTexts.parse(JSON.parse(await readFile(join(locales, language, 'errors.json'), 'utf8')))
  const codes = Object.entries(texts).sort(([, one], [, other]) => other.what.length - one.what.length)
  expect(codes.length).toBeGreaterThan(100)
  return (isNightly ? codes : codes.slice(0, 6)).map(([code]) => code)
}

/** Returns a failed connection for each of the longest errors. */
async function failures(language: string): Promise<Readonly<Record<string, Slices>>> {
  const { failed } = connectionStates(language)
  const codes = await longestErrors(language)
  return Object.fromEntries(
    codes.map((code) => {
      const connection = { ...(failed?.connection as object), error: { code, message: '', details } }
      return [code, { ...failed, connection }]
    }),
  )
}

/** Returns what is cut off in these states, in every language and both widths. */
async function inEveryLanguage(
  app: RunningApp,
  states: (language: string) => Readonly<Record<string, Slices>> | Promise<Readonly<Record<string, Slices>>>,
): Promise<readonly string[]> {
  const { page } = app.window
  await page.emulateMedia({ reducedMotion: 'reduce' })
  // Texts have their places without being painted, which would take a third of the time.
  await page.evaluate("document.documentElement.style.visibility = 'hidden'")
  const names = (await readdir(locales, { withFileTypes: true })).filter((each) => each.isDirectory())
  expect(names).toHaveLength(12)
  const cut: string[] = []
  for (const width of widths) {
    await setWidth(app, width)
    for (const { name: language } of names) {
      await page.evaluate(`causeway.run('setSetting', { name: 'language', value: '${language}' })`)
      await expect
        .poll(() => page.evaluate('document.documentElement.lang'), { intervals: [20] })
        .toBe(language)
      const found = await cutIn(app, await states(language), maxLines[width])
      cut.push(...found.map((each) => `${language}, ${width}, ${each}`))
    }
  }
  return cut
}

test('nothing that the stage says is cut off, in any language', async ({ launch, mock }) => {
  test.setTimeout(600_000)
  const app = await launch({ language: 'system' })
  const { window } = app

  await test.step('of the first sign-in', async () => {
    await window.continueWith(mock.instance)
    await expect(window.page.getByRole('button', { name: 'Copy link' })).toBeVisible()
    const { instances } = await window.page.evaluate<Slices>('causeway.state()')
    expect(await inEveryLanguage(app, () => ({ 'the first sign-in': { instances } }))).toEqual([])
  })

  await test.step('in any state, and of the longest errors', async () => {
    await window.page.reload()
    await expect(window.page.getByRole('navigation')).toBeVisible()
    const states = async (language: string) => {
      // More services change the list only.
      const { 'eight services': _, ...all } = connectionStates(language)
      return { ...(inEveryState(language) ? all : {}), ...(await failures(language)) }
    }
    expect(await inEveryLanguage(app, states)).toEqual([])
  })
})
