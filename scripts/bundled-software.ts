import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { z } from 'zod'
import { wintun, wintunLicense } from './fetch-wintun'

/** A piece of software that is part of a package of Causeway. */
export interface BundledSoftware {
  readonly name: string
  readonly version: string
  /** The folder or files in the source tree, as in the copyright file of a Debian package. */
  readonly files: string
  /** An SPDX expression; `LicenseRef-Wintun` for the terms of that library alone. */
  readonly license: string
  /** The text of its licence, with the copyright notice. */
  readonly text: string
  /** The package URL, as in lists of components. */
  readonly purl: string
}

/** Licences that software in a package may have. Each allows redistribution without sources. */
const allowed = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'BlueOak-1.0.0'])

const packageJson = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
})

const lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      license: z.string().optional(),
      dev: z.boolean().optional(),
      optional: z.boolean().optional(),
    }),
  ),
})

/** Returns the packages in package-lock.json by their folders, the tree itself by an empty name. */
export async function lockedPackages(tree: string): Promise<z.infer<typeof lockfile>['packages']> {
  return lockfile.parse(JSON.parse(await readFile(join(tree, 'package-lock.json'), 'utf8'))).packages
}

/**
 * Returns the npm packages in a package of Causeway: those in the code of the parts of a build (scripts/bundled-packages.ts),
 * and the dependencies that are copied as they are.
 *
 * @throws Error if one has no licence text, or a licence that isn't allowed
 */
export async function bundledNpmPackages(
  tree: string,
  build: string,
  parts: readonly string[],
): Promise<BundledSoftware[]> {
  const lists = await Promise.all(parts.map((part) => bundledList(build, part)))
  const all = [...lists.flat(), ...(await copiedPackages(tree))]
  const folders = [...new Set(all.map((folder) => folder.replaceAll('\\', '/')))]
  return Promise.all(folders.sort().map((folder) => npmPackage(tree, folder)))
}

/** Returns one of the lists that scripts/bundled-packages.ts wrote into a build. */
export async function bundledList(build: string, name: string): Promise<string[]> {
  return z.array(z.string()).parse(JSON.parse(await readFile(join(build, 'bundled', `${name}.json`), 'utf8')))
}

/** Headers for building native code, which a package has as it was built by its authors. */
const forBuilding = 'node_modules/node-addon-api'

/** Returns the folders of the npm packages that aren't bundled, but copied. */
export async function copiedPackages(tree: string): Promise<string[]> {
  return Object.entries(await lockedPackages(tree)).flatMap(([folder, { dev, optional }]) =>
    ['', forBuilding].includes(folder) || dev === true || optional === true ? [] : [folder],
  )
}

async function npmPackage(tree: string, folder: string): Promise<BundledSoftware> {
  const place = join(tree, folder)
  const {
    name,
    version,
    license: offered,
  } = packageJson.parse(JSON.parse(await readFile(join(place, 'package.json'), 'utf8')))
  const license = chosenLicense(offered)
  if (license === undefined)
    throw new Error(
      `${name} has the licence ${offered}, which isn't among those allowed (docs/developing.md).`,
    )
  const file = (await readdir(place)).find((entry) => /^(licen[cs]e|copying)/i.test(entry))
  // A package without a text gets the one for its licence and author from build/licenses.
  const text = await readFile(
    file === undefined ? join(tree, 'build', 'licenses', `${name}.txt`) : join(place, file),
    'utf8',
  ).catch((cause: unknown) => {
    throw new Error(`${name} has no licence text.`, { cause })
  })
  return {
    name,
    version,
    files: `${folder}/*`,
    license,
    text: text.trim(),
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  }
}

/** Returns the licence to use: of several with OR between them, the first that is allowed. */
export function chosenLicense(expression: string): string | undefined {
  const choices = expression.replace(/^\((.*)\)$/, '$1').split(' OR ')
  return choices.find((license) => allowed.has(license))
}

/** Returns the library of the privileged helper, and Electron with Chromium and Node.js, of the versions in a package. */
export async function bundledRuntimes(
  tree: string,
  versions: { readonly electron: string | undefined; readonly go: string | undefined },
): Promise<BundledSoftware[]> {
  const electron =
    versions.electron === undefined
      ? []
      : [
          {
            name: 'Electron',
            version: versions.electron,
            files: 'node_modules/electron/*',
            license: 'MIT',
            text: [
              (await readFile(join(tree, 'node_modules', 'electron', 'LICENSE'), 'utf8')).trim(),
              'The licences of Chromium, Node.js and the libraries in them are in LICENSES.chromium.html beside the program, on Linux compressed.',
            ].join('\n\n'),
            purl: `pkg:npm/electron@${versions.electron}`,
          },
        ]
  if (versions.go === undefined) return electron
  const go = {
    name: 'Go',
    version: versions.go,
    files: 'helper/*.go',
    license: 'BSD-3-Clause',
    text: (await readFile(join(tree, 'build', 'licenses', 'go.txt'), 'utf8')).trim(),
    purl: `pkg:golang/std@${versions.go}`,
  }
  return [...electron, go]
}

/** Begins of the licences of Go modules, whose files don't name them. */
const licenseTexts = [
  ['MIT', 'Permission is hereby granted, free of charge, to any person obtaining a copy of'],
  ['BSD-3-Clause', 'Redistribution and use in source and binary forms, with or without'],
] as const

/** Returns Wintun's library in packages for Windows, whose terms allow it beside programs that use its documented calls alone. */
export async function bundledWintun(): Promise<BundledSoftware> {
  return {
    name: 'Wintun',
    version: wintun.version,
    files: 'resources/helper/wintun.dll',
    license: 'LicenseRef-Wintun',
    text: `The file wintun.dll is unchanged. Its terms, from the archive of its authors:\n\n${await wintunLicense()}`,
    purl: `pkg:generic/wintun@${wintun.version}?download_url=${wintun.archive}&checksum=sha256:${wintun.sha256}`,
  }
}

/**
 * Returns the Go modules in the program for WireGuard in user space, on Windows in the service. They have to be downloaded.
 *
 * @throws Error if one has no licence text, or a licence that isn't allowed
 */
export async function bundledGoModules(
  tree: string,
  system: NodeJS.Platform = process.platform,
): Promise<BundledSoftware[]> {
  // A replaced one is Causeway's own.
  const format =
    '{{with .Module}}{{if and .Version (not .Replace)}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}'
  const { stdout } = await execa('go', ['list', '-deps', '-f', format, '.'], {
    cwd: join(tree, 'helper', system === 'win32' ? 'windows-service' : 'userspace-wireguard'),
    env: { GOOS: system === 'win32' ? 'windows' : system, GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'local' },
  })
  const modules = [...new Set(stdout.split('\n').filter(Boolean))].sort()
  return Promise.all(
    modules.map(async (line) => {
      const [name = '', version = '', ...folder] = line.split(' ')
      const place = folder.join(' ')
      const file = (await readdir(place)).find((entry) => /^(LICENSE|COPYING)$/.test(entry))
      if (file === undefined) throw new Error(`${name} has no licence text.`)
      const text = await readFile(join(place, file), 'utf8')
      const license = licenseTexts.find(([, begin]) => text.replaceAll(/\s+/g, ' ').includes(begin))?.[0]
      if (license === undefined) throw new Error(`${name} has no licence that is known to be allowed.`)
      return {
        name,
        version,
        files: `${name}/*`,
        license,
        text: text.trim(),
        purl: `pkg:golang/${name}@${version}`,
      }
    }),
  )
}
