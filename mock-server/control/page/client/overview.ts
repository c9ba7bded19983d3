import type { Summary } from '../../summary'
import { say } from './control'
import { byId, element } from './dom'

function copyButton(name: string, text: string): HTMLButtonElement {
  return element(
    'button',
    {
      class: 'small',
      'aria-label': `Copy the address of ${name}`,
      onclick: () => {
        navigator.clipboard.writeText(text).then(
          () => {
            say(`Copied ${text}`)
          },
          () => {
            say('The browser does not let this page copy.', true)
          },
        )
      },
    },
    'Copy',
  )
}

function optionText([name, value]: [string, unknown]): string {
  return value === true ? name : `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`
}

/** What runs: the addresses, the tunnel and the options. */
export function showOverview({ origin, tunnel, profiles, options }: Summary): void {
  const addresses: [string, string][] = [
    ['VPN instance', `${origin}/`],
    ['Attachments', `${origin}/v2.0.0`],
    ['Content', `${origin}/2.3`],
    ['Organizations', `${origin}/api`],
  ]
  const given = Object.entries(options).filter(([, value]) => value !== false)
  const facts: [string, string][] = [
    ['Tunnel', tunnel.mode],
    ['Profiles', profiles.length === 0 ? 'none' : profiles.slice(0, 20).join(', ')],
    ['Options', given.map(optionText).join(' · ')],
  ]
  byId('runs', HTMLDListElement).replaceChildren(
    ...addresses.flatMap(([name, address]) => [
      element('dt', {}, name),
      element('dd', {}, element('span', { class: 'mono' }, address), copyButton(name, address)),
    ]),
    ...facts.flatMap(([name, fact]) => [
      element('dt', {}, name),
      element('dd', {}, element('span', {}, fact)),
    ]),
  )
}
