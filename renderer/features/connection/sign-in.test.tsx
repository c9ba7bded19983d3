import { act, screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { CommandName } from '../../../contract/commands'
import type { InstanceSlice } from '../../../contract/state'
import { openWindow, signedIn } from '../../fake-bridge.testing'

const target = { instanceId: signedIn.id, profileId: 'internet' }
const other: InstanceSlice = { ...signedIn, id: 'vpn.example.com' }
const now = Date.parse('2026-11-20T12:00:00Z')

function waiting(until?: number, instance = signedIn): InstanceSlice {
  return { ...instance, login: 'waiting-for-browser', browser: until === undefined ? undefined : { until } }
}

const stage = (): HTMLElement => screen.getByRole('region', { name: 'Connection' })
const button = (name: string): HTMLElement => within(stage()).getByRole('button', { name })
const buttons = (): readonly string[] =>
  within(stage())
    .getAllByRole('button')
    .map(({ textContent }) => textContent)

it('gives the focus to the next step when a sign-in begins to wait, unless it is somewhere else', async () => {
  const { change } = await openWindow({ instances: [signedIn] })
  expect(document.activeElement, 'nothing waits').toBe(document.body)
  const focus = vi.spyOn(HTMLElement.prototype, 'focus')
  const search = screen.getByRole('searchbox')
  search.focus()
  change({ instances: [waiting()] })
  expect(document.activeElement).toBe(search)
  change({ instances: [signedIn] })
  expect(document.activeElement, 'when it is over').toBe(search)
  search.blur()
  change({ instances: [waiting()] })
  expect(document.activeElement).toBe(button('Cancel'))
  expect(focus).toHaveBeenLastCalledWith({ preventScroll: true })
})

it('gives the focus of a heading to the next step when a sign-in is over, not when it begins', async () => {
  const { change } = await openWindow({ instances: [signedIn] })
  const heading = screen.getByRole('heading', { level: 1 })
  heading.tabIndex = -1
  heading.focus()
  change({ instances: [waiting()] })
  expect(document.activeElement).toBe(heading)
  change({ instances: [signedIn] })
  expect(document.activeElement).toBe(button('Connect: Internet access'))
})

it('says Back instead of Cancel beside the first sign-in alone, and goes back', async () => {
  const values: Partial<Record<CommandName, object>> = {
    readPlace: { kind: 'address', hosts: [] },
    addInstance: { instanceId: signedIn.id },
  }
  const never = new Promise(() => undefined)
  const { user, change, ran } = await openWindow({}, (name) =>
    name === 'logIn' || name === 'removeInstance' ? never : { ok: true, value: values[name] },
  )
  await user.keyboard('127.0.0.1:5006{Enter}')
  change({ instances: [waiting(Date.now() + 300_000)] })
  expect(buttons()).toEqual(['Back', 'Open browser again', 'Copy link'])
  expect(button('Back')).toHaveProperty('disabled', false)
  button('Back').focus()
  await user.keyboard('{Enter}')
  expect(ran.at(-1)).toEqual({ name: 'removeInstance', input: { instanceId: signedIn.id } })
  expect(button('Back'), 'until it is removed').toHaveProperty('disabled', true)
})

it('says Cancel beside another sign-in, and cancels it', async () => {
  const { user, ran, change } = await openWindow({ instances: [waiting(Date.now() + 300_000)] })
  const filled = () =>
    Array.from(stage().querySelectorAll('[data-variant=filled]'), (each) => each.textContent)
  expect(buttons()).toEqual(['Cancel', 'Open browser again', 'Copy link'])
  expect(filled()).toEqual(['Open browser again'])
  await user.click(button('Cancel'))
  expect(ran).toEqual([{ name: 'cancelLogIn', input: { instanceId: signedIn.id } }])
  change({
    instances: [waiting(), other],
    connection: { state: 'preparing', target: { ...target, instanceId: other.id } },
  })
  expect(buttons()).toEqual(['Cancel', 'Disconnect'])
  expect(filled(), 'to end a connection is not the next step').toEqual([])
})

it('counts down how long the browser is waited for', async () => {
  vi.useFakeTimers({ now, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const pass = (milliseconds: number): void => {
    act(() => {
      vi.advanceTimersByTime(milliseconds)
    })
  }
  const { change } = await openWindow({ instances: [waiting(now + 61_000)] })
  const left = (): string | undefined => / ([\d:]+) left/.exec(stage().textContent)?.[1]
  expect(left()).toBe('1:01')
  pass(1000)
  expect(left()).toBe('1:00')
  pass(999)
  expect(left()).toBe('1:00')
  pass(1)
  expect(left()).toBe('0:59')
  change({ killSwitch: { here: 'available', blocks: true } })
  expect(left(), 'not beside blocked traffic').toBeUndefined()
  change({ killSwitch: { here: 'available', blocks: false }, instances: [waiting()] })
  expect(left(), 'before the browser is opened').toBeUndefined()
})

it('hides an earlier failure while the browser is waited for', async () => {
  const failed = { state: 'failed', target, error: { code: 'vpn-api/server-error', message: '' } } as const
  const { change } = await openWindow({ instances: [waiting(now)], connection: failed })
  const what = 'The service has an internal error.'
  expect(stage().textContent).not.toContain(what)
  expect(stage().textContent).toContain('Sign in and approve Causeway there.')
  change({ instances: [signedIn] })
  expect(stage().textContent).toContain(what)
})

it('is about the service that waits, with the profile of the same service alone', async () => {
  const { change } = await openWindow({
    instances: [waiting(now), other],
    connection: { state: 'disconnected', target },
  })
  const subject = (): string | null | undefined => stage().querySelector('p bdi')?.parentElement?.textContent
  const leadsTo = (): string => Array.from(stage().querySelectorAll('text')).at(-4)?.textContent ?? ''
  expect(subject()).toBe('Internet access · vpn.example.org')
  change({ instances: [signedIn, waiting(now, other)] })
  expect([subject(), leadsTo()]).toEqual(['vpn.example.com', 'vpn.example.com'])
  change({ connection: { state: 'preparing', target } })
  expect([subject(), leadsTo()]).toEqual(['vpn.example.com', 'vpn.example.org'])
  change({ connection: { state: 'authorizing', target } })
  expect(leadsTo(), 'which waits for a person, too').toBe('vpn.example.com')
  change({ connection: { state: 'disconnected', target }, killSwitch: { here: 'available', blocks: true } })
  expect(leadsTo(), 'with a barrier and no tunnel').toBe('vpn.example.com')
})
