import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { languageNames } from '../contract/locales/languages'
import { helperTargets } from '../main/privilege/helper-files'
import packageJson from '../package.json' with { type: 'json' }
import { builtUserspaceWireGuard } from './build-helper'
import { programPath } from './dist-targets'
import { makePackage } from './linux-packages'
import { isNightly } from './nightly-tests'
import { writePackageFiles } from './package-files'
import { shippedPackages } from './supply-chain'
import { supplyChainSchema } from './supply-chain-page'
import { slow } from './slow.testing'

const tree = join(import.meta.dirname, '..')
const time = new Date('2026-11-20T12:00:00Z')
const hasTools = (await programPath('dpkg-deb')) !== undefined && existsSync(builtUserspaceWireGuard)

describe.skipIf(!hasTools)('the package of the terminal command', () => {
  let folder = ''
  /** The built app. */
  let build = ''
  let deb = ''
  /** The files of the package, unpacked. */
  let files = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'causeway-cli-'))
    // `npm test` names the one that it has just built.
    build = process.env.TEST_BUILD ?? join(folder, 'out')
    if (process.env.TEST_BUILD === undefined)
      await execa('electron-vite', ['build', '--outDir', build, '--logLevel', 'warn'], {
        cwd: tree,
        preferLocal: true,
      })
    await writePackageFiles({ name: 'causeway-cli', build }, join(folder, 'texts'))
    deb = await make('first')
    files = join(folder, 'files')
    await execa('dpkg-deb', ['--extract', deb, files])
  }, 300_000)

  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function make(name: string): Promise<string> {
    const sources = { build, texts: join(folder, 'texts'), time, arch: 'x64' } as const
    await mkdir(join(folder, name))
    const helper = dirname(builtUserspaceWireGuard)
    return makePackage('causeway-cli', 'deb', { ...sources, helper }, join(folder, name))
  }

  it('takes less than 40 MB beside Node.js, OpenVPN and iproute2', async () => {
    const { stdout } = await execa('dpkg-deb', ['--field', deb, 'Installed-Size'])
    expect(Number(stdout) / 1024).toBeGreaterThan(5)
    expect(Number(stdout) / 1024).toBeLessThan(20)
    expect((await stat(deb)).size).toBeLessThan(5e6)
  })

  it('needs a Node.js that Causeway runs on, and cannot be installed beside the package with the window', async () => {
    const { stdout } = await execa('dpkg-deb', ['--field', deb])
    const oldest = /(\d+\.\d+)/.exec(packageJson.engines.node)?.[1] ?? ''
    expect(stdout).toContain(`Depends: nodejs (>= ${oldest}), `)
    expect(stdout).toContain('\nConflicts: causeway\nReplaces: causeway\n')
    expect(stdout.split('\n').filter((line) => line === ' .')).toHaveLength(2)
  })

  it('belongs to root, who alone may write, and has no set-user-ID program', async () => {
    const { stdout } = await execa('dpkg-deb', ['--contents', deb])
    for (const line of stdout.split('\n'))
      expect(line).toMatch(
        /^(d(rwxr-xr-x)|-rw-r--r--|-rwxr-xr-x|lrwxrwxrwx) root\/root +\d+ 2026-11-20 12:00 /,
      )
  })

  it('has the command, what makes tunnels, the units, the manual and the completions', async () => {
    const installed = (await readdir(files, { recursive: true })).map((path) => `/${path}`)
    expect(installed).toEqual(
      expect.arrayContaining([
        ...helperTargets('linux', '/'),
        '/usr/bin/causeway',
        '/usr/lib/causeway/policy.schema.json',
        '/usr/lib/systemd/system/causeway-resolv-conf.service',
        '/usr/lib/systemd/system/causeway@.service',
        '/usr/lib/systemd/system/sysinit.target.wants/causeway-resolv-conf.service',
        '/usr/lib/systemd/user/causeway@.service',
        '/usr/lib/sysusers.d/causeway.conf',
        '/usr/share/bash-completion/completions/causeway',
        '/usr/share/doc/causeway-cli/changelog.gz',
        '/usr/share/doc/causeway-cli/copyright',
        '/usr/share/fish/vendor_completions.d/causeway.fish',
        '/usr/share/man/man1/causeway.1.gz',
        '/usr/share/zsh/vendor-completions/_causeway',
      ]),
    )
    const wrong = /electron|renderer|preload|darwin|win32|arm64|\.map$/
    expect(installed.filter((path) => wrong.test(path))).toEqual([])
  })

  slow('runs on the Node.js of the system', async () => {
    const link = join(files, 'usr/bin/causeway')
    const command = join(dirname(link), await readlink(link))
    expect(await readFile(command, 'utf8')).toMatch(/^#!\/usr\/bin\/node\n/)
    expect((await stat(command)).mode & 0o777).toBe(0o755)
    const home = join(folder, 'home')
    await mkdir(home, { recursive: true })
    const run = (...words: string[]) =>
      execa(process.execPath, [link, ...words], {
        env: { PATH: process.env.PATH ?? '', HOME: home },
        extendEnv: false,
        reject: false,
      })
    expect((await run('--version')).stdout).toBe(packageJson.version)
    expect(JSON.parse((await run('--json', 'doctor')).stdout)).toContainEqual(
      expect.objectContaining({ name: 'openvpn', status: 'ok' }),
    )
    const again = await run('connect', '--detach', '--secret-store', 'file', '--json')
    expect(JSON.parse(again.stderr)).toMatchObject({ error: { code: 'usage/instance-needed' } })
    expect((await run('app')).exitCode).toBe(2)
  })

  it('lists its parts and their licences, and nothing of the window', async () => {
    const list = await readFile(join(folder, 'texts/causeway-cli.cdx.json'), 'utf8')
    for (const name of ['Go', 'golang.zx2c4.com/wireguard', 'commander', '@github/keytar'])
      expect(list).toContain(`"name": "${name}"`)
    expect(list).not.toMatch(/"name": "(Electron|react|electron-updater|node-addon-api)"/)
    const copyright = await readFile(join(files, 'usr/share/doc/causeway-cli/copyright'), 'utf8')
    expect(copyright).toContain('Files: node_modules/commander/*')
  })

  it('has the parts that the page of the supply chain lists, which npm run supply-chain writes', async () => {
    const { parts } = supplyChainSchema.parse(
      JSON.parse(await readFile(join(tree, 'scripts/supply-chain.json'), 'utf8')),
    )
    // Sizes depend on the bundler.
    const named = (all: typeof parts) =>
      all.map(({ name, version, license, where }) => [name, version, license, where.join()].join(' '))
    const fromNpm = parts
      .filter(({ where }) => !where.includes('helper') && !where.includes('service'))
      .slice(1)
    expect(named(fromNpm)).toEqual(named(await shippedPackages(build)))
    const components = await readFile(join(folder, 'texts/causeway-cli.cdx.json'), 'utf8')
    for (const { name, version } of parts.filter(({ where }) => where.includes('helper')).slice(1))
      expect(components).toContain(`pkg:golang/${name}@${version}`)
  })

  it.runIf(isNightly)(
    'is the same, byte for byte, whatever the umask',
    async () => {
      const before = process.umask(0o077)
      try {
        const second = await make('second')
        expect((await readFile(second)).equals(await readFile(deb))).toBe(true)
      } finally {
        process.umask(before)
      }
    },
    120_000,
  )

  it.runIf(isNightly)(
    'satisfies lintian',
    async () => {
      const { all } = await execa('lintian', ['--allow-root', '--fail-on', 'error,warning', deb], {
        all: true,
        reject: false,
      })
      expect(all).not.toMatch(/^[EW]:/m)
    },
    120_000,
  )
})

