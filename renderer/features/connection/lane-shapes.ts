import type { ConnectionState } from '../../../contract/connection'
import type { Tone } from '../../../contract/describe-connection'
import type { Lane, Lanes } from '../../../contract/lanes'

/**
 * The one drawing of the connection: on the stage, in the strip of the other views, and in the tray's icons. Plain data, so
 * that a script can draw it, too.
 */
export interface LaneShape {
  /**
   * `deck`, `piers`: the bridge; `onward`: from its end to everything else; `around`: a way that doesn't use it; `cross`: where
   * a bridge should be; `barrier`: nothing leaves the computer; `wall`: nothing leaves the network, except through its door.
   */
  readonly part: 'deck' | 'piers' | 'onward' | 'around' | 'cross' | 'barrier' | 'wall'
  readonly lane: Lane
  /** Of an SVG path. */
  readonly d: string
  readonly strokeWidth: number
  /** For round ends. */
  readonly strokeDasharray?: string
}

/** Measures of the drawing, in the units of its box. */
export interface LaneMeasures {
  /** Where the bridge begins and ends. */
  readonly from: number
  readonly to: number
  /** The heights of the two lanes: of the bridge, and of what isn't for the organization. */
  readonly top: number
  readonly low: number
  /** Where the way around leaves the computer; without it, the lanes are straight, and there is less detail. */
  readonly bend?: number
  /** The thickness of the bridge. */
  readonly stroke: number
  /** Where the piers are, from the middle of the bridge. */
  readonly piers: readonly number[]
}

/** The drawing in a box of 24 × 24, without texts and places. Its lines are whole pixels, also at 16. */
export const small: LaneMeasures = { from: 3, to: 21, top: 7.5, low: 16.5, stroke: 3, piers: [-4, 4] }

/**
 * Returns the shapes of the two lanes. A lane through the VPN crosses the bridge; one without it goes around, dotted. While the
 * bridge isn't whole it has a gap; after a failure a cross is in its place, and where the kill switch blocks, a barrier.
 *
 * @param progress how much of the bridge stands while connecting, from 0 to 1
 */
