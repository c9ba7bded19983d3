import type { ReactNode } from 'react'
import type { Tone } from '../../../contract/describe-connection'
import type { Lane, Lanes as LanesOf } from '../../../contract/lanes'
import { type LaneShape, laneShapes, small } from './lane-shapes'
import styles from './lanes.module.css'

/** The texts in the drawing. */
export interface LaneTexts {
  readonly computer: string
  /** The name of the service. */
  readonly organization: string
  readonly rest: string
  readonly encrypted: string
  readonly barrier: string
  readonly door: string
  readonly lane: (lane: Lane) => string
  /** What the lower lane carries, if local networks are reached without the VPN. */
  readonly allButLocal?: string | undefined
  /** What is said of the apps on the other side than the rest. */
  readonly apps?: string | undefined
}

/** Measures in CSS pixels: the drawing's, its size, the room for names, and the height of each of three lines of them. */
const sizes = {
  wide: {
    width: 632,
    height: 124,
    names: { room: 168, line: 15 },
    // Beside the name of this computer.
    lanes: { from: 62, to: 418, top: 34, low: 98, bend: 128, stroke: 5, piers: [-90, -30, 30, 90] },
  },
  narrow: {
    width: 368,
    height: 90,
    names: { room: 158, line: 14 },
    lanes: { from: 50, to: 160, top: 25, low: 69, bend: 44, stroke: 5, piers: [-42, -14, 14, 42] },
  },
} as const

/**
 * Draws what becomes of the two kinds of traffic: the upper lane leads to the organization, the lower one to everything else.
 * A lane through the VPN crosses the bridge, one without it goes around, dotted. Hidden from screen readers, which have the
 * sentences of the description.
 */
export function Lanes({
  lanes,
  tone,
  progress,
  size,
  direction,
  texts,
}: {
  readonly lanes: LanesOf
  readonly tone: Tone
  /** How much of the bridge stands while connecting, from 0 to 1. */
  readonly progress: number
  readonly size: keyof typeof sizes
  readonly direction: 'ltr' | 'rtl'
  readonly texts: LaneTexts
}): ReactNode {
  const { width, height, names, lanes: measures } = sizes[size]
  const { to, top, low } = measures
  const { organization, rest } = lanes
  const textX = (x: number) => (direction === 'rtl' ? width - x : x)
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio={direction === 'rtl' ? 'xMaxYMid' : 'xMinYMid'}
      className={styles.lanes}
      data-tone={tone}
      data-organization={organization}
      data-rest={rest}
      aria-hidden
    >
      <g transform={direction === 'rtl' ? `translate(${width} 0) scale(-1 1)` : undefined}>
        <g className={styles.ink} transform={`translate(4 ${top - 22})`}>
          <rect x="6" y="0" width="36" height="24" rx="3" />
          <path d="M1 30h46" />
        </g>
        <Shapes shapes={laneShapes(lanes, tone, progress, measures)} />
        <Places lanes={lanes} measures={measures} />
      </g>
      {size === 'wide' && <Remarks lanes={lanes} texts={texts} textX={textX} />}
      <Name
        x={textX(to + 46)}
        y={top}
        {...names}
        name={texts.organization}
        // A narrow drawing has no room above the bridge.
        state={
          (size === 'narrow' && lanes.apps === 'through' ? texts.apps : undefined) ?? texts.lane(organization)
        }
      />
      <Name
        x={textX(to + 46)}
        y={low}
        {...names}
        name={texts.rest}
        state={(rest === 'through' ? texts.allButLocal : undefined) ?? texts.lane(rest)}
      />
    </svg>
  )
}

/** Where the lanes lead, and the browser in the gap of the bridge while the person signs in. */
function Places({
  lanes: { organization, rest },
  measures: { from, to, top, low },
}: {
  readonly lanes: LanesOf
  readonly measures: (typeof sizes)[keyof typeof sizes]['lanes']
}): ReactNode {
  return (
    <>
      {organization === 'yourTurn' && (
        <g
          className={styles.page}
          transform={`translate(${(from + to) / 2} ${top}) scale(${(low - top) / 64})`}
        >
          <rect x="-28" y="-22" width="56" height="44" rx="5" />
          <path d="M-28-10h56M-21-16h.1M-14-16h.1M-14 2h28M-8 11h16" />
        </g>
      )}
      <g className={styles.place} data-lane={organization} transform={`translate(${to + 8} ${top - 22})`}>
        <path d="M3 34V13L15 5l12 8v21zM11 34v-9h8v9" />
      </g>
      <g className={styles.place} data-lane={rest} transform={`translate(${to + 8} ${low - 18})`}>
        <circle cx="15" cy="17" r="12" />
        <path d="M3 17h24M15 5c-8 7-8 17 0 24M15 5c8 7 8 17 0 24" />
      </g>
    </>
  )
}