/** Makes the package with the window of files that only have the names of the real ones. */
async function makeOfStandIns(format: 'deb' | 'rpm'): Promise<string> {
  // A checkout may be in a folder with such a name.
  const folder = await mkdtemp(join(tmpdir(), "causeway 100% of a 'window' -"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const files = [
    ...['causeway-app', 'chrome-sandbox', 'resources/app.asar', 'resources/helper/causeway-helper'].map(
      (name) => `app/${name}`,
    ),
    ...[
      'causeway.1.gz',
      'completion.bash',
      'completion.fish',
      'completion.zsh',
      'copyright',
      'changelog.gz',
    ].map((name) => `texts/${name}`),
    ...['causeway-helper', 'causeway-wireguard'].map((name) => `helper/${name}`),
  ]
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), file, { mode: /app\/c|helper/.test(file) ? 0o775 : 0o664 })
  }
  const [app, texts, helper] = [join(folder, 'app'), join(folder, 'texts'), join(folder, 'helper')]
  return makePackage('causeway', format, { build: '', app, texts, helper, arch: 'arm64', time }, folder)
}

/** Of each package with the window. */
const windowFiles = [
  ...helperTargets('linux', '/'),
  '/opt/Causeway/causeway-app',
  '/opt/Causeway/chrome-sandbox',
  '/opt/Causeway/resources/app.asar',
  '/usr/bin/causeway',
  '/usr/lib/systemd/system/causeway@.service',
  '/usr/lib/sysusers.d/causeway.conf',
  '/usr/share/applications/causeway.desktop',
  '/usr/share/icons/hicolor/48x48/apps/causeway.png',
  '/usr/share/icons/hicolor/scalable/apps/causeway.svg',
  '/usr/share/metainfo/org.causeway.app.metainfo.xml',
]