export function laneShapes(
  { organization, rest, apps }: Lanes,
  tone: Tone,
  progress: number,
  measures: LaneMeasures,
): LaneShape[] {
  const { from, to, top, low, bend, stroke, piers } = measures
  const height = low - top
  const middle = (from + to) / 2
  const isPlain = bend === undefined
  const thin = stroke * 0.8
  const line = (shape: Pick<LaneShape, 'part' | 'lane' | 'd'>, strokeWidth = stroke): LaneShape => ({
    ...shape,
    strokeWidth: round(strokeWidth),
  })
  /** Dots, or dashes where traffic leaves that should not. */
  const dotted = (shape: Pick<LaneShape, 'part' | 'lane' | 'd'>): LaneShape => ({
    ...line(shape, isPlain ? stroke : stroke * 0.6),
    strokeDasharray: (shape.lane === 'less' ? [1.2, 1.8] : [0, isPlain ? 2 : 1.5])
      .map((length) => round(length * stroke))
      .join(' '),
  })
  if (organization === 'blocked') {
    const way = isPlain
      ? path`M${from} ${(top + low) / 2}H${middle - stroke * 1.3}`
      : path`M${from} ${top}H${middle - stroke * 2.5}`
    const upright = (x: number): string =>
      path`M${x} ${top - height * 0.34}V${low + height * (isPlain ? 0.34 : 0.12)}`
    const spikes = [0.22, -0.2, -0.62].map(
      (at) => path`M${middle} ${top - height * at}l${height * 0.22} ${height * 0.16}`,
    )
    return [
      line({ part: 'deck', lane: organization, d: way }),
      line({ part: 'barrier', lane: organization, d: upright(middle) }),
      isPlain
        ? line({ part: 'barrier', lane: rest, d: upright(middle + stroke * 2) })
        : line({ part: 'barrier', lane: rest, d: spikes.join('') }, stroke * 0.7),
    ]
  }
  if (organization === 'walled') return wallShapes(measures, line, dotted)
  const hasBridge = organization !== 'direct'
  const isFailed = tone === 'failed' && !hasBridge
  const gap = organization === 'through' ? 0 : height * (0.25 + 0.625 * (1 - progress))
  const arm = stroke * 1.5
  const across = (gap: number): string =>
    // The last dot is at the very end.
    gap === 0
      ? path`M${from} ${top}H${to + 0.1}`
      : path`M${from} ${top}H${middle - gap}M${middle + gap} ${top}H${to}`
  const cross = path`M${middle - arm} ${top - arm}l${2 * arm} ${2 * arm}M${middle + arm} ${top - arm}l${-2 * arm} ${2 * arm}`
  const standing = hasBridge ? piers.filter((offset) => Math.abs(offset) >= gap) : []
  const isAround = rest === 'direct' || rest === 'less' || (rest === 'unknown' && !hasBridge)
  const around = isPlain
    ? path`M${from} ${low}H${to + 0.1}`
    : path`M${bend} ${top + height * 0.22}C${bend + height * 0.06} ${low - height * 0.22} ${bend + height * 0.22} ${low} ${bend + height * 0.6} ${low}H${to}`
  const onward = isPlain
    ? around
    : path`M${to - height * 0.47} ${top}c${height * 0.34} 0 ${height * 0.06} ${height} ${height * 0.47} ${height}`
  return [
    ...standing.map((offset) =>
      line({ part: 'piers', lane: organization, d: path`M${middle + offset} ${top}v${height * 0.37}` }, thin),
    ),
    ...(hasBridge
      ? [line({ part: 'deck', lane: organization, d: across(gap) })]
      : isFailed && isPlain
        ? []
        : [dotted({ part: 'around', lane: organization, d: across(isFailed ? arm * 2 : 0) })]),
    ...(isFailed ? [line({ part: 'cross', lane: organization, d: cross }, thin)] : []),
    // A lane that isn't known, or that waits, isn't drawn as one that carries.
    rest === 'through'
      ? line({ part: 'onward', lane: rest, d: onward }, thin)
      : dotted({ part: isAround ? 'around' : 'onward', lane: rest, d: isAround ? around : onward }),
    // Some apps go around, while the rest crosses.
    ...(apps === 'direct' && !isPlain ? [dotted({ part: 'around', lane: apps, d: around })] : []),
  ]
}

type Draw = (shape: Pick<LaneShape, 'part' | 'lane' | 'd'>, strokeWidth?: number) => LaneShape

/** A wall with a door, which traffic gets to and not beyond. */
function wallShapes(
  { from, to, top, low, bend, stroke }: LaneMeasures,
  line: Draw,
  dotted: Draw,
): LaneShape[] {
  const height = low - top
  const lane = 'walled'
  const wall = bend === undefined ? (from + to) / 2 : from + (to - from) * 0.4
  const upright = path`M${wall} ${top - height * 0.34}V${low + height * 0.12}`
  return [
    dotted({ part: 'around', lane, d: path`M${from} ${top}H${wall - stroke * 2}` }),
    line({ part: 'wall', lane, d: upright }, stroke * 0.8),
    line({ part: 'wall', lane, d: path`M${wall} ${top}h${height * 0.42}V${low}H${wall}` }, stroke * 0.48),
  ]
}

/** Fills a path with rounded numbers. */
function path(parts: TemplateStringsArray, ...values: readonly number[]): string {
  return String.raw(parts, ...values.map(round))
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** The steps from the click to the tunnel, which close the gap of the bridge. */
const steps = [
  'discovering',
  'authorizing',
  'preparing',
  'starting',
  'resolving',
  'contacting',
  'tls',
  'authenticating',
  'configuring',
]

/** Returns how much of the bridge stands while connecting, from 0 to 1. */
export function progressOf(connection: ConnectionState): number {
  const step = steps.indexOf(connection.state === 'connecting' ? connection.phase : connection.state)
  return (step + 1) / steps.length
}
