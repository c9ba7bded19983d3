import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { ConnectionState } from '../../../contract/connection'
import { describeConnection } from '../../../contract/describe-connection'
import { Lanes, shortened } from './lanes'

const target = { instanceId: 'vpn.example.org', profileId: 'internet' }
const remote = { address: '192.0.2.1', port: 1194, protocol: 'udp' } as const
const connected = { state: 'connected', target, addresses: {}, remote, since: 0 } as const
const lost = { state: 'reconnecting', target, reason: 'other', attempt: 1, routes: 'kept' } as const

const states: Readonly<Record<string, readonly [ConnectionState, blocks?: boolean, promisesAll?: boolean]>> =
  {
    off: [{ state: 'idle' }],
    connecting: [{ state: 'preparing', target }],
    'all traffic': [{ ...connected, allTraffic: true }],
    split: [{ ...connected, allTraffic: false }],
    less: [{ ...connected, allTraffic: false }, false, true],
    unknown: [connected],
    stuck: [{ ...connected, allTraffic: true, passing: false }],
    'lost, routes kept': [{ ...lost, allTraffic: true }],
    'lost, routes gone': [{ ...lost, routes: 'gone' }],
    failed: [{ state: 'failed', target, error: { code: 'http/unreachable', message: '' } }],
    blocked: [{ state: 'idle' }, true],
  }

function draw(name: string, size: 'wide' | 'narrow' = 'wide', direction: 'ltr' | 'rtl' = 'ltr'): string {
  const [connection, blocks, promisesAll] = states[name] ?? [{ state: 'idle' }]
  const { lanes, tone } = describeConnection(connection, { locale: 'en', blocks, promisesAll })
  return renderToStaticMarkup(
    <Lanes
      lanes={lanes}
      tone={tone}
      progress={0.5}
      size={size}
      direction={direction}
      texts={{
        computer: 'This computer',
        organization: 'Example University',
        rest: 'Everything else',
        encrypted: 'encrypted',
        barrier: 'nothing leaves',
        lane: (lane) => `(${lane})`,
      }}
    />,
  )
}

describe.each(['wide', 'narrow'] as const)('the %s drawing', (size) => {
  it.each(Object.keys(states))('of "%s" differs from all others, and says the same words', (name) => {
    const drawn = draw(name, size)
    for (const other of Object.keys(states).filter((each) => each !== name))
      expect(draw(other, size), other).not.toBe(drawn)
    expect(drawn).toContain('Example Univ')
    expect(drawn).toContain('aria-hidden="true"')
  })

  it.each(Object.keys(states))('of "%s" is mirrored from right to left, but not its texts', (name) => {
    const [there, back] = [draw(name, size), draw(name, size, 'rtl')]
    expect(back).toContain('scale(-1 1)')
    expect(there).not.toContain('scale(-1 1)')
    const texts = (svg: string) => [...svg.matchAll(/>([^<]+)<\/text>/g)].map(([, text]) => text)
    expect(texts(back)).toEqual(texts(there))
  })

  it('has a bridge only where traffic crosses it or waits for it, and a barrier only where it is blocked', () => {
    const has = (name: string, part: string) => draw(name, size).includes(part)
    for (const name of ['off', 'failed', 'blocked', 'lost, routes gone'])
      expect(has(name, '_piers'), name).toBe(false)
    for (const name of ['connecting', 'all traffic', 'split', 'less', 'lost, routes kept'])
      expect(has(name, '_piers'), name).toBe(true)
    for (const name of Object.keys(states)) expect(has(name, '_barrier'), name).toBe(name === 'blocked')
  })

  it('has no gap in the bridge while traffic crosses it', () => {
    const deck = (name: string) => /class="_deck[^>]* d="([^"]*)"/.exec(draw(name, size))?.[1] ?? ''
    expect(deck('all traffic').match(/M/g)).toHaveLength(1)
    expect(deck('connecting').match(/M/g)).toHaveLength(2)
  })
})

it('cuts off names that are too long, whatever the script', () => {
  expect(shortened('Example University', 22)).toBe('Example University')
  expect(shortened('The Very Long Name of an Example University', 20)).toBe('The Very Long Name…')
  expect(shortened('東京大学情報基盤センター', 12)).toBe('東京大学情…')
})
