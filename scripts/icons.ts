import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { drawTrayIcon, trayIcons } from './tray-icons'

/**
 * Renders the pictures in build/icons/ with the Chromium of the e2e tests: the app's from the SVG file there, and the tray's
 * from the drawing of the window, whose SVG files it writes, too. Run `npx tsx scripts/icons.ts` by hand when a drawing has changed.
 */

const folder = join(import.meta.dirname, '../build/icons')

interface Drawing {
  readonly svg: string
  /** File names without extension, and widths in pixels. */
  readonly pictures: readonly (readonly [string, number])[]
}

async function trayDrawing(name: string, svg: string, isTemplate: boolean): Promise<Drawing> {
  await writeFile(join(folder, `${name}.svg`), svg)
  const pictures = [
    [name, 16],
    [`${name}@2x`, 32],
    // Linux panels ignore high-density variants and are higher than 16 pixels.
    ...(isTemplate ? [] : [[`${name}-24`, 24] as const, [`${name}-24@2x`, 48] as const]),
  ] as const
  return { svg, pictures }
}

const drawings: readonly Drawing[] = [
  {
    svg: await readFile(join(folder, 'app.svg'), 'utf8'),
    pictures: [16, 32, 48, 64, 128, 256, 512, 1024].map((size) => [`app/${size}x${size}`, size]),
  },
  ...(await Promise.all(
    Object.entries(trayIcons).flatMap(([name, icon]) =>
      [false, true].map((isTemplate) =>
        trayDrawing(
          `tray-${name}${isTemplate ? 'Template' : ''}`,
          drawTrayIcon(icon, isTemplate),
          isTemplate,
        ),
      ),
    ),
  )),
]

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  chromiumSandbox: process.getuid?.() !== 0,
})
const page = await browser.newPage()
await mkdir(join(folder, 'app'), { recursive: true })
for (const { svg, pictures } of drawings) {
  for (const [name, size] of pictures) {
    await page.setViewportSize({ width: size, height: size })
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`)
    await writeFile(join(folder, `${name}.png`), await page.screenshot({ omitBackground: true }))
  }
}
await browser.close()
