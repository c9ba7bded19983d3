import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import packageJson from '../package.json' with { type: 'json' }
import { parseFeed } from '../main/updates/feed'
import { answerHelp } from './help'
import { exitWith, isStarted } from './program'

const help = `Usage: npm run dist:feed -- [--packages FOLDER] [--files URL] [--notes URL] [--rollout PERCENT]
                            [--minimum VERSION] [--days N]

Writes updates.json beside the packages (default dist): the feed in which Causeway looks for new versions. Sign it with minisign.

  --files URL        where the packages are, if not beside the feed
  --notes URL        the page about this version
  --rollout PERCENT  the share of installations that are told of it (default 100)
  --minimum VERSION  the oldest version that is supported
  --days N           how long the feed is valid (default 90)`

interface FeedOptions {
  readonly version: string
  readonly now: Date
  readonly files?: string | undefined
  readonly notes?: string | undefined
  readonly rollout?: number | undefined
  readonly minimum?: string | undefined
  readonly days?: number | undefined
}

/** The packages that Causeway can install (main/updates/update-means.ts), by their names in dist/. */
const targets: readonly (readonly [RegExp, string])[] = [
  [/-arm64\.AppImage$/, 'AppImage-arm64'],
  [/\.AppImage$/, 'AppImage-x64'],
  [/-x64-setup\.exe$/, 'nsis-x64'],
  [/-arm64-setup\.exe$/, 'nsis-arm64'],
  [/-mac\.zip$/, 'mac'],
]

/** Returns the feed of a version with the packages in a folder. Throws if Causeway would refuse it. */
export async function updateFeed(folder: string, options: FeedOptions): Promise<string> {
  const { version, now, files: base = '', notes, rollout = 100, minimum, days = 90 } = options
  const files: Record<string, unknown> = {}
  for (const name of (await readdir(folder)).sort()) {
    const target = targets.find(([pattern]) => pattern.test(name))?.[1]
    if (target === undefined || !name.includes(version)) continue
    const hash = createHash('sha512')
    await pipeline(createReadStream(join(folder, name)), hash)
    const { size } = await stat(join(folder, name))
    files[target] = { file: `${base}${encodeURIComponent(name)}`, sha512: hash.digest('base64'), size }
  }
  const feed = {
    // Grows with each feed, also for another roll-out of the same version.
    v: Math.floor(now.getTime() / 1000),
    version,
    date: now.toISOString().slice(0, 10),
    expires: new Date(now.getTime() + days * 86_400_000).toISOString(),
    minimumVersion: minimum,
    notes,
    rollout,
    files,
  }
  const json = `${JSON.stringify(feed, undefined, 2)}\n`
  parseFeed(json, new URL('https://updates.example.org/updates.json'))
  return json
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      packages: { type: 'string', default: 'dist' },
      files: { type: 'string' },
      notes: { type: 'string' },
      rollout: { type: 'string' },
      minimum: { type: 'string' },
      days: { type: 'string' },
    },
  })
  const { packages, rollout, days, ...rest } = values
  const feed = await updateFeed(packages, {
    ...rest,
    version: packageJson.version,
    now: new Date(),
    rollout: rollout === undefined ? undefined : Number(rollout),
    days: days === undefined ? undefined : Number(days),
  })
  const path = join(packages, 'updates.json')
  await writeFile(path, feed)
  console.log(`${feed}\nSign it: minisign -S -s KEY -m ${path} -x ${path}.minisig`)
  return 0
}

if (isStarted(import.meta.url)) {
  answerHelp(help)
  await exitWith(main)
}