it.skipIf((await programPath('dpkg-deb')) === undefined)(
  'the deb with the window has the helper once, and a desktop entry in every language',
  async () => {
    const deb = await makeOfStandIns('deb')
    expect(basename(deb)).toBe(`causeway_${packageJson.version}_arm64.deb`)
    const files = join(dirname(deb), 'files')
    await execa('dpkg-deb', ['--extract', deb, files])
    const installed = (await readdir(files, { recursive: true })).map((path) => `/${path}`)
    expect(installed).toEqual(expect.arrayContaining(windowFiles))
    expect(installed.filter((path) => path.endsWith('/causeway-helper'))).toHaveLength(1)
    expect(await readlink(join(files, 'usr/bin/causeway'))).toBe('/opt/Causeway/causeway')
    const entry = await readFile(join(files, 'usr/share/applications/causeway.desktop'), 'utf8')
    expect(entry).toMatch(/^\[Desktop Entry\]\nType=Application\nName=Causeway\n/)
    expect(entry).toContain('\nExec=causeway %U\n')
    expect(entry).toContain('\nMimeType=x-scheme-handler/causeway;\n')
    expect(entry).toContain('\n\n[Desktop Action Disconnect]\n')
    expect(entry.match(/^Comment(\[..\])?=/gm)).toHaveLength(12)
    const action = join(files, 'usr/share/polkit-1/actions/org.causeway.helper.policy')
    const asked = await readFile(action, 'utf8')
    for (const part of ['description', 'message']) {
      const [english, ...others] = [...asked.matchAll(new RegExp(`<${part}(?: xml:lang="(..)")?>`, 'g'))]
      expect(english?.[1]).toBeUndefined()
      expect(['en', ...others.map(([, language]) => language)].sort()).toEqual(
        Object.keys(languageNames).sort(),
      )
    }
    const { stdout } = await execa('dpkg-deb', ['--field', deb])
    expect(stdout).toContain('\nConflicts: causeway-cli\nReplaces: causeway-cli\n')
    // It would change how the system looks up names.
    expect(stdout).toContain('\nRecommends: libnotify4, nftables\nSuggests: systemd-resolved | ')
  },
)

