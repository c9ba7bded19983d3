import { readdir } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { type AppPlaces, appPlaces, smallFile } from './installed-apps'

/** Those that are drawn well at 32 pixels, also on dense screens, the best first. */
const sizes = [
  '64x64',
  '48x48',
  '96x96',
  'scalable',
  '128x128',
  '256x256',
  '512x512',
  '32x32',
  '24x24',
  '16x16',
]
/** The default theme of all desktops, in which apps put theirs, and those in which desktops put the icons of their own apps. */
const themes = ['hicolor', 'Adwaita', 'breeze', 'Papirus', 'Yaru', 'Humanity']
const kinds = { png: 'image/png', svg: 'image/svg+xml' } as const
const maxBytes = 192 * 1024

/**
 * Returns the icon of an app as a `data:` URL, which a page shows as a picture and never runs; undefined if none is found.
 *
 * @param icon as in its desktop entry: a name, or an absolute path
 */
export async function appIcon(icon: string, places: AppPlaces = appPlaces()): Promise<string | undefined> {
  for await (const path of candidates(icon, places.folders)) {
    const kind = kinds[path.slice(-3).toLowerCase() as keyof typeof kinds] as string | undefined
    const content = kind === undefined ? undefined : await smallFile(path, maxBytes)
    if (content !== undefined && isPicture(content))
      return `data:${kind ?? ''};base64,${content.toString('base64')}`
  }
  return undefined
}

async function* candidates(icon: string, folders: readonly string[]): AsyncGenerator<string> {
  if (isAbsolute(icon)) {
    yield icon
    return
  }
  // Some have an extension, against the specification.
  const name = icon.replace(/\.(?:png|svg|xpm)$/i, '')
  if (!/^[^\p{Cc}/\\]{1,200}$/u.test(name) || name.startsWith('.')) return
  for (const folder of folders) {
    for (const theme of themes) {
      const place = join(folder, 'icons', theme)
      const present = new Set(await readdir(place).catch(() => []))
      for (const size of sizes)
        if (present.has(size))
          for (const kind of Object.keys(kinds)) yield join(place, size, 'apps', `${name}.${kind}`)
    }
    for (const kind of Object.keys(kinds)) yield join(folder, 'pixmaps', `${name}.${kind}`)
  }
}

function isPicture(content: Buffer): boolean {
  const start = content.subarray(0, 1024).toString('latin1')
  return start.startsWith('\u0089PNG\r\n') || /<svg[\s>]/i.test(start)
}
