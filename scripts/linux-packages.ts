import { hash } from 'node:crypto'
import { chmod, copyFile, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { getConfig } from 'app-builder-lib/out/util/config/config.js'
import { execa } from 'execa'
import { z } from 'zod'
import { helperFolder } from '../main/privilege/find-helper'
import packageJson from '../package.json' with { type: 'json' }
import { bundledList, copiedPackages } from './bundled-software'
import { setModes } from './file-modes'
import { maintainer, type PackageName, wrapped } from './package-files'
import { inTemporaryFolder } from './program'

/** Deb and rpm packages, from one description: the app with its window, and the terminal command alone. */

const tree = join(import.meta.dirname, '..')
const formats = ['deb', 'rpm'] as const
export type Format = (typeof formats)[number]

/** Folders from which packages are made. */
export interface PackageSources {
  /** The output of `npm run build`. */
  readonly build: string
  /** What scripts/package-files.ts wrote for this package. */
  readonly texts: string
  /** The privileged helper and WireGuard in user space, for the processor of the package. */
  readonly helper: string
  /** The app as electron-builder packed it, for the package with the window. */
  readonly app?: string
  readonly arch: 'x64' | 'arm64'
  readonly time: Date
}

/** A file, a folder with all its files, or a link, by its absolute path on the computer where it is installed. */
type Entry = { readonly to: string } & (
  | { readonly from: string; readonly skip?: (path: string) => boolean }
  | { readonly link: string }
  | { readonly text: string; readonly isProgram?: boolean }
)

const byFormat = <T>(deb: T, rpm: T): Readonly<Record<Format, T>> => ({ deb, rpm })

/** Packages that each needs, recommends, or suggests in place of what it would have to replace. */
const relations = {
  causeway: {
    depends: byFormat(
      [
        'libc6 (>= 2.31)',
        'openvpn',
        'libsecret-1-0',
        'libgtk-3-0t64 | libgtk-3-0',
        'libnss3',
        'libasound2t64 | libasound2',
        'libgbm1',
        'xdg-utils',
        // What the helper needs (docs/helper.md).
        'pkexec | policykit-1',
        'iproute2',
      ],
      ['openvpn', 'libsecret', 'gtk3', 'nss', 'alsa-lib', 'mesa-libgbm', 'xdg-utils', 'polkit', 'iproute'],
    ),
    recommends: byFormat(['libnotify4', 'nftables'], ['libnotify', 'nftables']),
  },
  'causeway-cli': {
    depends: byFormat(
      ['nodejs (>= 20.19)', 'libc6 (>= 2.31)', 'openvpn', 'iproute2'],
      ['nodejs >= 20.19', 'openvpn', 'iproute'],
    ),
    // Root on a server needs neither a key store nor a question for a password.
    recommends: byFormat(
      ['libsecret-1-0', 'nftables', 'pkexec | policykit-1 | sudo'],
      ['libsecret', 'nftables', 'polkit'],
    ),
  },
} as const
/** It would replace the name resolution of a system that has neither. */
const suggests = 'systemd-resolved | openresolv | resolvconf'

const synopsis = {
  causeway: "VPN client for eduVPN and Let's Connect! portals",
  'causeway-cli': "VPN client for eduVPN and Let's Connect! portals (terminal only)",
} as const

const about = [
  "Causeway connects this computer to VPN services with an eduVPN or Let's Connect! portal. It finds your organization, signs in with your browser, and sets up OpenVPN or WireGuard for you.",
  'A small privileged helper makes the tunnel, sets its DNS servers and, if you want, blocks all traffic while the VPN is down.',
]
const paragraphs = {
  causeway: [
    ...about,
    'This package has the window and the terminal command, with the same functions. For servers there is the smaller package causeway-cli.',
  ],
  'causeway-cli': [
    ...about,
    'This package has the terminal command alone, for servers and other computers without a display. It runs on the Node.js of the system. The package causeway has the window as well.',
  ],
} as const

/** The maintainer scripts of both packages, by their file in build/linux and their names in each format. */
const scripts = [
  { file: 'after-install', deb: 'postinst', rpm: 'post' },
  { file: 'before-remove', deb: 'prerm', rpm: 'preun' },
  { file: 'after-remove', deb: 'postrm', rpm: 'postun' },
] as const

const processors = byFormat({ x64: 'amd64', arm64: 'arm64' }, { x64: 'x86_64', arm64: 'aarch64' })

/** Returns the file name of a package. */
export function fileName(name: PackageName, format: Format, arch: PackageSources['arch']): string {
  const processor = processors[format][arch]
  return format === 'deb'
    ? `${name}_${packageJson.version}_${processor}.deb`
    : `${name}-${packageJson.version}.${processor}.rpm`
}

/**
 * Makes a package. The same sources, time and tools give the same bytes.
 *
 * @param folder for the package, and for the files that it is made from while that happens
 * @returns the path of the package
 * @throws ExecaError with what `dpkg-deb` or `rpmbuild` says
 */
export async function makePackage(
  name: PackageName,
  format: Format,
  sources: PackageSources,
  folder: string,
): Promise<string> {
  const made = join(folder, fileName(name, format, sources.arch))
  const root = join(folder, `${name}-${format}`)
  await rm(root, { recursive: true, force: true })
  await layOut(root, await contents(name, format, sources), sources.time)
  await (format === 'deb' ? makeDeb(name, root, sources, made) : makeRpm(name, root, sources, made))
  await rm(root, { recursive: true })
  return made
}

async function contents(name: PackageName, format: Format, sources: PackageSources): Promise<Entry[]> {
  const { texts } = sources
  const own = (path: string) => join(tree, path)
  const inTexts = (file: string) => join(texts, file)
  const completions = {
    bash: '/usr/share/bash-completion/completions/causeway',
    fish: '/usr/share/fish/vendor_completions.d/causeway.fish',
    zsh: `/usr/share/zsh/${format === 'deb' ? 'vendor-completions' : 'site-functions'}/_causeway`,
  }
  return [
    ...(name === 'causeway' ? await window(sources) : await terminal(sources)),
    { to: '/usr/share/man/man1/causeway.1.gz', from: inTexts('causeway.1.gz') },
    ...Object.entries(completions).map(([shell, to]) => ({ to, from: inTexts(`completion.${shell}`) })),
    { to: '/usr/lib/systemd', from: own('build/linux/systemd') },
    {
      to: '/usr/lib/systemd/system/sysinit.target.wants/causeway-resolv-conf.service',
      link: '../causeway-resolv-conf.service',
    },
    { to: '/usr/lib/sysusers.d/causeway.conf', from: own('build/linux/sysusers.conf') },
    ...['causeway-helper', 'causeway-wireguard'].map((program) => ({
      to: `${helperFolder.linux}/${program}`,
      from: join(sources.helper, program),
    })),
    {
      to: '/usr/share/polkit-1/actions/org.causeway.helper.policy',
      from: own('helper/org.causeway.helper.policy'),
    },
    ...(format === 'deb'
      ? [
          { to: `/usr/share/doc/${name}/copyright`, from: inTexts('copyright') },
          { to: `/usr/share/doc/${name}/changelog.gz`, from: inTexts('changelog.gz') },
          { to: `/usr/share/lintian/overrides/${name}`, from: own(`build/linux/lintian/${name}`) },
        ]
      : [{ to: `/usr/share/licenses/${name}/copyright`, from: inTexts('copyright') }]),
  ]
}

async function window({ app }: PackageSources): Promise<Entry[]> {
  if (app === undefined) throw new Error('The package with the window needs the packed app.')
  const share = (path: string) => `/usr/share/${path}`
  // The theme has no larger ones.
  const sizes = [16, 32, 48, 64, 128, 256, 512].map((size) => `${size}x${size}`)
  return [
    // An AppImage or an archive installs the helper from there; a package has installed it.
    { to: '/opt/Causeway', from: app, skip: (path) => path === join(app, 'resources/helper') },
    { to: '/usr/bin/causeway', link: '/opt/Causeway/causeway' },
    { to: share('applications/causeway.desktop'), text: await desktopEntry() },
    {
      to: share('metainfo/org.causeway.app.metainfo.xml'),
      from: join(tree, 'build/linux/org.causeway.app.metainfo.xml'),
    },
    ...sizes.map((size) => ({
      to: share(`icons/hicolor/${size}/apps/causeway.png`),
      from: join(tree, `build/icons/app/${size}.png`),
    })),
    { to: share('icons/hicolor/scalable/apps/causeway.svg'), from: join(tree, 'build/icons/app.svg') },
  ]
}

const desktop = z.object({
  description: z.string(),
  category: z.string(),
  desktop: z.object({
    entry: z.record(z.string(), z.string()),
    desktopActions: z.record(z.string(), z.record(z.string(), z.string())),
  }),
})

/** Returns the desktop entry, from the same description as that of an AppImage. */
async function desktopEntry(): Promise<string> {
  const { linux, protocols } = await getConfig(tree, 'electron-builder.yml', null)
  const { description, category, desktop: own } = desktop.parse(linux)
  const [{ schemes }] = z.tuple([z.object({ schemes: z.array(z.string()) })]).parse(protocols)
  const group = (name: string, values: Readonly<Record<string, string>>) =>
    [`[${name}]`, ...Object.entries(values).map(([key, value]) => `${key}=${value}`), ''].join('\n')
  return [
    group('Desktop Entry', {
      Type: 'Application',
      Name: packageJson.productName,
      Comment: description,
      Exec: 'causeway %U',
      Icon: 'causeway',
      Terminal: 'false',
      StartupWMClass: packageJson.desktopName.replace('.desktop', ''),
      Categories: `${category};`,
      MimeType: schemes.map((scheme) => `x-scheme-handler/${scheme};`).join(''),
      ...own.entry,
    }),
    ...Object.entries(own.desktopActions).map(([name, values]) => group(`Desktop Action ${name}`, values)),
  ].join('\n')
}

async function terminal({ build, texts, arch }: PackageSources): Promise<Entry[]> {
  const folder = '/usr/lib/causeway'
  const files = await bundledList(build, 'cli-files')
  const started = await readFile(join(build, 'main/cli.js'), 'utf8')
  // What the notices have, what only building native code needs, and native code for other processors.
  const isUnused = (path: string) =>
    /\.(md|d\.ts)$|\/license$|\/keytar\/(binding\.gyp|build|script|src)$/.test(path) ||
    (basename(dirname(path)) === 'prebuilds' && basename(path) !== `linux-${arch}`)
  return [
    ...files
      .filter((file) => file !== 'cli.js')
      .map((file) => ({ to: `${folder}/out/main/${file}`, from: join(build, 'main', file) })),
    {
      to: `${folder}/out/main/cli.js`,
      // The Node.js that this package depends on, and not another one on the path of whoever calls it.
      text: started.replace(/^#!.*/, '#!/usr/bin/node'),
      isProgram: true,
    },
    {
      to: `${folder}/package.json`,
      text: `${JSON.stringify({ name: 'causeway-cli', version: packageJson.version, type: 'module' })}\n`,
    },
    ...(await copiedPackages(tree)).map((module) => ({
      to: `${folder}/${module}`,
      from: join(tree, module),
      skip: isUnused,
    })),
    { to: `${folder}/policy.schema.json`, from: join(tree, 'docs/policy.schema.json') },
    { to: `${folder}/licenses/THIRD-PARTY-NOTICES.txt`, from: join(texts, 'THIRD-PARTY-NOTICES.txt') },
    { to: '/usr/bin/causeway', link: '../lib/causeway/out/main/cli.js' },
  ]
}

/** Writes the files below `root` as they will be on a computer: readable by all, writable by their owner, from one time. */
async function layOut(root: string, entries: readonly Entry[], time: Date): Promise<void> {
  for (const entry of entries) {
    const target = join(root, entry.to)
    await mkdir(dirname(target), { recursive: true })
    if ('link' in entry) await symlink(entry.link, target)
    else if ('text' in entry)
      await writeFile(target, entry.text, { mode: entry.isProgram === true ? 0o755 : 0o644 })
    else
      await cp(entry.from, target, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (path) => entry.skip?.(path) !== true,
      })
  }
  await setModes(root, time)
}

async function makeDeb(
  name: PackageName,
  root: string,
  { arch, time }: PackageSources,
  made: string,
): Promise<void> {
  const all = await readdir(root, { recursive: true, withFileTypes: true })
  const files = all
    .filter((each) => each.isFile())
    .map((each) => relative(root, join(each.parentPath, each.name)))
    .sort()
  const sums: string[] = []
  // As dpkg-gencontrol counts: files in whole kibibytes, and one for everything else.
  let kibibytes = all.length - files.length
  for (const file of files) {
    const content = await readFile(join(root, file))
    sums.push(`${hash('md5', content)}  ${file}\n`)
    kibibytes += Math.ceil(content.length / 1024)
  }
  const { depends, recommends } = relations[name]
  const fields = {
    Package: name,
    Version: packageJson.version,
    Architecture: processors.deb[arch],
    Maintainer: maintainer,
    'Installed-Size': String(kibibytes),
    Depends: depends.deb.join(', '),
    Recommends: recommends.deb.join(', '),
    Suggests: suggests,
    Conflicts: otherThan(name),
    Replaces: otherThan(name),
    Section: 'net',
    Priority: 'optional',
    Homepage: packageJson.homepage,
    Description: [synopsis[name], ...description(name).map((line) => ` ${line === '' ? '.' : line}`)].join(
      '\n',
    ),
  }
  const control = join(root, 'DEBIAN')
  await mkdir(control)
  await writeFile(
    join(control, 'control'),
    Object.entries(fields)
      .map(([key, value]) => `${key}: ${value}\n`)
      .join(''),
  )
  await writeFile(join(control, 'md5sums'), sums.join(''))
  for (const { file, deb } of scripts) await copyFile(join(tree, 'build/linux', file), join(control, deb))
  await setModes(control, time)
  for (const { deb } of scripts) await chmod(join(control, deb), 0o755)
  await execa('dpkg-deb', ['--build', '--root-owner-group', '-Zxz', root, made], {
    env: { SOURCE_DATE_EPOCH: seconds(time) },
  })
}

/** Returns the package that installs the same command. */
function otherThan(name: PackageName): PackageName {
  return name === 'causeway' ? 'causeway-cli' : 'causeway'
}

function seconds(time: Date): string {
  return String(Math.floor(time.getTime() / 1000))
}

/** Returns the lines of the description, with an empty one between paragraphs. */
function description(name: PackageName): string[] {
  return paragraphs[name].flatMap((text, at) => [...(at === 0 ? [] : ['']), ...wrapped(text, 78)])
}

/** Settings of rpmbuild: files as they are, and the same bytes each time. rpm 4.20 renamed the second of the times to the third. */
const rpmSettings = [
  '__os_install_post %{nil}',
  'debug_package %{nil}',
  '_build_id_links none',
  '_binary_payload w6T0.xzdio',
  'use_source_date_epoch_as_buildtime 1',
  'clamp_mtime_to_source_date_epoch 1',
  'build_mtime_policy clamp_to_source_date_epoch',
  '_buildhost localhost',
]

async function makeRpm(
  name: PackageName,
  files: string,
  { arch, time }: PackageSources,
  made: string,
): Promise<void> {
  // rpmbuild puts its folder into scripts as it is: with a space in it, it would remove folders of other names.
  await inTemporaryFolder('rpm', async (short) => {
    const output = join(short, 'output')
    await symlink(dirname(made), output)
    const root = join(output, basename(files))
    const folder = `${root}-build`
    await mkdir(folder)
    const spec = join(folder, `${name}.spec`)
    await writeFile(spec, await rpmSpec(name, root))
    const settings = [
      `_topdir ${folder}`,
      `_rpmdir ${output}`,
      `_rpmfilename ${basename(made)}`,
      ...rpmSettings,
    ]
    await execa(
      'rpmbuild',
      ['-bb', '--target', processors.rpm[arch], ...settings.flatMap((each) => ['--define', each]), spec],
      { env: { SOURCE_DATE_EPOCH: seconds(time) } },
    )
    await rm(folder, { recursive: true })
  })
}

/** Returns the description from which rpmbuild makes a package of the files in `root`. */
async function rpmSpec(name: PackageName, root: string): Promise<string> {
  const { depends, recommends } = relations[name]
  const all = await readdir(root, { recursive: true, withFileTypes: true })
  const files = all
    .map((each) => ({ each, path: `/${relative(root, join(each.parentPath, each.name))}` }))
    // Folders of the system belong to other packages.
    .filter(({ each, path }) => !each.isDirectory() || /\/causeway(-cli)?(\/|$)/i.test(path))
    .map(({ each, path }) => `${each.isDirectory() ? '%dir ' : ''}"${path}"`)
    .sort()
  const sections = scripts.map(
    async ({ file, rpm }) => `%${rpm}\n${await readFile(join(tree, 'build/linux', file), 'utf8')}`,
  )
  return [
    `Name: ${name}\nVersion: ${packageJson.version}\nRelease: 1\nSummary: ${synopsis[name]}\nLicense: MIT`,
    `URL: ${packageJson.homepage}\nVendor: ${packageJson.author.name}\nPackager: ${maintainer}\nAutoReqProv: no`,
    ...depends.rpm.map((each) => `Requires: ${each}`),
    ...recommends.rpm.map((each) => `Recommends: ${each}`),
    `Conflicts: ${otherThan(name)}`,
    `%description\n${description(name).join('\n')}`,
    `%install\ncp -a ${root}/. %{buildroot}`,
    ...(await Promise.all(sections)),
    // Where this package replaces the other one, rpm runs %post before the %preun of that one, which lets no connection start.
    '%posttrans\nrm -f /run/causeway/stopped',
    `%files\n%defattr(-,root,root,-)\n${files.join('\n')}\n`,
  ].join('\n')
}
