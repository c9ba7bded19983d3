import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

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
