import { hash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { programPath } from './dist-targets'
import { writeRecipes } from './package-recipes'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-recipes-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const deb = 'causeway-cli_0.1.0_amd64.deb'
const all = [
  deb,
  'Causeway-0.1.0-universal.pkg',
  'causeway-0.1.0-x64-setup.exe',
  'causeway-0.1.0-arm64-setup.exe',
]
const sumsOf = (names: readonly string[]) => new Map(names.map((name) => [name, hash('sha256', name)]))

it('names each package by its address and its checksum', async () => {
  const sums = sumsOf([...all, 'causeway-cli_0.1.0_arm64.deb'])
  const written = await writeRecipes(sums, folder, 'https://files.example.org/')
  expect(written).toEqual([
    'PKGBUILD',
    'causeway.install',
    'causeway.nix',
    'causeway.rb',
    'causeway.winget.yaml',
  ])
  const texts = await Promise.all(written.map((name) => readFile(join(folder, name), 'utf8')))
  expect(texts.join()).not.toContain('{{')
  for (const name of all) {
    expect(texts.join()).toContain(`https://files.example.org/${name}`)
    expect(texts.join()).toContain(sums.get(name))
  }
})

it('leaves out a recipe whose packages were not made, or of which there are several', async () => {
  expect(await writeRecipes(sumsOf([deb]), folder)).toEqual(['PKGBUILD', 'causeway.install', 'causeway.nix'])
  const several = sumsOf(['a.pkg', 'b.pkg'])
  expect(await writeRecipes(several, folder)).toEqual(['causeway.install'])
})

it.skipIf((await programPath('nix-instantiate')) === undefined)(
  'writes an expression that Nix reads',
  async () => {
    await writeRecipes(sumsOf(all), folder)
    const { stdout } = await execa('nix-instantiate', ['--parse', join(folder, 'causeway.nix')], {
      env: { NIX_STATE_DIR: folder, NIX_STORE_DIR: folder, HOME: folder },
    })
    expect(stdout).toContain('mkDerivation')
  },
)

/** makepkg refuses to run as root. */
const asUser = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []

it.skipIf((await programPath('makepkg')) === undefined || (await programPath('pacman')) === undefined)(
  'writes a PKGBUILD of which makepkg makes the package',
  async () => {
    const root = join(folder, 'root')
    const made = join(folder, deb)
    await execa('mkdir', [
      '-p',
      ...['DEBIAN', 'usr/bin', 'usr/share/lintian'].map((path) => join(root, path)),
    ])
    await execa('mkdir', [
      '-p',
      ...['zsh/vendor-completions', 'doc/causeway-cli'].map((path) => join(root, 'usr/share', path)),
    ])
    await writeFile(join(root, 'usr/share/zsh/vendor-completions/_causeway'), '')
    await writeFile(join(root, 'usr/share/doc/causeway-cli/copyright'), 'MIT')
    await writeFile(join(root, 'usr/bin/causeway'), '', { mode: 0o755 })
    const fields =
      'Package: causeway-cli\nVersion: 0.1.0\nArchitecture: amd64\nMaintainer: a <a@b.example>\nDescription: x\n'
    await writeFile(join(root, 'DEBIAN/control'), fields)
    await execa('dpkg-deb', ['--build', '--root-owner-group', '-Zxz', root, made])
    const recipes = join(folder, 'recipes')
    const sum = hash('sha256', await readFile(made))
    await writeRecipes(new Map([[deb, sum]]), recipes)
    await execa('cp', [made, recipes])
    await execa('chmod', ['-R', 'a+rwX', folder])
    const [program, ...words] = [...asUser, 'makepkg', '--nodeps', '--noconfirm']
    const { all } = await execa(program, words, {
      cwd: recipes,
      env: { HOME: folder, PKGEXT: '.pkg.tar.gz' },
      all: true,
    })
    const name = (await readdir(recipes)).find((each) => each.includes('.pkg.tar'))
    if (name === undefined) throw new Error(all)
    const { stdout } = await execa('tar', ['-tf', join(recipes, name)])
    const files = stdout.split('\n')
    expect(files).toEqual(
      expect.arrayContaining(['.INSTALL', 'usr/bin/causeway', 'usr/share/zsh/site-functions/_causeway']),
    )
    expect(files.some((path) => path.includes('lintian'))).toBe(false)
  },
)
