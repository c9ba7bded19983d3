import { z } from 'zod'

const places = {
  app: 'the app',
  command: 'the terminal command',
  mock: 'the mock server',
  helper: 'the helper',
  service: 'the service of Windows',
} as const

const partSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  /** The repository of those who maintain it. */
  who: z.string(),
  kilobytes: z.int().optional(),
  where: z.array(z.enum(['app', 'command', 'mock', 'helper', 'service'])),
})
export type Part = z.infer<typeof partSchema>

const date = z.iso.date()

export const supplyChainSchema = z.object({
  /** The day on which the registries were asked. */
  asked: date,
  parts: z.array(partSchema),
  /** The last release of each package by name. */
  releases: z.record(
    z.string(),
    z.object({
      version: z.string(),
      /** When it was published. */
      date: date.optional(),
      /** A day by which it was published, if no more is known. */
      by: date.optional(),
      /** The newest release whose day is known, if that of the last one isn't. */
      known: z.object({ version: z.string(), date }).optional(),
    }),
  ),
  /** Why packages are used that seem to have had no release for two years, by name. */
  reasons: z.record(z.string(), z.string()),
})
export type SupplyChain = z.infer<typeof supplyChainSchema>

/** Returns the names of the packages that aren't known to have had a release in the two years before the registries were asked. */
export function withoutRelease({ asked, parts, releases }: SupplyChain): string[] {
  const limit = `${Number(asked.slice(0, 4)) - 2}${asked.slice(4)}`
  const isRecent = (name: string) => {
    const { date: exact, known } = releases[name] ?? {}
    return (exact ?? known?.date ?? '') >= limit
  }
  return [...new Set(parts.map(({ name }) => name))].filter((name) => !isRecent(name)).sort()
}

/** Returns `docs/supply-chain.md`. */
export function supplyChainPage(chain: SupplyChain): string {
  const { asked, parts, releases, reasons } = chain
  const released = (name: string): string => {
    const last = releases[name]
    if (last === undefined) return 'not known'
    if (last.date !== undefined) return `${last.version}, ${last.date}`
    const bound = `${last.version}, by ${last.by ?? asked}`
    return last.known === undefined ? bound : `${bound} (${last.known.version}: ${last.known.date})`
  }
  const rows = parts.map((part) =>
    [
      part.name,
      part.version,
      part.license,
      released(part.name),
      part.who,
      part.kilobytes ?? '',
      part.where.map((place) => places[place]).join(', '),
    ].join(' | '),
  )
  const old = withoutRelease(chain).map((name) => `| ${name} | ${reasons[name] ?? '**none**'} |`)
  return `# Supply chain

What packages of Causeway contain besides its own code. \`npm run supply-chain\` wrote this page; with \`-- --update\` it asks the package
registries for the last releases, last on ${asked}. Each release has the same list for machines (CycloneDX), with the Go modules of
the helper ([Releasing](releasing.md#contents-of-a-package)).

- **Size** is that of the package's code in the bundle before it is made smaller. For the helper, it is the whole program. Electron
  takes most of the package with the window ([Releasing](releasing.md#contents-of-a-package)).
- **Last release** is the last one of the package, not the version that is used. "by" a day: where a registry is reached through a
  mirror, it tells only when the mirror got that version, which may be years later, and never when it was published. The date in
  brackets is then that of the newest release whose day is known from the tags of its repository.
- **From** is the repository, whose owners maintain the package.

| Package | Version | Licence | Last release | From | kB | In |
| --- | --- | --- | --- | --- | --- | --- |
${rows.map((row) => `| ${row} |`).join('\n')}

## Without a known release in two years

Each has a reason. \`scripts/supply-chain.test.ts\` fails without one.

| Package | Why it is used |
| --- | --- |
${old.join('\n')}
`
}
