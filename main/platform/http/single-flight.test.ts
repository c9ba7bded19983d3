import { describe, expect, it } from 'vitest'

import { SingleFlight } from './single-flight'

const cancelled = (): Error => new Error('cancelled')

interface Run {
  readonly signal: AbortSignal
  readonly resolve: (value: string) => void
  readonly reject: (error: Error) => void
}

function flightOf(whenAbandoned: 'stop' | 'finish'): { flight: SingleFlight<string>; runs: Run[] } {
  const runs: Run[] = []
  const flight = new SingleFlight<string>(
    (signal) => new Promise((resolve, reject) => runs.push({ signal, resolve, reject })),
    whenAbandoned,
  )
  return { flight, runs }
}

describe('SingleFlight', () => {
  it('runs the work once for concurrent callers, and again afterwards', async () => {
    const { flight, runs } = flightOf('stop')
    const all = Promise.all([1, 2, 3].map(() => flight.join(undefined, cancelled)))
    runs[0]?.resolve('done')
    expect(await all).toEqual(['done', 'done', 'done'])

    const next = flight.join(undefined, cancelled)
    runs[1]?.resolve('again')
    expect(await next).toBe('again')
    expect(runs).toHaveLength(2)
  })

  it('passes a failure to all callers, and does not keep it', async () => {
    const { flight, runs } = flightOf('finish')
    const both = [flight.join(undefined, cancelled), flight.join(undefined, cancelled)]
    runs[0]?.reject(new Error('no'))
    for (const one of both) await expect(one).rejects.toThrow('no')
    const next = flight.join(undefined, cancelled)
    runs[1]?.resolve('yes')
    expect(await next).toBe('yes')
  })

  it('continues for the others when one caller aborts', async () => {
    const { flight, runs } = flightOf('stop')
    const giveUp = new AbortController()
    const first = flight.join(giveUp.signal, cancelled)
    const second = flight.join(undefined, cancelled)
    giveUp.abort()
    await expect(first).rejects.toThrow('cancelled')
    expect(runs[0]?.signal.aborted).toBe(false)
    runs[0]?.resolve('done')
    expect(await second).toBe('done')
  })

  it('stops the work when all callers have aborted, and restarts it for the next', async () => {
    const { flight, runs } = flightOf('stop')
    const [one, two] = [new AbortController(), new AbortController()]
    const both = [flight.join(one.signal, cancelled), flight.join(two.signal, cancelled)]
    one.abort()
    two.abort()
    for (const each of both) await expect(each).rejects.toThrow('cancelled')
    expect(runs[0]?.signal.aborted).toBe(true)

    const next = flight.join(undefined, cancelled)
    runs[0]?.reject(new Error('stopped'))
    runs[1]?.resolve('done')
    expect(await next).toBe('done')
  })

  it('lets abandoned work finish, and the next caller join it', async () => {
    const { flight, runs } = flightOf('finish')
    const giveUp = new AbortController()
    const first = flight.join(giveUp.signal, cancelled)
    giveUp.abort()
    await expect(first).rejects.toThrow('cancelled')
    expect(runs[0]?.signal.aborted).toBe(false)

    const next = flight.join(undefined, cancelled)
    runs[0]?.resolve('done')
    expect(await next).toBe('done')
    expect(runs).toHaveLength(1)
  })

  it('starts the work again for a caller that has joined an abandoned failure', async () => {
    const { flight, runs } = flightOf('finish')
    const giveUp = new AbortController()
    const first = flight.join(giveUp.signal, cancelled)
    giveUp.abort()
    await expect(first).rejects.toThrow('cancelled')

    const next = [flight.join(undefined, cancelled), flight.join(undefined, cancelled)]
    runs[0]?.reject(new Error('timed out'))
    await expect.poll(() => runs).toHaveLength(2)
    runs[1]?.resolve('done')
    expect(await Promise.all(next)).toEqual(['done', 'done'])
    expect(runs).toHaveLength(2)
  })

  it('does not start for a caller that has aborted already', async () => {
    const { flight, runs } = flightOf('stop')
    await expect(flight.join(AbortSignal.abort(), cancelled)).rejects.toThrow('cancelled')
    expect(runs).toHaveLength(0)
  })
})
