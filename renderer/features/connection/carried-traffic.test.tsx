import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openWindow, signedIn } from '../../fake-bridge.testing'
import { buttons, connected, header, opened, press, region, statusText, target, tone } from './stage.testing'

describe('the name of a listed organization', () => {
  const listing = { name: 'Example University', supportContacts: [] }
  const instances = [{ ...signedIn, listing }]

  it('is in the header instead of the host', async () => {
    await openWindow({ instances, connection: connected })
    expect(region().textContent).toContain('Example University')
    expect(header().queryByText(signedIn.id)).toBeNull()
  })

  it('is in the sentences about the connection', async () => {
    await openWindow({ instances, connection: { state: 'discovering', target } })
    expect(header().getByText(/^Looking up Example University/)).toBeTruthy()
  })
})

it.each<[object, RegExp]>([
  [{ allIpv4: true }, /Only IPv4 traffic is protected/],
  [{ outside: ['203.0.113.0/24'] }, /Most of your traffic is protected/],
  [{ routesUnknown: true }, /can't tell from this computer's routes/],
  [{ routes: [] }, /None of your traffic is protected/],
])('says in amber what leaves outside the tunnel: %j', async (carried, sentence) => {
  await openWindow({
    ...opened,
    instances: [signedIn],
    connection: { ...connected, allTraffic: false, ...carried },
  })
  expect(statusText()).toMatch(sentence)
  expect(tone()).toBe('limited')
  expect(screen.queryByText('203.0.113.0/24') !== null).toBe('outside' in carried)
})

it('offers another server and TCP where nothing passes', async () => {
  const stalled = { ...connected, passing: false } as const
  const { user, change, ran } = await openWindow({ instances: [signedIn], connection: stalled })
  expect(header().getByText('No traffic gets through')).toBeTruthy()
  expect(statusText()).toBe(
    'No traffic gets throughNo traffic gets through. The server accepted the connection, but sends nothing back.',
  )
  expect(region().textContent).not.toContain('Connected')
  expect(document.title).toContain('No traffic gets through')
  expect(tone()).toBe('limited')
  await user.click(screen.getByRole('button', { name: 'Try another server' }))
  await user.click(header().getByRole('button', { name: 'More' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Try TCP' }))
  expect(ran.map(({ name, input }) => [name, input])).toEqual(
    expect.arrayContaining([
      ['retryNow', undefined],
      ['connect', { ...target, preferTcp: true }],
    ]),
  )
  change({ connection: { ...stalled, remote: { ...stalled.remote, protocol: 'tcp' } } })
  expect(header().queryByRole('button', { name: 'More' })).toBeNull()
  change({ connection: connected })
  expect(screen.queryByRole('button', { name: 'Try another server' })).toBeNull()
})

it.each<[object, string[]]>([
  [{}, ['Disconnect', 'Reconnect', 'More']],
  [{ routes: [] }, ['Disconnect', 'Reconnect', 'More']],
  [{ routesUnknown: true }, ['Disconnect', 'Check this computer', 'More']],
])('offers what may help where the profile promises more than it carries: %j', async (carried, expected) => {
  const connection = { ...connected, allTraffic: false, ...carried } as const
  const { user, ran, change } = await openWindow({ instances: [signedIn], connection })
  expect(tone()).toBe('limited')
  expect(buttons()).toEqual(expected)
  const filled = [...document.querySelectorAll('main [data-variant=filled]')]
  expect(filled.map(({ textContent }) => textContent)).toEqual([expected[1]])
  await press(user, header().getByRole('button', { name: String(expected[1]) }))
  if (expected[1] === 'Reconnect') expect(ran.at(-1)).toEqual({ name: 'connect', input: target })
  else expect(window.location.hash).toBe('#doctor')
  change({ connection: connected })
  expect(screen.queryByRole('button', { name: 'Reconnect' })).toBeNull()
})

it.each([
  ['kept', 'Your traffic waits until then.'],
  ['gone', "Until then, your traffic isn't protected."],
] as const)('says while reconnecting that the routes are %s', async (routes, sentence) => {
  const lost = { state: 'reconnecting', target, reason: 'ping-restart', attempt: 1, routes } as const
  const { change } = await openWindow({ instances: [signedIn], connection: lost })
  expect(statusText()).toContain(sentence)
  change({ connection: { ...lost, notYetConnected: true } })
  expect(region().textContent).not.toContain(sentence)
})
