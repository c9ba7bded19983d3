import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { ConnectionState } from '../../../contract/connection'
import type { Lanes as LanesOf } from '../../../contract/lanes'
import { describeConnection } from '../../../contract/describe-connection'
import base from '../../ui/base.css?raw'
import { inTwoLines, Lanes, type LaneTexts, shortened, SmallLanes } from './lanes'
import lanesCss from './lanes.module.css?raw'

const target = { instanceId: 'vpn.example.org', profileId: 'internet' }
const remote = { address: '192.0.2.1', port: 1194, protocol: 'udp' } as const
const dns = { servers: ['10.0.0.53'], domains: [], applied: true }
const connected = { state: 'connected', target, addresses: {}, remote, dns, since: 0 } as const
const lost = { state: 'reconnecting', target, reason: 'other', attempt: 1, routes: 'kept' } as const

const states: Readonly<Record<string, readonly [ConnectionState, blocks?: boolean, promisesAll?: boolean]>> =
  {
    off: [{ state: 'idle' }],
    connecting: [{ state: 'preparing', target }],
    'your turn': [{ state: 'authorizing', target }],
    'all traffic': [{ ...connected, allTraffic: true }],
    split: [{ ...connected, allTraffic: false }],
    less: [{ ...connected, allTraffic: false }, false, true],
    unknown: [connected],
    stuck: [{ ...connected, allTraffic: true, passing: false }],
    'lost, routes kept': [{ ...lost, allTraffic: true }],
    'lost, routes gone': [{ ...lost, routes: 'gone' }],
    walled: [{ ...lost, reason: 'captive-portal', routes: 'gone' }],
    failed: [{ state: 'failed', target, error: { code: 'http/unreachable', message: '' } }],
    blocked: [{ state: 'idle' }, true],
  }

const texts: LaneTexts = {
  computer: 'This computer',
  organization: 'Example University',
  rest: 'Everything else',
  encrypted: 'encrypted',
  barrier: 'nothing leaves',
  door: 'sign in here',
  lane: (lane) => `(${lane})`,
}

type Size = 'wide' | 'narrow' | 'small'
type Direction = 'ltr' | 'rtl'

function draw(name: string, size: Size = 'wide', direction: Direction = 'ltr'): string {
  const [connection, blocks, promisesAll] = states[name] ?? [{ state: 'idle' }]
  const { lanes, tone } = describeConnection(connection, { locale: 'en', blocks, promisesAll })
  const drawn = { lanes, tone, progress: 0.5, direction }
  return renderToStaticMarkup(
    size === 'small' ? <SmallLanes {...drawn} /> : <Lanes {...drawn} size={size} texts={texts} />,
  )
}

