import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { getCurrentFuseWire, FuseV1Options } from '@electron/fuses'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { programPath } from './dist-targets'
import { isNightly } from './nightly-tests'

/** Tests of the folder that every Linux package contains. They need the built app, Go and an Electron runtime. */

const tree = join(import.meta.dirname, '..')
const nobody = 65_534
const isRoot = process.getuid?.() === 0

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly asNobody?: boolean
}

it
  .skipIf(!isNightly || process.platform !== 'linux' || (await programPath('flatpak-builder')) !== undefined)
  .each([
    [[], 1],
    [['--allow-missing'], 0],
  ])(
  'npm run dist makes what it can, tells from the start what not, and with %j ends with %i',
  async (words, exitCode) => {
    const kept = join(tree, 'dist/mock-server/kept')
    await mkdir(dirname(kept), { recursive: true })
    await writeFile(kept, '')
    onTestFinished(() => rm(kept))
    const script = join(tree, 'scripts/dist.ts')
    const run = await execa('tsx', [script, 'flatpak', 'cli-deb', '--stage', 'package', ...words], {
      cwd: tree,
      preferLocal: true,
      reject: false,
    })
    const lacks = 'It needs the program flatpak-builder (package flatpak-builder).'
    const lines = run.stdout.split('\n')
    expect(lines.slice(0, 2)).toEqual([`Can't make flatpak. ${lacks}`, 'Making cli-deb…'])
    expect(lines.at(-2)).toMatch(
      /^In dist\/: causeway-cli-.*\.cdx\.json, causeway-cli_.*\.deb, recipes\/PKGBUILD, recipes\/causeway\.install, recipes\/causeway\.nix, SHA256SUMS$/,
    )
    expect(lines.at(-1)).toBe(`Left out: flatpak. ${lacks}`)
    expect(run.exitCode).toBe(exitCode)
    await expect(readFile(kept, 'utf8')).resolves.toBe('')
  },
  120_000,
)

describe.skipIf(!isNightly || process.platform !== 'linux')('a package for Linux', () => {
  let folder = ''
  let app = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'causeway-packaged-'))
    // Lets other users in.
    await chmod(folder, 0o755)
    const runtime = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? ''
    const words = ['--linux', '--dir', '--publish', 'never', `-c.directories.output=${folder}`]
    const dist = runtime === '' ? [] : [`-c.electronDist=${runtime}`]
    await execa('electron-builder', [...words, ...dist], { cwd: tree, preferLocal: true })
    const name = (await readdir(folder)).find((entry) => entry.endsWith('unpacked'))
    app = join(folder, name ?? '')
  })

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
  })

  async function run(words: readonly string[], { env = {}, asNobody = false }: RunOptions = {}) {
    const home = join(folder, asNobody ? 'nobody' : 'self')
    await mkdir(home, { recursive: true })
    if (asNobody) await chown(home, nobody, nobody)
    return execa(join(app, 'causeway'), words, {
      env: { PATH: process.env.PATH ?? '', HOME: home, ...env },
      extendEnv: false,
      reject: false,
      timeout: 60_000,
      ...(asNobody ? { uid: nobody, gid: nobody } : {}),
    })
  }

  it.each(isRoot ? [false, true] : [false])(
    'runs the terminal command without a display (another user than root: %s)',
    async (asNobody) => {
      const of = (...words: string[]) => run(words, { asNobody })
      const mistyped = await of('conect')
      expect(mistyped.exitCode).toBe(2)
      expect(mistyped.stderr).toContain('Did you mean connect?')
      const alone = await of()
      expect(alone.exitCode).toBe(0)
      expect(alone.stdout).toContain('Usage: causeway')
      const { stdout } = await of('--no-sandbox', '--json', 'doctor')
      expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ name: 'openvpn', status: 'ok' }))
      const window = await of('app')
      expect(window.exitCode).toBe(1)
      expect(window.stderr).toContain('There is no display')
    },
  )

  it('starts itself again in the background', async () => {
    const { exitCode, stderr } = await run(['connect', '--detach', '--secret-store', 'file', '--json'])
    expect(exitCode).toBe(2)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage/instance-needed' } })
  })

  it.runIf(isRoot)('says why the window of root does not open', async () => {
    const window = await run(['app'], { env: { DISPLAY: ':77' } })
    expect(window.exitCode).toBe(1)
    expect(window.stderr).toContain('does not run as root')
  })

  it('has the fuses of Linux', async () => {
    const wire = await getCurrentFuseWire(join(app, 'causeway-app'))
    const enabled = Object.entries(FuseV1Options).flatMap(([name, option]) =>
      typeof option === 'number' && String.fromCharCode(Number(wire[option])) === '1' ? [name] : [],
    )
    expect(enabled.filter((name) => name !== 'WasmTrapHandlers').sort()).toEqual([
      'EnableCookieEncryption',
      'EnableEmbeddedAsarIntegrityValidation',
      'OnlyLoadAppFromAsar',
      'RunAsNode',
    ])
  })

  it('contains the licences, and native code for this processor only', async () => {
    const notices = await readFile(join(app, 'resources/licenses/THIRD-PARTY-NOTICES.txt'), 'utf8')
    for (const name of ['Electron', 'Go', 'golang.zx2c4.com/wireguard', 'react', 'zod', '@github/keytar'])
      expect(notices).toMatch(new RegExp(`^${name} v?\\d`, 'm'))
    expect(await readFile(join(app, 'resources/licenses/LICENSE.txt'), 'utf8')).toContain('MIT License')
    const prebuilds = join(app, 'resources/app.asar.unpacked/node_modules/@github/keytar/prebuilds')
    expect(await readdir(prebuilds)).toEqual([`linux-${process.arch}`])
    expect((await readdir(join(app, 'locales'))).map((name) => name.slice(0, 2))).not.toContain('zh')
  })
})
