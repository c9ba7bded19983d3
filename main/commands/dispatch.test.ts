import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { commands } from '../../contract/commands'
import { cases } from '../../scripts/fuzzing'
import { CausewayError } from '../errors'
import { anyCall, commandNames } from './any-call.testing'
import type { CommandHandlers } from './dispatch'
import { createDispatch } from './dispatch'

/** Returns handlers that resolve with undefined, except the given ones. */
function handlers(given: Partial<CommandHandlers> = {}): CommandHandlers {
  const done = Object.fromEntries(Object.keys(commands).map((name) => [name, () => Promise.resolve()]))
  return {
    ...(done as unknown as CommandHandlers),
    addInstance: ({ address }) => Promise.resolve({ instanceId: address }),
    ...given,
  }
}

const noDefect = (error: unknown): void => {
  throw error
}

describe('createDispatch', () => {
  it('runs a command and returns its answer', async () => {
    const dispatch = createDispatch(handlers(), noDefect)
    expect(await dispatch('addInstance', { address: 'vpn.example.org' })).toEqual({
      ok: true,
      value: { instanceId: 'vpn.example.org' },
    })
    expect(await dispatch('disconnect', undefined)).toEqual({ ok: true, value: undefined })
  })

  it.each([
    ['an unknown name', 'openShell', {}],
    ['the name of an inherited property', 'constructor', {}],
    ['a name that is not a string', { toString: (): string => 'disconnect' }, undefined],
    ['an input of another type', 'addInstance', { address: 7 }],
    ['a missing input', 'logIn', undefined],
    ['an input that is too long', 'addInstance', { address: 'a'.repeat(5000) }],
    ['an unexpected input', 'disconnect', { force: true }],
  ])('refuses %s without running anything', async (_what, name, input) => {
    const run = vi.fn(() => Promise.reject(new Error('was run')))
    const dispatch = createDispatch(handlers({ addInstance: run, logIn: run, disconnect: run }), noDefect)
    expect(await dispatch(name, input)).toMatchObject({
      ok: false,
      error: { code: 'usage/invalid-argument' },
    })
    expect(run).not.toHaveBeenCalled()
  })

  it('reads or refuses any input of each command', async () => {
    const run = new Set<string>()
    const noted = Object.keys(commands).map((name) => [
      name,
      () => {
        run.add(name)
        return Promise.resolve()
      },
    ])
    const dispatch = createDispatch(Object.fromEntries(noted) as CommandHandlers, noDefect)
    const refused = {
      ok: false,
      error: expect.objectContaining({ code: 'usage/invalid-argument' }) as unknown,
    }
    const calls = anyCall(commandNames, ['vpn.example.org', 'internet', 'https://vpn.example.org/'])
    await fc.assert(
      fc.asyncProperty(calls, async ([name, input]) => {
        const answer = await dispatch(name, input)
        if (!answer.ok) expect(answer).toEqual(refused)
      }),
      cases('the input of each command of the window'),
    )
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(run.size).toBeGreaterThan(commandNames.length / 4)
  })

  it('returns a CausewayError with its code and details', async () => {
    const error = new CausewayError('vpn-api/refused', {
      details: { host: 'vpn.example.org', error: 'quota' },
    })
    const dispatch = createDispatch(handlers({ logIn: () => Promise.reject(error) }), noDefect)
    expect(await dispatch('logIn', { instanceId: 'a' })).toEqual({
      ok: false,
      error: {
        code: 'vpn-api/refused',
        message: error.message,
        details: { host: 'vpn.example.org', error: 'quota' },
      },
    })
  })

  it('returns nothing of a defect but internal/unexpected', async () => {
    const seen: unknown[] = []
    const defect = new TypeError('token abc123 is not a function')
    const dispatch = createDispatch(handlers({ logIn: () => Promise.reject(defect) }), (error) =>
      seen.push(error),
    )
    const result = await dispatch('logIn', { instanceId: 'a' })
    expect(result).toMatchObject({ ok: false, error: { code: 'internal/unexpected' } })
    expect(JSON.stringify(result)).not.toContain('abc123')
    expect(seen).toEqual([defect])
  })
})
