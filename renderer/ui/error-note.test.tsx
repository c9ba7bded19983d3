import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { CommandName } from '../../contract/commands'
import type { ConnectionState } from '../../contract/connection'
import { emptyState } from '../empty-state.testing'
import { openWindow, signedIn, type Opened } from '../fake-bridge.testing'

const failed: ConnectionState = {
  state: 'failed',
  target: { instanceId: signedIn.id, profileId: 'office' },
  error: { code: 'http/unreachable', message: '' },
}

const opened = { settings: { ...emptyState.settings, connectionDetails: true } }

const open = (answer?: (name: CommandName) => unknown): Promise<Opened> =>
  openWindow({ ...opened, instances: [signedIn], connection: failed }, answer)

describe('an error', () => {
  it('copies the support report beside its code without being announced again', async () => {
    const { user, ran } = await open()
    const alert = screen.getByRole('alert')
    const more = screen.getByText('More', { selector: 'summary' }).closest('details')
    expect(more?.textContent).toContain('Code: http/unreachable')
    if (more === null) throw new Error('The error has no More.')
    await user.click(within(more).getByRole('button', { name: 'Copy for help desk' }))
    expect(ran.map(({ name }) => name)).toContain('copySupportReport')
    expect((await screen.findByText('Copied')).getAttribute('aria-live')).toBe('polite')
    expect(alert.textContent).not.toContain('Copied')
  })

  it("shows OpenVPN's line under More, and the line of the profile", async () => {
    const reason = 'Options error: something new'
    const error = { code: 'openvpn/configuration-refused', message: '', details: { reason } } as const
    await openWindow({ ...opened, instances: [signedIn], connection: { ...failed, error } })
    const more = screen.getByText('More', { selector: 'summary' }).closest('details')
    expect(more?.textContent).toContain(`OpenVPN: ${reason}`)
  })

  it('names the line of a profile', async () => {
    const details = { directive: 'comp-lzo', line: 7 }
    const error = {
      code: 'profile-configuration/forbidden-directive',
      variant: 'compression',
      message: '',
      details,
    } as const
    await openWindow({ ...opened, instances: [signedIn], connection: { ...failed, error } })
    const { textContent } = screen.getByRole('alert')
    expect(textContent).toContain('The profile compresses traffic ("comp-lzo" on line 7)')
    expect(textContent).toContain('Line of the profile: 7')
  })

  it('names the API versions of a portal that offers only others', async () => {
    const error = { code: 'discovery/unsupported-version', message: '', details: { versions: [3] } } as const
    await openWindow({ ...opened, instances: [signedIn], connection: { ...failed, error } })
    expect(screen.getByRole('alert').textContent).toContain('API versions offered: 3')
  })

  it('names the authority of an untrusted certificate', async () => {
    const error = { code: 'http/tls-failed', message: '', details: { issuer: 'Stranger Root' } } as const
    await openWindow({ ...opened, instances: [signedIn], connection: { ...failed, error } })
    expect(screen.getByRole('alert').textContent).toContain('issued by "Stranger Root"')
  })

  it.each([
    ['organizations/refused', 429, 120, 'The service is busy.Try again in 2 minutes.'],
    ['attachments/refused', 429, 1, 'The service is busy.Try again in 1 second.'],
    ['content/unavailable', 503, 86_400, 'The service is down for maintenance.Try again in 24 hours.'],
    ['service/busy', 429, undefined, 'The service is busy.Try again later.'],
    [
      'vpn-api/server-error',
      500,
      2_300_894_574,
      'The service has an internal error (status 500).Try again later.',
    ],
    ['organizations/refused', 400, 120, 'The organization service refused the request.Try again later'],
  ] as const)(
    'says when to try again: %s with status %i and Retry-After %j',
    async (code, status, wait, text) => {
      const details = { status, retryAfterSeconds: wait }
      await openWindow({
        ...opened,
        instances: [signedIn],
        connection: { ...failed, error: { code, message: '', details } },
      })
      expect(screen.getByRole('alert').textContent).toContain(text)
    },
  )

  it("says so when the report can't be copied", async () => {
    const { user } = await open((name) =>
      name === 'copySupportReport'
        ? { ok: false, error: { code: 'data/unreadable', message: '' } }
        : { ok: true },
    )
    const [button] = screen.getAllByRole('button', { name: 'Copy for help desk' })
    if (button === undefined) throw new Error('The report cannot be copied.')
    await user.click(button)
    expect(await screen.findByText("Causeway couldn't read one of its files.")).toBeTruthy()
    expect(screen.queryByText('Copied')).toBeNull()
  })
})
