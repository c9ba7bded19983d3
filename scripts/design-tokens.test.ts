import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { theme } from '../renderer/ui/theme'

const renderer = join(import.meta.dirname, '../renderer')
const modules = Object.fromEntries(
  readdirSync(renderer, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.module.css'))
    .map((file) => [file, readFileSync(join(renderer, file), 'utf8')]),
)
const base = readFileSync(join(renderer, 'ui/base.css'), 'utf8')

const forced = readFileSync(join(renderer, 'ui/forced-colors.css'), 'utf8')

const tokens = new Set([...base.matchAll(/^\s*(--[\w-]+):/gm)].map(([, name]) => name))

interface Declaration {
  readonly property: string
  readonly value: string
}

function declarations(css: string): Declaration[] {
  const withoutComments = css.replaceAll(/\/\*[\s\S]*?\*\//g, '')
  return [...withoutComments.matchAll(/(?:^|[{;])\s*(-{0,2}[a-z][\w-]*)\s*:\s*([^;{}]+)(?=[;}])/g)].map(
    ([, property = '', value = '']) => ({ property, value: value.trim() }),
  )
}

const rawColour =
  /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|light-dark)\(|\b(?:white|black|red|green|blue|gr[ae]y|orange|yellow)\b/i
const length = /(?<![\w-])-?\d*\.?\d+(?:px|rem|em|pt|%)/
const duration = /(?<![\w-])\d*\.?\d+m?s\b/

/** Returns the declaration if it uses a literal value where a token exists; otherwise undefined. */
function oneOff({ property, value }: Declaration): string | undefined {
  const given = `${property}: ${value}`
  if (rawColour.test(value)) return given
  if (/^font(?:-size)?$|^border(?:-\w+)*-radius$/.test(property) && length.test(value)) return given
  if (/^(?:transition|animation)/.test(property) && duration.test(value)) return given
  // One or two pixels are a line, not a space.
  const isSpace = /^(?:(?:row-|column-)?gap|(?:padding|margin|inset)(?:-[\w-]+)?)$/.test(property)
  const lengths = value.match(/(?<![\w-])\d*\.?\d+(?=px|rem)/g) ?? []
  return isSpace && lengths.some((each) => Number(each) > 2) ? given : undefined
}

/** Returns the relative luminance of a colour such as `#1d2128` (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

describe('design tokens', () => {
  it('provide all colours, font sizes, spaces, radii and durations of the components', () => {
    expect(Object.keys(modules).length).toBeGreaterThan(10)
    const found = Object.entries(modules).flatMap(([file, css]) =>
      declarations(css)
        .flatMap((each) => oneOff(each) ?? [])
        .map((each) => `${file}: ${each}`),
    )
    expect(found).toEqual([])
  })

  it('exist if a component uses them', () => {
    const named = Object.entries(modules).flatMap(([file, css]) => {
      const own = new Set(declarations(css).map(({ property }) => property))
      return [...css.matchAll(/var\((--[\w-]+)/g)].flatMap(([, name = '']) =>
        tokens.has(name) || own.has(name) || /^--(?:mantine|button|input)-/.test(name)
          ? []
          : [`${file}: ${name}`],
      )
    })
    expect(named).toEqual([])
  })

  it('have the type sizes 12, 14, 16 and 26', () => {
    expect([...base.matchAll(/^ {2}--text-\w+: (\d+)px;/gm)].map(([, size]) => Number(size))).toEqual([
      12, 14, 16, 26,
    ])
  })

  it.each(['light', 'dark'] as const)('have enough contrast in %s', (theme) => {
    const pair = /^ {2}--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/gm
    const colours = new Map(
      [...base.slice(0, base.indexOf('prefers-contrast')).matchAll(pair)].map(([, name, light, dark]) => [
        name,
        theme === 'light' ? light : dark,
      ]),
    )
    const contrast = (one: string, other: string): number => {
      const [dim = 0, bright = 0] = [one, other]
        .map((name) => luminance(colours.get(name) ?? ''))
        .sort((a, b) => a - b)
      return (bright + 0.05) / (dim + 0.05)
    }
    const faint = ['text', 'quiet', 'accent', 'good', 'busy', 'bad'].flatMap((ink) =>
      ['surface', 'raised'].flatMap((ground) => (contrast(ink, ground) < 4.5 ? [`${ink} on ${ground}`] : [])),
    )
    expect(faint).toEqual([])
    // The bridge in the mark, which has the colour of the card.
    for (const disc of ['good', 'busy', 'bad']) expect(contrast(disc, 'raised')).toBeGreaterThanOrEqual(3)
    for (const ground of ['surface', 'raised']) expect(contrast('thumb', ground)).toBeGreaterThanOrEqual(3)
  })

  it('give placeholders the quiet ink, which is readable on the ground of a field', () => {
    expect(base.slice(0, base.indexOf('@media (forced-colors'))).toMatch(
      /\[data-mantine-color-scheme\] \{[^}]*--mantine-color-placeholder: var\(--quiet\);/,
    )
    const [, light = '', dark = ''] = /--quiet: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/.exec(base) ?? []
    // Fields are white, or have the seventh of Mantine's dark colours.
    const grounds = { [light]: '#ffffff', [dark]: theme.colors?.dark?.[6] ?? '' }
    for (const [ink, ground] of Object.entries(grounds)) {
      const [dim = 0, bright = 0] = [luminance(ink), luminance(ground)].sort((a, b) => a - b)
      expect((bright + 0.05) / (dim + 0.05)).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('have a system colour each in forced-colors mode', () => {
    const drawn = [...base.matchAll(/^ {2}(--[\w-]+): light-dark\(/gm)].map(([, name]) => name)
    const ofSystem = [...forced.matchAll(/^ {4}(--[\w-]+): (?:Canvas|CanvasText|LinkText);/gm)].map(
      ([, name]) => name,
    )
    expect(drawn.length).toBeGreaterThan(10)
    expect(ofSystem).toEqual(drawn)
  })

  it('are missed by the check for literal values', () => {
    const css =
      '.a { color: #fff; gap: 5px 1px; border-radius: 3px } .b { transition: color 150ms; font-size: 1em }'
    expect(declarations(css).flatMap((each) => oneOff(each) ?? [])).toEqual([
      'color: #fff',
      'gap: 5px 1px',
      'border-radius: 3px',
      'transition: color 150ms',
      'font-size: 1em',
    ])
  })
})
