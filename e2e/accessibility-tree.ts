import { expect } from './fixtures'
import type { CausewayWindow } from './causeway-window'

/** The stops of the tour whose accessibility tree is checked in, in this order. */
const stops = [
  'Connection: first start',
  'Connection: a wrong address',
  'Connection: logged out',
  'Connection: waiting for the browser',
  'Connection: logged in',
  'Connection: failed',
  'Connection: OpenVPN is missing',
  'Connection: reconnecting',
  'Connection: traffic blocked',
  'Connection: adding a service',
  'Connection: connected',
  'Messages',
  'Attachments: list',
  'Attachments: details',
  'Attachments: filter',
  'News: club',
  'News: an entry',
  'Organization: users',
  'Organization: a user',
  'Settings: with those of an instance',
  'Check this computer',
]

/** Leaves out the items of a list. */
function withoutItems(tree: string, list: string): string {
  const lines = tree.split('\n')
  const start = lines.findIndex((line) => line.trim() === `- list "${list}":`) + 1
  const depth = lines[start - 1]?.search(/\S/) ?? 0
  const items = lines.slice(start).findIndex((line) => line.search(/\S/) <= depth)
  return lines.toSpliced(start, items).join('\n')
}

/** Replaces what differs from run to run. */
function lasting(tree: string, host: string): string {
  const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec'
  return (
    tree
      .replaceAll(host, 'HOST')
      .replace(new RegExp(`\\b(?:${months})[a-z]* \\d{1,2}, \\d{4}`, 'g'), 'DATE')
      // After midnight, an hour ago is yesterday.
      .replace(/\b(?:today|yesterday), (?=\d)/g, 'DATE at ')
      .replace(/\b(?:today|yesterday)\b/g, 'DATE')
      .replace(/\b\d{1,2}:\d{2}(?::\d{2})?(?:\s[AP]M)?/g, 'TIME')
      .replace(/\b\d+ h \d+ min|\b\d+ min\b/g, 'TIME LEFT')
      .replace(/\b[\d.,]+ [kM]?B\/s/g, 'RATE')
      .replace(/\b(?:127|10)(?:\.\d+){3}(?::\d+)?/g, 'ADDRESS')
      .replace(/localhost:\d+/g, 'HOST')
      .replace(
        /(Causeway is limited on this computer|This computer has|Something that Causeway needs)[^.]*/,
        'SUMMARY',
      )
      .split('\n')
      // Rates come and go with the second.
      .filter((line) => !line.includes('RATE'))
      .join('\n')
  )
}

/**
 * Expects that a stop's accessibility tree is the checked-in one, if there is one. After a wanted change, run
 * `npx playwright test accessibility --update-snapshots`, then read the difference.
 */
export async function expectSameTree({ page }: CausewayWindow, host: string, stop: string): Promise<void> {
  const number = stops.indexOf(stop) + 1
  if (number === 0) return
  if (stop === 'Connection: waiting for the browser')
    await expect(page.getByRole('button', { name: 'Open browser again' })).toBeVisible()
  // Main reads the end of the session after connecting.
  if (stop === 'Connection: connected') await expect(page.getByText(/Access until|Access ends/)).toBeVisible()
  // The list loads more once it is narrow.
  if (stop === 'News: an entry')
    await expect(page.getByRole('listitem').filter({ hasText: 'Latency, explained' })).toBeAttached()
  const whole = lasting(await page.locator('body').ariaSnapshot(), host)
  // What the computer lacks differs from one to another.
  const tree = stop === 'Check this computer' ? withoutItems(whole, stop) : whole
  const name = `${String(number).padStart(2, '0')}-${stop.replace(/\W+/g, '-').toLowerCase()}.txt`
  expect.soft(`${tree}\n`, stop).toMatchSnapshot(name)
}
