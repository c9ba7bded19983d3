import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { version } from '../../../package.json'
import { openWindow, visitSection } from '../../fake-bridge.testing'

async function showAbout(value: object): Promise<void> {
  const { user, ran } = await openWindow({}, (name) =>
    name === 'readLicenses' ? { ok: true, value } : { ok: true },
  )
  await visitSection(user, 'About')
  expect(await screen.findByText(`Causeway ${version}`)).toBeTruthy()
  expect(ran.map(({ name }) => name)).not.toContain('readLicenses')
  await user.click(screen.getByRole('button', { name: 'Show licenses' }))
}

it('reads the licences only on request, and shows them as text that the keyboard can scroll', async () => {
  await showAbout({ text: 'zod 4 (MIT)\n\n<b>Permission</b> is hereby granted' })
  const licenses = await screen.findByRole('region', { name: 'Licenses' })
  expect(licenses.textContent).toContain('<b>Permission</b> is hereby granted')
  expect(document.activeElement).toBe(licenses)
})

it('says where they are for a Causeway that runs from its sources', async () => {
  await showAbout({})
  expect(await screen.findByText(/^This copy of Causeway runs from source code/)).toBeTruthy()
})