it.skipIf((await programPath('rpmbuild')) === undefined)(
  'the rpm with the window has the same files, and the same scripts',
  async () => {
    const rpm = await makeOfStandIns('rpm')
    expect(basename(rpm)).toBe(`causeway-${packageJson.version}.aarch64.rpm`)
    const ask = async (...words: string[]) =>
      (await execa('rpm', ['-qp', ...words, basename(rpm)], { cwd: dirname(rpm) })).stdout
    const format = '[%{FILEMODES:perms} %{FILEUSERNAME}:%{FILEGROUPNAME} %{FILENAMES}\n]'
    const lines = (await ask('--queryformat', format)).split('\n')
    for (const line of lines)
      expect(line).toMatch(/^(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x|lrwxrwxrwx) root:root \//)
    const installed = lines.map((line) => line.split(' ')[2])
    expect(installed).toEqual(expect.arrayContaining(windowFiles))
    // Those belong to the system.
    for (const folder of ['/usr', '/opt', '/usr/bin', '/usr/lib/systemd'])
      expect(installed).not.toContain(folder)
    const scripts = await ask('--scripts')
    for (const name of ['after-install', 'before-remove', 'after-remove'])
      expect(scripts).toContain((await readFile(join(tree, 'build/linux', name), 'utf8')).trim())
    expect(await ask('--conflicts')).toBe('causeway-cli')
    expect((await ask('--recommends')).split('\n').sort()).toEqual(['libnotify', 'nftables'])
  },
)

it.skipIf((await programPath('rpmbuild')) === undefined)(
  'an rpm that replaces the other one lets connections start again',
  async () => {
    const rpm = await makeOfStandIns('rpm')
    const folder = dirname(rpm)
    const helper = join(folder, 'usr/libexec/causeway/causeway-helper')
    const stopped = join(folder, 'run/causeway/stopped')
    for (const path of [helper, stopped]) await mkdir(dirname(path), { recursive: true })
    const stop = `#!/bin/sh\n[ "$1" != stop ] || : >"\${0%/usr/*}/run/causeway/stopped"\n`
    await writeFile(helper, stop, { mode: 0o755 })
    await mkdir(join(folder, 'bin'))
    await writeFile(join(folder, 'bin/getent'), '#!/bin/sh\n', { mode: 0o755 })
    const run = async (tag: string, left: number) => {
      const asked = ['-qp', '--queryformat', `%{${tag}}`, basename(rpm)]
      const { stdout } = await execa('rpm', asked, { cwd: folder })
      const script = stdout
        .replace('(none)', '')
        .replaceAll(/(?<=[ =])\/(?=(etc|var|run|usr|opt)\/)/g, '"$root"/')
      const env = { root: folder, PATH: `${join(folder, 'bin')}:/usr/bin:/bin` }
      await execa('/bin/sh', ['-c', script, 'sh', String(left)], { env, extendEnv: false })
    }
    // The order of rpm for dnf swap. Both packages have these scripts.
    await run('POSTIN', 1)
    await run('PREUN', 0)
    expect(existsSync(stopped)).toBe(true)
    await run('POSTUN', 0)
    await run('POSTTRANS', 1)
    expect(existsSync(stopped)).toBe(false)
  },
)

describe.skipIf(process.platform === 'win32')('purging a package', () => {
  const left = {
    state: 'var/lib/causeway/settings.json',
    wants: 'etc/systemd/system/multi-user.target.wants/causeway@office.service',
    rule: 'etc/polkit-1/rules.d/49-causeway-helper.rules',
    oldRule: 'etc/polkit-1/localauthority/50-local.d/causeway-helper.pkla',
    stopped: 'run/causeway/stopped',
    other: 'etc/systemd/system/multi-user.target.wants/other.service',
  }

  async function purge(...more: readonly string[]): Promise<string[]> {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-purge-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    for (const path of [...Object.values(left), ...more]) {
      await mkdir(join(folder, dirname(path)), { recursive: true })
      await writeFile(join(folder, path), '')
    }
    const script = await readFile(join(tree, 'build/linux/after-remove'), 'utf8')
    const moved = join(folder, 'postrm')
    await writeFile(moved, script.replaceAll(/(?<=[ =])\/(?=(etc|var|run|usr|opt)\/)/g, `${folder}/`))
    await chmod(moved, 0o755)
    await execa(moved, ['remove'])
    for (const path of Object.values(left)) expect(existsSync(join(folder, path)), path).toBe(true)
    await execa(moved, ['purge'])
    return [...Object.values(left), ...more].filter((path) => existsSync(join(folder, path)))
  }

  it('leaves nothing of Causeway', async () => {
    expect(await purge('etc/apparmor.d/causeway')).toEqual([left.other])
  })

  it('keeps the state that the package uses which replaced it', async () => {
    const own = [
      'usr/libexec/causeway/causeway-helper',
      'etc/apparmor.d/causeway',
      'opt/Causeway/resources/apparmor-profile',
    ]
    expect(await purge(...own)).toEqual([...Object.values(left), ...own])
  })
})
