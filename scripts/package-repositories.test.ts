import { existsSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeAll, afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startTestServer } from '../main/platform/http/test-server.testing'
import { programPath } from './dist-targets'
import { layOutRepositories } from './package-repositories'

const key = 'tests@example.org'
const time = new Date('2026-11-20T12:00:00Z')

type Change = (path: string, content: Buffer) => Buffer

async function areThere(...programs: string[]): Promise<boolean> {
  return (await Promise.all(programs.map(programPath))).every((path) => path !== undefined)
}

/** Creates a folder, and in it the key that signs. */
async function folderWithKey(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-repositories-'))
  vi.stubEnv('GNUPGHOME', join(folder, 'gnupg'))
  await mkdir(join(folder, 'gnupg'), { mode: 0o700 })
  await execa('gpg', [
    ...['--batch', '--passphrase', '', '--quick-generate-key', key, 'ed25519', 'sign', 'never'],
  ])
  return folder
}

async function removeFolder(folder: string): Promise<void> {
  await execa('gpgconf', ['--kill', 'all'])
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
}

/** Serves the repositories, with each file changed. */
async function serve(repository: string, change: Change): Promise<string> {
  const { origin } = await startTestServer((request, response) => {
    const path = join(repository, request.url ?? '')
    if (!existsSync(path)) {
      response.writeHead(404).end()
      return
    }
    void readFile(path).then((content) => response.end(change(request.url ?? '', content)))
  })
  return origin
}

const unchanged: Change = (_path, content) => content

/** Changes one bit in the middle. */
function damaged(content: Buffer): Buffer {
  const middle = Math.floor(content.length / 2)
  return Buffer.from(content.map((byte, at) => (at === middle ? byte ^ 1 : byte)))
}

describe.runIf(await areThere('dpkg-deb', 'gpg', 'apt-get', 'gpgconf'))('the repository for apt', () => {
  let folder = ''
  let repository = ''

  beforeAll(async () => {
    folder = await folderWithKey()
    await mkdir(join(folder, 'tiny/DEBIAN'), { recursive: true })
    await writeFile(
      join(folder, 'tiny/DEBIAN/control'),
      'Package: causeway\nVersion: 1.3.0\nArchitecture: all\nMaintainer: Tests <tests@example.org>\nDescription: tiny\n more\n',
    )
    await mkdir(join(folder, 'packages'))
    await execa('dpkg-deb', [
      ...[
        '--build',
        '--root-owner-group',
        join(folder, 'tiny'),
        join(folder, 'packages/causeway_1.3.0_all.deb'),
      ],
    ])
    repository = join(folder, 'repositories')
    const left = await layOutRepositories(join(folder, 'packages'), { output: repository, key, time })
    expect(left).toEqual([`rpm: there is no .rpm in ${join(folder, 'packages')}.`])
  })

  afterAll(() => removeFolder(folder))

  /** Runs the system's apt-get with private folders, on a server of the repository. */
  async function apt(
    change = unchanged,
  ): Promise<
    (...words: string[]) => Promise<{ readonly exitCode: number | undefined; readonly all: string }>
  > {
    const origin = await serve(repository, change)
    const root = await mkdtemp(join(folder, 'root-'))
    onTestFinished(() => rm(root, { recursive: true, force: true }))
    for (const each of ['lists/partial', 'cache/archives/partial', 'parts']) {
      await mkdir(join(root, each), { recursive: true })
    }
    await writeFile(join(root, 'status'), '')
    await writeFile(
      join(root, 'parts/causeway.sources'),
      [
        'Types: deb',
        `URIs: ${origin}/apt`,
        'Suites: stable',
        'Components: main',
        `Signed-By: ${join(repository, 'causeway.asc')}`,
        '',
      ].join('\n'),
    )
    const settings = {
      'Dir::State': root,
      'Dir::State::Lists': join(root, 'lists'),
      'Dir::State::status': join(root, 'status'),
      'Dir::Cache': join(root, 'cache'),
      'Dir::Etc::SourceList': '/dev/null',
      'Dir::Etc::SourceParts': join(root, 'parts'),
      'Dir::Etc::Trusted': '/dev/null',
      'Dir::Etc::TrustedParts': '/dev/null',
      'APT::Sandbox::User': '',
      'Acquire::Retries': '0',
      'Acquire::http::Proxy': 'DIRECT',
      'Acquire::Languages': 'none',
      'Debug::NoLocking': 'true',
    }
    const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
    return async (...words) => {
      const { exitCode, all } = await execa('apt-get', [...options, ...words], { reject: false, all: true })
      return { exitCode, all }
    }
  }

  const install = ['install', '--download-only', '--yes', '--no-install-recommends', 'causeway'] as const

  it('is accepted by apt, which takes the package from it', async () => {
    const run = await apt()
    const updated = await run('update')
    expect(updated.exitCode, updated.all).toBe(0)
    expect(updated.all).not.toMatch(/^[WE]:/m)
    const installed = await run(...install)
    expect(installed.exitCode, installed.all).toBe(0)
    expect(installed.all).toContain('Download complete')
  })

  it('is refused by apt if its index was changed', async () => {
    const run = await apt((path, content) =>
      path.endsWith('InRelease')
        ? Buffer.from(String(content).replace('Suite: stable', 'Suite: other'))
        : content,
    )
    const { all, exitCode } = await run('update', '--error-on=any')
    expect(exitCode).not.toBe(0)
    expect(all).toMatch(/not signed|BADSIG|invalid/i)
    expect((await run(...install)).exitCode).not.toBe(0)
  })

  it('is refused by apt if its list of packages was changed', async () => {
    const run = await apt((path, content) =>
      path.includes('Packages') ? Buffer.concat([content, Buffer.from('\n')]) : content,
    )
    expect((await run('update', '--error-on=any')).exitCode).not.toBe(0)
    expect((await run(...install)).exitCode).not.toBe(0)
  })

  it('is refused by apt if a package was changed', async () => {
    const run = await apt((path, content) => (path.endsWith('.deb') ? damaged(content) : content))
    expect((await run('update')).exitCode).toBe(0)
    const { all, exitCode } = await run(...install)
    expect(exitCode).not.toBe(0)
    expect(all).toContain('Hash Sum mismatch')
  })
})

