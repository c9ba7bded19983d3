import type { Tone } from '../contract/describe-connection'
import type { Lanes } from '../contract/lanes'
import { type LaneMeasures, laneShapes, small } from '../renderer/features/connection/lane-shapes'

/** The drawing of the window, within a ground that gives it contrast on every panel. */
const measures: LaneMeasures = { ...small, from: 6, to: 18, piers: [-3, 3] }

interface TrayIcon {
  readonly tone: Tone
  readonly lanes: Lanes
  readonly colour: string
  /** The outline of the ground in a box of 24 × 24, which differs by state as the drawing does. */
  readonly ground: string
}

const disc = 'M0 12a12 12 0 0 1 24 0 12 12 0 0 1-24 0z'
const [grey, green, amber, red] = ['#808a96', '#23884f', '#b26f00', '#cf3a31']

/** The icons by the end of their file names. */
export const trayIcons: Readonly<Record<string, TrayIcon>> = {
  off: { tone: 'off', lanes: { organization: 'direct', rest: 'direct' }, colour: grey, ground: disc },
  working: {
    tone: 'working',
    lanes: { organization: 'waiting', rest: 'waiting' },
    colour: amber,
    ground: disc,
  },
  all: { tone: 'on', lanes: { organization: 'through', rest: 'through' }, colour: green, ground: disc },
  on: { tone: 'on', lanes: { organization: 'through', rest: 'direct' }, colour: green, ground: disc },
  limited: {
    tone: 'limited',
    lanes: { organization: 'through', rest: 'less' },
    colour: amber,
    ground:
      'M6.2 2a2 2 0 0 1 1.8-1h8a2 2 0 0 1 1.8 1l5.2 9a2 2 0 0 1 0 2l-5.2 9a2 2 0 0 1-1.8 1H8a2 2 0 0 1-1.8-1L1 13a2 2 0 0 1 0-2z',
  },
  failed: {
    tone: 'failed',
    lanes: { organization: 'direct', rest: 'direct' },
    colour: red,
    ground:
      'M4 .5h16A3.5 3.5 0 0 1 23.5 4v16a3.5 3.5 0 0 1-3.5 3.5H4A3.5 3.5 0 0 1 .5 20V4A3.5 3.5 0 0 1 4 .5z',
  },
  blocked: {
    tone: 'blocked',
    lanes: { organization: 'blocked', rest: 'blocked' },
    colour: red,
    ground: 'M7.3.6h9.4l6.7 6.7v9.4l-6.7 6.7H7.3L.6 16.7V7.3z',
  },
}

/**
 * Draws an icon for the tray as SVG.
 *
 * @param isTemplate for macOS, which colours what is black
 */
export function drawTrayIcon({ tone, lanes, colour, ground }: TrayIcon, isTemplate: boolean): string {
  const drawing = (stroke: string): string =>
    [
      `  <g fill="none" stroke="${stroke}" stroke-linecap="round" stroke-linejoin="round">`,
      ...laneShapes(lanes, tone, 0.8, measures).map(
        ({ d, strokeWidth, strokeDasharray }) =>
          `    <path d="${d}" stroke-width="${strokeWidth}"${
            strokeDasharray === undefined ? '' : ` stroke-dasharray="${strokeDasharray}"`
          } />`,
      ),
      '  </g>',
    ].join('\n')
  const fill = isTemplate ? '#000' : colour
  const inside =
    // Not connected is quiet: a ring.
    tone === 'off'
      ? `  <circle cx="12" cy="12" r="11" fill="none" stroke="${fill}" stroke-width="2" />\n${drawing(fill)}`
      : isTemplate
        ? `  <mask id="cut">\n  <path d="${ground}" fill="#fff" />\n${drawing('#000')}\n  </mask>\n  <path d="${ground}" mask="url(#cut)" />`
        : `  <path d="${ground}" fill="${fill}" />\n${drawing('#fff')}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">\n${inside}\n</svg>\n`
}
