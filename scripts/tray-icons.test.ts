import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { drawTrayIcon, trayIcons } from './tray-icons'

const folder = join(import.meta.dirname, '../build/icons')
const kinds = [
  ['in colour', false],
  ['for macOS', true],
] as const

it.each(kinds)('the icons %s are drawn as the window draws its lanes', async (_, isTemplate) => {
  for (const [name, icon] of Object.entries(trayIcons)) {
    const file = `tray-${name}${isTemplate ? 'Template' : ''}.svg`
    expect(drawTrayIcon(icon, isTemplate), `${file}: run npx tsx scripts/icons.ts`).toBe(
      await readFile(join(folder, file), 'utf8'),
    )
  }
})

it.each(kinds)(
  'the icons %s differ by shape, those of a failure and of a block in ground and drawing',
  (_, isTemplate) => {
    // Without colours.
    const shapes = Object.values(trayIcons).map((icon) => drawTrayIcon({ ...icon, colour: '' }, isTemplate))
    expect(new Set(shapes)).toHaveProperty('size', Object.keys(trayIcons).length)
    const { failed, blocked, limited, on } = trayIcons
    expect(failed?.ground).not.toBe(blocked?.ground)
    expect(limited?.ground).not.toBe(on?.ground)
  },
)