/** Style sheets of the drawing, with the colours of a theme. */
function stylesIn(theme: 'light' | 'dark', direction: Direction): string {
  const tokens = new Map(
    [...base.matchAll(/^ {2}(--[\w-]+): (.+);$/gm)]
      .reverse()
      .map(([, name, value = '']) => [
        name,
        value.replace(/light-dark\((#\w+), (#\w+)\)/, theme === 'light' ? '$1' : '$2'),
      ]),
  )
  const resolved = (css: string) =>
    css.replaceAll(/var\((--[\w-]+)\)/g, (all, name: string) => tokens.get(name) ?? all)
  return resolved(
    `svg { background: var(--raised); direction: ${direction}; font-family: sans-serif }\n${lanesCss}`,
  )
}

/** All states below each other, as one picture that any browser shows. */
function picture(theme: 'light' | 'dark', direction: Direction, size: Size): string {
  const [width, height] = ({ wide: [632, 124], narrow: [368, 104], small: [24, 24] } as const)[size]
  const drawings = Object.keys(states).map((name, index) =>
    draw(name, size, direction)
      // The name that the build gives to a class.
      .replaceAll(/class="_(\w+?)_\w+"/g, 'class="$1"')
      .replace('<svg ', `<svg y="${index * height}" width="${width}" height="${height}" `)
      .replaceAll(/<(?!\/)/g, '\n<'),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height * drawings.length}" width="${width}">
<style>
${stylesIn(theme, direction)}</style>${drawings.join('')}
</svg>
`
}

describe.each(['light', 'dark'] as const)('the picture in the %s theme', (theme) => {
  it.each(
    (['ltr', 'rtl'] as const).flatMap((direction) =>
      (['wide', 'narrow', 'small'] as const).map((size) => [direction, size] as const),
    ),
  )('%s, %s, is the one that was looked at', async (direction, size) => {
    await expect(picture(theme, direction, size)).toMatchFileSnapshot(
      `lanes.pictures/${theme}-${direction}-${size}.svg`,
    )
  })
})

describe.each(['wide', 'narrow', 'small'] as const)('the %s drawing', (size) => {
  it.each(Object.keys(states))('of "%s" differs from all others, and says the same words', (name) => {
    const drawn = draw(name, size)
    for (const other of Object.keys(states).filter((each) => each !== name))
      expect(draw(other, size), other).not.toBe(drawn)
    if (size !== 'small') expect(drawn).toContain('Example Univ')
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
    // A small bridge has its piers where the gap is.
    const bridge = size === 'small' ? '_deck' : '_piers'
    for (const name of ['off', 'failed', 'walled', 'lost, routes gone'])
      expect(has(name, bridge), name).toBe(false)
    for (const name of ['connecting', 'all traffic', 'split', 'less', 'lost, routes kept'])
      expect(has(name, bridge), name).toBe(true)
    for (const name of Object.keys(states)) {
      expect(has(name, '_barrier'), name).toBe(name === 'blocked')
      expect(has(name, '_wall'), name).toBe(name === 'walled')
    }
  })

  it('has no gap in the bridge while traffic crosses it', () => {
    const deck = (name: string) => /class="_deck[^>]* d="([^"]*)"/.exec(draw(name, size))?.[1] ?? ''
    expect(deck('all traffic').match(/M/g)).toHaveLength(1)
    expect(deck('connecting').match(/M/g)).toHaveLength(2)
  })
})

describe.each(['wide', 'narrow'] as const)('the texts of the %s drawing', (size) => {
  const said = (lanes: LanesOf, changed: Partial<LaneTexts> = {}): readonly string[] => {
    const shown = { ...texts, apps: 'Mail', allButLocal: 'not the printer', ...changed }
    const svg = renderToStaticMarkup(
      <Lanes lanes={lanes} tone="on" progress={0} size={size} direction="ltr" texts={shown} />,
    )
    return Array.from(svg.matchAll(/>([^<]+)<\/text>/g), ([, text = '']) => text)
  }

  it('name the apps on the other side, and what everything else leaves out', () => {
    const isWide = size === 'wide'
    const through = { organization: 'through', rest: 'through' } as const
    expect(said({ ...through, apps: 'direct' })).toEqual([
      ...(isWide ? ['This computer', 'encrypted', 'Mail'] : []),
      ...['Example University', '(through)', 'Everything else', 'not the printer'],
    ])
    expect(said({ organization: 'through', rest: 'direct', apps: 'through' })).toEqual([
      ...(isWide ? ['This computer', 'Mail'] : []),
      ...['Example University', isWide ? '(through)' : 'Mail', 'Everything else', '(direct)'],
    ])
  })

  it('have two lines for a long name, and then one for what becomes of the traffic', () => {
    const lane = (): string => 'is protected as long as it crosses the bridge'
    const long = { lane, allButLocal: undefined, organization: 'The Library of the Example University' }
    const lines = said({ organization: 'direct', rest: 'through' }, long).slice(size === 'wide' ? 1 : 0)
    expect(lines).toHaveLength(6)
    const [, second, state, rest, ...states] = lines
    expect([second, state]).toEqual(['Example University', expect.stringMatching(/^is protected .*…$/)])
    expect(rest).toBe('Everything else')
    expect(states.join(' ')).toMatch(/^is protected as long as it crosses/)
  })
})

it('counts no marks of direction, so that an address in Arabic is not cut off', () => {
  const local = '\u0627\u0644\u0645\u062d\u0644\u064a\u0629 \u2068\u2068192.168.1.0/24\u2069\u2069'
  expect(shortened(local, 22)).toBe(local)
  expect(shortened(local, 21)).toMatch(/…$/)
})

it('cuts off names that are too long, whatever the script', () => {
  expect(shortened('Example University', 22)).toBe('Example University')
  expect(shortened('The Very Long Name of an Example University', 20)).toBe('The Very Long Name…')
  expect(shortened('東京大学情報基盤センター', 12)).toBe('東京大学情…')
})

it.each([
  ['Example University', 18, ['Example University']],
  ['Example University', 17, ['Example', 'University']],
  ['Example University', 7, ['Example', 'Univer…']],
  ['Example University', 6, ['Exampl', 'e Uni…']],
])('breaks %s for the room of %d letters into %j', (name, room, lines) => {
  expect(inTwoLines(name, room)).toEqual(lines)
})
