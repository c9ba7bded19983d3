import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it, onTestFinished } from 'vitest'
import { isSlowRun } from './nightly-tests'
import { emptyOutput, failureOf, missingFor } from './dist-targets'

it('names the programs that a target needs and the packages that bring them', async () => {
  const nothing = () => Promise.resolve(undefined)
  const go = 'go (package golang-go on Debian, golang on Fedora)'
  expect(await missingFor('rpm', nothing)).toBe(
    `It needs the programs rpmbuild (package rpm on Debian, rpm-build on Fedora) and ${go}.`,
  )
  expect(await missingFor('cli-deb', nothing)).toBe(
    `It needs the programs dpkg-deb (package dpkg) and ${go}.`,
  )
  expect(await missingFor('rpm', () => Promise.resolve('/usr/bin/it'))).toBeUndefined()
  expect(await missingFor('nsis', nothing)).toBe(`It needs the program ${go}.`)
})

it('leaves in the output what other scripts made, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-dist-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const name of ['mock-server', 'linux-unpacked']) await mkdir(join(folder, name))
  await writeFile(join(folder, 'SHA256SUMS'), '')
  await emptyOutput(folder)
  expect(await readdir(folder)).toEqual(['mock-server'])
  await expect(emptyOutput(join(folder, 'none'))).resolves.toBeUndefined()
})

it('says in a sentence why electron-builder failed', () => {
  expect(
    failureOf(
      '  • building target=nsis\n  ⨯ getaddrinfo ENOTFOUND github.com (nsis@3.0.4)  failedTask=build stackTrace=Error: getaddrinfo',
    ),
  ).toBe("electron-builder couldn't download NSIS.")
  expect(failureOf('  ⨯ ENOSPC: no space left on device  failedTask=build stackTrace=Error')).toBe(
    'electron-builder failed: ENOSPC: no space left on device',
  )
})

it.runIf(isSlowRun && process.platform === 'linux')(
  'fails at once if nothing that was wanted can be made',
  async () => {
    const words = ['--import', 'tsx', join(import.meta.dirname, 'dist.ts'), 'rpm', '--allow-missing']
    const { exitCode, stdout } = await execa(process.execPath, words, {
      cwd: join(import.meta.dirname, '..'),
      reject: false,
      extendEnv: false,
      env: { PATH: '/nonexistent' },
    })
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^Can't make rpm. It needs the programs rpmbuild .+ and go .+\.$/)
  },
)
