import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openWindow, visitSection } from '../../fake-bridge.testing'

describe('the support report', () => {
  it('is copied by one click, which is confirmed', async () => {
    const { user, ran } = await openWindow()
    await visitSection(user, 'Support')
    expect(screen.queryByText(/^Copied/)).toBeNull()
    await user.click(await screen.findByRole('button', { name: 'Copy for help desk' }))
    expect(ran.filter(({ name }) => name !== 'refreshKillSwitch')).toEqual([
      { name: 'copySupportReport', input: undefined },
    ])
    expect(await screen.findByText(/^Copied/)).toBeTruthy()
  })

  it("isn't reported as copied when copying failed", async () => {
    const error = { code: 'data/unreadable', message: '', details: { path: '~/causeway.log' } } as const
    const { user } = await openWindow({}, () => ({ ok: false, error }))
    await visitSection(user, 'Support')
    await user.click(await screen.findByRole('button', { name: 'Copy for help desk' }))
    expect(screen.getByRole('alert').textContent).toContain('~/causeway.log')
    expect(screen.queryByText(/^Copied/)).toBeNull()
  })
})
