import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from '@playwright/test'

/**
 * Renders the pictures in build/icons/ from the SVG files beside them, with the Chromium of the e2e tests. Run `npx tsx
 * scripts/icons.ts` by hand when a drawing has changed.
 */

const folder = join(import.meta.dirname, '../build/icons')
const tones = ['off', 'working', 'on', 'limited', 'failed', 'blocked']

/** Pictures of each drawing: file name without extension, and width in pixels. */
const drawings: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
  app: [16, 32, 48, 64, 128, 256, 512, 1024].map((size) => [`app/${size}x${size}`, size]),
  ...Object.fromEntries(
    tones.flatMap((tone) => [
      [
        `tray-${tone}`,
        [
          [`tray-${tone}`, 16],
          [`tray-${tone}@2x`, 32],
          // Linux panels ignore high-density variants and are higher than 16 pixels.
          [`tray-${tone}-24`, 24],
          [`tray-${tone}-24@2x`, 48],
        ],
      ],
      [
        `tray-${tone}Template`,
        [
          [`tray-${tone}Template`, 16],
          [`tray-${tone}Template@2x`, 32],
        ],
      ],
    ]),
  ),
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  chromiumSandbox: process.getuid?.() !== 0,
})
const page = await browser.newPage()
await mkdir(join(folder, 'app'), { recursive: true })
for (const [drawing, pictures] of Object.entries(drawings)) {
  const svg = await readFile(join(folder, `${drawing}.svg`), 'utf8')
  for (const [name, size] of pictures) {
    await page.setViewportSize({ width: size, height: size })
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`)
    await writeFile(join(folder, `${name}.png`), await page.screenshot({ omitBackground: true }))
  }
}
await browser.close()
