import { hash } from 'node:crypto'
import { chmod, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { execa } from 'execa'
import packageJson from '../package.json' with { type: 'json' }
import { commandFiles } from './man-page'
import { downloadModules, userspaceWireGuard, windowsService } from './build-helper'
import { isStarted } from './program'
import {
  bundledGoModules,
  bundledNpmPackages,
  bundledRuntimes,
  bundledWintun,
  type BundledSoftware,
} from './bundled-software'

/**
 * Writes the files that packages have besides the app: licence notices, the list of components (CycloneDX), the manual page,
 * and the documentation of a Debian package. build/before-pack.mjs runs it for the app.
 */

const tree = join(import.meta.dirname, '..')

/** The app with its window, and the terminal command alone. */
export type PackageName = 'causeway' | 'causeway-cli'

/** Parts of the build in each package (scripts/bundled-packages.ts). */
const partsOf = { causeway: ['main', 'preload', 'renderer'], 'causeway-cli': ['cli'] } as const

export const maintainer = `${packageJson.author.name} <${packageJson.author.email}>`

/** Returns the time of the release, for packages that are equal byte for byte. */
export function releaseTime(): Date {
  const { SOURCE_DATE_EPOCH: epoch } = process.env
  return epoch === undefined || epoch === '' ? new Date() : new Date(Number(epoch) * 1000)
}

/** Returns the notices as one text. */
export function notices(software: readonly BundledSoftware[]): string {
  const line = '-'.repeat(80)
  return [
    'Causeway contains the following software.\n',
    ...software.map(
      ({ name, version, license, text }) => `${line}\n${name} ${version} (${license})\n${line}\n\n${text}\n`,
    ),
  ].join('\n')
}

/** Returns the components as a CycloneDX document. */
export function componentList(
  software: readonly BundledSoftware[],
  version: string,
  time: Date,
  name: PackageName = 'causeway',
): unknown {
  const components = software.map(({ name, version: of, license, purl }) => ({
    type: name === 'Electron' ? 'framework' : 'library',
    'bom-ref': purl,
    name,
    version: of,
    purl,
    // SPDX has no identifier for terms of one product alone.
    licenses: [{ license: license.startsWith('LicenseRef-') ? { name: license } : { id: license } }],
  }))
  const unique = [...new Map(components.map((component) => [component.purl, component])).values()]
  const digest = hash('sha256', JSON.stringify([version, unique]))
  const uuid = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `5${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ]
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuid.join('-')}`,
    version: 1,
    metadata: {
      timestamp: time.toISOString(),
      component: {
        type: 'application',
        'bom-ref': name,
        name,
        version,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components: unique,
    dependencies: [{ ref: name, dependsOn: unique.map(({ purl }) => purl) }],
  }
}

const fullLicenses = {
  causeway: [
    '/opt/Causeway/resources/licenses/THIRD-PARTY-NOTICES.txt has the licence of each part in full, and',
    '/opt/Causeway/LICENSES.chromium.html.gz those of Chromium.',
  ],
  'causeway-cli': [
    '/usr/lib/causeway/licenses/THIRD-PARTY-NOTICES.txt has the licence of each part in full.',
  ],
} as const

/** Debian's names of licences that SPDX names otherwise. */
const debianNames: Readonly<Record<string, string>> = { MIT: 'Expat' }

/** Returns the copyright file of the Debian package, in Debian's machine-readable format (DEP-5). */
export function debianCopyright(
  software: readonly BundledSoftware[],
  own: string,
  name: PackageName = 'causeway',
): string {
  const named = (license: string) => debianNames[license] ?? license
  const stanzas = [{ files: '*', license: 'MIT', text: own }, ...software].map(({ files, license, text }) => {
    const holders = text
      .split('\n')
      .map((line) => line.trim().replace(/^(\/?\*+|#)\s*/, ''))
      .filter((line) => /^(©|(portions )?copyright\b.*(\d{4}|©|\(c\)))/i.test(line))
      .map((line) => line.replace(/^copyright:?\s*/i, ''))
    const copyright = holders.length === 0 ? [`The authors of ${files}`] : [...new Set(holders)]
    return [
      `Files: ${files}`,
      `Copyright: ${copyright.join('\n           ')}`,
      `License: ${named(license)}`,
    ].join('\n')
  })
  const texts = new Map([['MIT', own]])
  for (const { license, text } of software) if (!texts.has(license)) texts.set(license, text)
  const licenses = [...texts].map(([license, text]) => {
    const common = license === 'Apache-2.0' ? 'See /usr/share/common-licenses/Apache-2.0.' : text
    return `License: ${named(license)}\n${indented(common)}`
  })
  return [
    [
      'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
      'Upstream-Name: Causeway',
      `Upstream-Contact: ${maintainer}`,
      `Comment: ${fullLicenses[name].join('\n ')}`,
    ].join('\n'),
    ...stanzas,
    ...licenses,
    '',
  ].join('\n\n')
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => (line.trim() === '' ? ' .' : ` ${line.trimEnd()}`))
    .join('\n')
}

/** Returns the newest entry of CHANGELOG.md as a Debian changelog. */
export function debianChangelog(markdown: string, time: Date, name: PackageName = 'causeway'): string {
  const [, heading = '', body = ''] = /\n## (.+)\n([^]*?)(?=\n## |$)/.exec(markdown) ?? []
  const version = /^\S+/.exec(heading)?.[0]
  if (version !== packageJson.version)
    throw new Error(`The newest entry of CHANGELOG.md isn't about version ${packageJson.version}.`)
  const items = body
    .split(/\n(?=- )/)
    .filter((item) => item.startsWith('- '))
    .map((item) => `  * ${wrapped(item.slice(2).trim().replaceAll(/\s+/g, ' '), 74).join('\n    ')}`)
  const date = time.toUTCString().replace('GMT', '+0000')
  return `${name} (${version}) unstable; urgency=medium\n\n${items.join('\n')}\n\n -- ${maintainer}  ${date}\n`
}

/** Breaks a text at spaces into lines of at most `width` characters. */
export function wrapped(text: string, width: number): string[] {
  return text.match(new RegExp(`.{1,${width}}(?= |$)`, 'g'))?.map((line) => line.trim()) ?? []
}

async function goVersion(): Promise<string | undefined> {
  const { stdout, failed } = await execa('go', ['env', 'GOVERSION'], { reject: false })
  return failed ? undefined : stdout.replace(/^go/, '')
}

/**
 * Writes all files of a package into a folder, which is emptied before.
 *
 * @param of the package, its Electron if it has one, and the output of `npm run build`
 */
export async function writePackageFiles(
  {
    name,
    electron,
    build,
  }: { readonly name: PackageName; readonly electron?: string; readonly build: string },
  output: string,
): Promise<void> {
  const time = releaseTime()
  const go = await goVersion()
  const isForWindows = process.platform === 'win32'
  const module = isForWindows ? windowsService : userspaceWireGuard
  const hasModules = go !== undefined && (await downloadModules(module))
  const software = [
    ...(await bundledRuntimes(tree, { electron, go })),
    ...(hasModules ? await bundledGoModules(tree) : []),
    ...(isForWindows ? [await bundledWintun()] : []),
    ...(await bundledNpmPackages(tree, build, partsOf[name])),
  ]
  const own = (await readFile(join(tree, 'LICENSE'), 'utf8')).trim()
  const changelog = await readFile(join(tree, 'CHANGELOG.md'), 'utf8')
  const components = componentList(software, packageJson.version, time, name)
  await rm(output, { recursive: true, force: true })
  await mkdir(output, { recursive: true })
  const files = {
    'THIRD-PARTY-NOTICES.txt': notices(software),
    [`${name}.cdx.json`]: `${JSON.stringify(components, undefined, 2)}\n`,
    copyright: debianCopyright(software, own, name),
    'changelog.gz': gzipSync(debianChangelog(changelog, time, name), { level: 9 }),
    ...commandFiles(),
  }
  for (const [file, text] of Object.entries(files)) {
    await writeFile(join(output, file), text)
    // Packages keep the mode, which the umask may have changed.
    await chmod(join(output, file), 0o644)
    await utimes(join(output, file), time, time)
  }
}

if (isStarted(import.meta.url)) {
  const electron = process.argv[2]
  if (electron === undefined) throw new Error('Name the version of Electron.')
  await writePackageFiles(
    { name: 'causeway', electron, build: join(tree, 'out') },
    join(tree, 'out', 'package'),
  )
}
