import type { ReactNode } from 'react'
import type { Lane, Lanes as LanesOf, Tone } from '../../../contract/describe-connection'
import styles from './lanes.module.css'

/** The texts in the drawing. */
export interface LaneTexts {
  readonly computer: string
  /** The name of the service. */
  readonly organization: string
  readonly rest: string
  readonly encrypted: string
  readonly barrier: string
  readonly lane: (lane: Lane) => string
}

/** Measures in CSS pixels: the drawing's size, where the bridge ends, the heights of the two lanes, and the room for names. */
const sizes = {
  wide: { width: 632, height: 124, from: 62, to: 418, top: 34, low: 98, name: 168 },
  narrow: { width: 368, height: 104, from: 50, to: 176, top: 26, low: 80, name: 142 },
} as const

/**
 * Draws what becomes of the two kinds of traffic: the upper lane leads to the organization, the lower one to everything else.
 * A lane through the VPN crosses the bridge, one without it goes around, dotted. Hidden from screen readers, which have the
 * sentences of the description.
 */
export function Lanes({
  lanes: { organization, rest },
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
  const { width, height, from, to, top, low, name } = sizes[size]
  const middle = (from + to) / 2
  // Beside the name of this computer.
  const bend = size === 'wide' ? from + 66 : from - 6
  const crosses = organization === 'through'
  const hasBridge = !['direct', 'blocked'].includes(organization)
  const isBlocked = organization === 'blocked'
  // A bridge that isn't whole has a gap, which closes with each phase.
  const gap = crosses ? 0 : 16 + 40 * (1 - progress)
  const isAround = rest === 'direct' || rest === 'less' || (rest === 'unknown' && !hasBridge)
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
        {hasBridge && (
          <>
            <path className={styles.piers} d={piers(middle, gap, size === 'wide' ? 60 : 32, top)} />
            <path
              className={styles.deck}
              data-lane={organization}
              d={
                gap === 0
                  ? `M${from} ${top}H${to}`
                  : `M${from} ${top}H${middle - gap}M${middle + gap} ${top}H${to}`
              }
            />
          </>
        )}
        {organization === 'direct' && (
          <path className={styles.around} data-lane={organization} d={`M${from} ${top}H${to}`} />
        )}
        {isBlocked && (
          <g className={styles.barrier}>
            <path className={styles.deck} d={`M${from} ${top}H${middle - 12}`} />
            <path d={`M${middle} ${top - 22}V${low + 8}`} />
            <path
              d={[0, 1, 2].map((step) => `M${middle} ${top - 14 + step * 26}l14 10`).join('')}
              strokeWidth="3.5"
            />
          </g>
        )}
        {isAround && (
          <path
            className={styles.around}
            data-lane={rest}
            d={`M${bend} ${top + 14}C${bend + 4} ${low - 14} ${bend + 14} ${low} ${bend + 38} ${low}H${to}`}
          />
        )}
        {hasBridge && !isAround && (
          // From the end of the bridge on to everything else.
          <path
            className={styles.onward}
            data-lane={rest}
            d={`M${to - 30} ${top}c22 0 4 ${low - top} 30 ${low - top}`}
          />
        )}
        <g className={styles.place} data-lane={organization} transform={`translate(${to + 8} ${top - 22})`}>
          <path d="M3 34V13L15 5l12 8v21zM11 34v-9h8v9" />
        </g>
        <g className={styles.place} data-lane={rest} transform={`translate(${to + 8} ${low - 18})`}>
          <circle cx="15" cy="17" r="12" />
          <path d="M3 17h24M15 5c-8 7-8 17 0 24M15 5c8 7 8 17 0 24" />
        </g>
      </g>
      {size === 'wide' && (
        <text x={textX(2)} y={top + 42} className={styles.quiet}>
          {texts.computer}
        </text>
      )}
      {size === 'wide' && (crosses || isBlocked) && (
        <text
          x={textX(middle)}
          y={isBlocked ? low + 22 : top - 12}
          textAnchor="middle"
          className={styles.remark}
        >
          {crosses ? texts.encrypted : texts.barrier}
        </text>
      )}
      <Name
        x={textX(to + 46)}
        y={top}
        room={name}
        name={texts.organization}
        state={texts.lane(organization)}
      />
      <Name x={textX(to + 46)} y={low} room={name} name={texts.rest} state={texts.lane(rest)} />
    </svg>
  )
}

/** Returns the piers under the bridge, without those in its gap. */
function piers(middle: number, gap: number, distance: number, top: number): string {
  return [-1.5, -0.5, 0.5, 1.5]
    .map((step) => step * distance)
    .filter((offset) => Math.abs(offset) >= gap)
    .map((offset) => `M${middle + offset} ${top}v24`)
    .join('')
}

function Name({
  x,
  y,
  room,
  name,
  state,
}: {
  readonly x: number
  readonly y: number
  readonly room: number
  readonly name: string
  readonly state: string
}): ReactNode {
  return (
    <>
      <text x={x} y={y - 3} className={styles.name}>
        {shortened(name, room / 7.4)}
      </text>
      <text x={x} y={y + 13} className={styles.quiet}>
        {shortened(state, room / 6.4)}
      </text>
    </>
  )
}

/** Cuts a text to about this many Latin letters; characters of East Asian scripts count twice. */
export function shortened(text: string, letters: number): string {
  const characters = Array.from(text)
  let used = 0
  const fit = characters.filter((character) => {
    used += /[\u1100-\uffdc]/u.test(character) ? 2 : 1
    return used <= letters
  })
  return fit.length === characters.length ? text : `${fit.slice(0, -1).join('').trimEnd()}…`
}
