import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { CommandName } from '../../../contract/commands'
import type { FindingItem } from '../../../contract/doctor'
import { openWindow, type Opened, visitSection } from '../../fake-bridge.testing'

const findings: readonly FindingItem[] = [
  {
    name: 'openvpn',
    status: 'ok',
    code: 'openvpn-found',
    facts: { version: '2.6.14', path: '/usr/sbin/openvpn' },
  },
  { name: 'helper', status: 'limited', code: 'helper-missing', command: 'causeway helper install' },
  { name: 'key-store', status: 'missing', code: 'key-store-unusable', error: 'secret-store/locked' },
]

async function openDoctor(answer: (name: CommandName) => unknown): Promise<Opened> {
  const opened = await openWindow({}, answer)
  await visitSection(opened.user, 'Support')
  await opened.user.click(await screen.findByRole('link', { name: 'Check this computer' }))
  return opened
}

const answersFindings = (value: readonly FindingItem[]) => (name: CommandName) =>
  name === 'runDoctor' ? { ok: true, value } : { ok: true }

describe('the doctor', () => {
  it('lists each finding with its state, worst first, and what to do', async () => {
    const { user, ran } = await openDoctor(answersFindings(findings))
    expect(await screen.findByRole('heading', { name: 'Check this computer', level: 1 })).toBeTruthy()
    const summary = await screen.findByText('Something that Causeway needs is missing.')
    expect(summary.role).toBe('status')
    const [keyStore, helper, openvpn] = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(keyStore).toMatch(
      /^Key store MissingThis computer's key store is locked.*Unlock it, then try again/,
    )
    expect(helper).toMatch(/^Helper Limited.*Install the helper\.Run in a terminal: causeway helper install/)
    expect(openvpn).toBe('OpenVPN OKOpenVPN 2.6.14 at /usr/sbin/openvpn.')
    await user.click(screen.getByRole('button', { name: 'Copy causeway helper install' }))
    expect(ran.at(-1)).toEqual({ name: 'copyText', input: { text: 'causeway helper install' } })
    expect(await screen.findByText('Copied')).toBeTruthy()
  })

  it('opens the page that helps, and shows an error if no browser opens', async () => {
    let works = true
    const { user, ran } = await openDoctor((name) => {
      if (name === 'openHelpPage' && !works)
        return { ok: false, error: { code: 'internal/unexpected', message: '' } }
      return answersFindings([
        {
          name: 'openvpn',
          status: 'missing',
          code: 'openvpn-unusable',
          error: 'openvpn/not-found',
          page: 'openvpn-download',
        },
      ])(name)
    })
    const button = await screen.findByRole('button', { name: 'Download OpenVPN' })
    await user.click(button)
    expect(ran.at(-1)).toEqual({ name: 'openHelpPage', input: { page: 'openvpn-download' } })
    expect(screen.queryByRole('alert')).toBeNull()
    works = false
    await user.click(button)
    expect((await screen.findByRole('alert')).parentElement?.textContent).toContain('internal/unexpected')
  })

  it('checks again when asked, and links back to the settings', async () => {
    const { user, ran } = await openDoctor(answersFindings(findings.slice(0, 1)))
    expect(await screen.findByText('This computer has everything that Causeway needs.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Check again' }))
    expect(ran.filter(({ name }) => name === 'runDoctor')).toHaveLength(2)
    await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Settings' }))
    expect(await screen.findByRole('heading', { name: 'Settings', level: 1 })).toBeTruthy()
  })

  it("shows an error when it can't check", async () => {
    await openDoctor(() => ({ ok: false, error: { code: 'internal/unexpected', message: '' } }))
    expect((await screen.findByRole('alert')).parentElement?.textContent).toContain('internal/unexpected')
    expect(screen.getByRole('button', { name: 'Check again' })).toHaveProperty('disabled', false)
  })
})