/** The texts of a wide drawing beside its lanes. */
function Remarks({
  lanes: { organization, apps },
  texts,
  textX,
}: {
  readonly lanes: LanesOf
  readonly texts: LaneTexts
  readonly textX: (x: number) => number
}): ReactNode {
  const { from, to, top, low } = sizes.wide.lanes
  const crosses = organization === 'through'
  const isBlocked = organization === 'blocked'
  return (
    <>
      <text x={textX(2)} y={top + 42} className={styles.quiet}>
        {texts.computer}
      </text>
      {(crosses || isBlocked) && (
        <text
          x={textX((from + to) / 2)}
          y={isBlocked ? low + 22 : top - 12}
          textAnchor="middle"
          className={styles.remark}
        >
          {crosses ? (apps === 'through' ? texts.apps : texts.encrypted) : texts.barrier}
        </text>
      )}
      {organization === 'walled' && (
        <text x={textX((from + to) / 2)} y={(top + low) / 2 + 4} className={styles.quiet}>
          {texts.door}
        </text>
      )}
      {apps === 'direct' && (
        <text x={textX((from + to) / 2)} y={low + 20} textAnchor="middle" className={styles.quiet}>
          {texts.apps}
        </text>
      )}
    </>
  )
}

/** The same drawing without places and names, 24 pixels high. */
export function SmallLanes({
  lanes,
  tone,
  progress,
  direction,
}: {
  readonly lanes: LanesOf
  readonly tone: Tone
  readonly progress: number
  readonly direction: 'ltr' | 'rtl'
}): ReactNode {
  return (
    <svg viewBox="0 0 24 24" className={styles.small} data-tone={tone} aria-hidden>
      <g transform={direction === 'rtl' ? 'translate(24 0) scale(-1 1)' : undefined}>
        <Shapes shapes={laneShapes(lanes, tone, progress, small)} />
      </g>
    </svg>
  )
}

function Shapes({ shapes }: { readonly shapes: readonly LaneShape[] }): ReactNode {
  return shapes.map(({ part, lane, ...path }, index) => (
    <path key={`${part} ${index}`} className={styles[part]} data-lane={lane} {...path} />
  ))
}

function Name({
  x,
  y,
  room,
  line,
  name,
  state,
}: {
  readonly x: number
  readonly y: number
  readonly room: number
  readonly line: number
  readonly name: string
  readonly state: string
}): ReactNode {
  const names = inTwoLines(name, room / 7.4)
  const states = names.length === 1 ? inTwoLines(state, room / 6.4) : [shortened(state, room / 6.4)]
  const lines = [
    ...names.map((text) => [text, 'name'] as const),
    ...states.map((text) => [text, 'quiet'] as const),
  ]
  return lines.map(([text, look], index) => (
    <text
      key={index}
      x={x}
      y={lines.length > 2 ? y + (index - 1) * line : y - 3 + index * 16}
      className={styles[look]}
    >
      {text}
    </text>
  ))
}

/** Breaks a text that is longer than this many Latin letters into two lines, and cuts only the second. */
export function inTwoLines(text: string, room: number): readonly string[] {
  if (letters(text) <= room) return [text]
  const words = text.split(' ')
  const whole = words.findLastIndex((_, index) => letters(words.slice(0, index + 1).join(' ')) <= room)
  const first = words.slice(0, whole + 1).join(' ') || beginning(text, room)
  return [first, shortened(text.slice(first.length).trim(), room)]
}

/**
 * Returns the width of a text in Latin letters; characters of East Asian scripts count twice, and marks of direction, which
 * stand around a name or an address in Arabic, not at all.
 */
export function letters(text: string): number {
  const seen = text.replaceAll(/[\u200e\u200f\u2066-\u2069]/gu, '')
  return Array.from(seen).reduce((sum, character) => sum + (/[\u1100-\uffdc]/u.test(character) ? 2 : 1), 0)
}

/** Cuts a text to about this many Latin letters. */
export function shortened(text: string, room: number): string {
  const fit = beginning(text, room)
  return fit === text ? text : `${Array.from(fit).slice(0, -1).join('').trimEnd()}…`
}

/** Returns the characters that fit into this many Latin letters. */
function beginning(text: string, room: number): string {
  let used = 0
  return Array.from(text)
    .filter((character) => {
      used += letters(character)
      return used <= room
    })
    .join('')
}