const rpmPrograms = ['rpmbuild', 'rpmsign', 'createrepo_c', 'dnf', 'gpg', 'gpgconf']

describe.runIf(await areThere(...rpmPrograms))('the repository for dnf', () => {
  let folder = ''
  let repository = ''

  beforeAll(async () => {
    folder = await folderWithKey()
    const spec = join(folder, 'causeway.spec')
    const fields =
      'Name: causeway\nVersion: 1.3.0\nRelease: 1\nSummary: tiny\nLicense: MIT\nBuildArch: noarch\n'
    await writeFile(spec, `${fields}%description\ntiny\n%files\n`)
    const packages = join(folder, 'packages')
    const macros = {
      _topdir: join(folder, 'build'),
      _rpmdir: packages,
      _rpmfilename: 'causeway-1.3.0.noarch.rpm',
    }
    const defined = Object.entries(macros).flatMap(([name, value]) => ['--define', `${name} ${value}`])
    await execa('rpmbuild', ['-bb', ...defined, spec])
    repository = join(folder, 'repositories')
    const left = await layOutRepositories(packages, { output: repository, key, time })
    expect(left).toEqual([`apt: there is no .deb in ${packages}.`])
  })

  afterAll(() => removeFolder(folder))

  /** Downloads the package with the system's dnf into an empty system, as docs/administrators.md sets it up. */
  async function download(change: Change = unchanged) {
    const origin = await serve(repository, change)
    const root = await mkdtemp(join(folder, 'root-'))
    for (const each of ['repos', 'log']) await mkdir(join(root, each))
    await writeFile(
      join(root, 'repos/causeway.repo'),
      [
        '[causeway]',
        'name=Causeway',
        `baseurl=${origin}/rpm`,
        `gpgkey=file://${join(repository, 'causeway.asc')}`,
        'gpgcheck=1',
        'repo_gpgcheck=1',
        '',
      ].join('\n'),
    )
    const settings = {
      reposdir: join(root, 'repos'),
      cachedir: join(root, 'cache'),
      logdir: join(root, 'log'),
      plugins: '0',
      retries: '1',
      proxy: '',
    }
    const options = Object.entries(settings).map(([name, value]) => `--setopt=${name}=${value}`)
    const words = ['--assumeyes', `--installroot=${root}`, '--releasever=1', ...options]
    return execa('dnf', [...words, 'install', '--downloadonly', 'causeway'], { reject: false, all: true })
  }

  it('is accepted by dnf, which takes the package from it', async () => {
    const { exitCode, all } = await download()
    expect(exitCode, all).toBe(0)
    expect(all).toContain('Complete!')
  })

  it.each([
    ['its index', /repomd\.xml$/, 'Bad GPG signature'],
    ['its list of packages', /primary\.xml\.gz$/, 'checksum'],
    ['a package', /\.rpm$/, 'checksum'],
  ])('is refused by dnf if %s was changed', async (_what, changed, why) => {
    const { exitCode, all } = await download((path, content) =>
      changed.test(path) ? damaged(content) : content,
    )
    expect(exitCode).not.toBe(0)
    expect(all).toMatch(new RegExp(why, 'i'))
  })

  it('has packages that rpm knows to be signed', async () => {
    const keys = join(folder, 'keys')
    await execa('rpmkeys', ['--dbpath', keys, '--import', join(repository, 'causeway.asc')])
    const file = join(repository, 'rpm/causeway-1.3.0.noarch.rpm')
    const { stdout } = await execa('rpmkeys', ['--dbpath', keys, '--checksig', '--verbose', file])
    expect(stdout).toMatch(/EdDSA\/SHA256 Signature, key ID \w+: OK/)
  })
})

it('names the program that is missing for each repository', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-repositories-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const name of ['a.deb', 'a.rpm']) await appendFile(join(folder, name), '')
  const nothing = () => Promise.resolve(undefined)
  expect(await layOutRepositories(folder, { output: join(folder, 'out'), key, time }, nothing)).toEqual([
    'apt: it needs the program dpkg-deb (package dpkg).',
    'rpm: it needs the program rpmsign (package rpm on Debian, rpm-sign on Fedora).',
  ])
})
