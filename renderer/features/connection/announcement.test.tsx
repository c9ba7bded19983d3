import { act, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { ConnectionState } from '../../../contract/connection'
import { openWindow, signedIn } from '../../fake-bridge.testing'

const target = { instanceId: signedIn.id, profileId: 'internet' }
const status = (): string => screen.getByRole('status').textContent

function pass(milliseconds: number): void {
  act(() => {
    vi.advanceTimersByTime(milliseconds)
  })
}

const inPhase = (phase: 'starting' | 'resolving'): ConnectionState => ({ state: 'connecting', target, phase })

it('tells of a phase that comes again after two seconds in it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { change } = await openWindow({ instances: [signedIn] })
  change({ connection: inPhase('starting') })
  pass(1000)
  change({ connection: inPhase('resolving') })
  pass(500)
  change({ connection: inPhase('starting') })
  pass(1999)
  expect(status()).toBe('ConnectingConnecting.')
  pass(1)
  expect(status()).toContain('Starting')
})

it('tells at once what there is to do before the first connection', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { change } = await openWindow({ instances: [signedIn] })
  change({
    connection: {
      state: 'reconnecting',
      target,
      reason: 'captive-portal',
      attempt: 1,
      routes: 'gone',
      notYetConnected: true,
    },
  })
  expect(status()).toContain('requires you to sign in first')
})
