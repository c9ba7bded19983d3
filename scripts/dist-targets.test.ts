import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { failureOf, missingFor } from './dist-targets'

it('names the program that a target needs and the package that brings it', async () => {
  const nothing = () => Promise.resolve(undefined)
  expect(await missingFor('rpm', nothing)).toBe(
    'It needs the program rpmbuild (package rpm on Debian, rpm-build on Fedora).',
  )
  expect(await missingFor('rpm', () => Promise.resolve('/usr/bin/rpmbuild'))).toBeUndefined()
  expect(await missingFor('tar.gz', nothing)).toBeUndefined()
})

it('says in a sentence why electron-builder failed', () => {
  expect(
    failureOf(
      '  • building target=deb\n  ⨯ getaddrinfo ENOTFOUND github.com (fpm@2.1.4)  failedTask=build stackTrace=Error: getaddrinfo',
    ),
  ).toBe(
    "electron-builder couldn't download fpm. Install it with Ruby (on Debian: apt install ruby, then gem install fpm) so that it is on PATH, or name it in CUSTOM_FPM_PATH.",
  )
  expect(failureOf('  ⨯ ENOSPC: no space left on device  failedTask=build stackTrace=Error')).toBe(
    'electron-builder failed: ENOSPC: no space left on device',
  )
})

it.runIf(process.platform === 'linux')('fails at once if nothing that was wanted can be made', async () => {
  const words = ['--import', 'tsx', join(import.meta.dirname, 'dist.ts'), 'rpm', '--allow-missing']
  const { exitCode, stdout } = await execa(process.execPath, words, {
    cwd: join(import.meta.dirname, '..'),
    reject: false,
    extendEnv: false,
    env: { PATH: '/nonexistent' },
  })
  expect({ exitCode, stdout }).toEqual({
    exitCode: 1,
    stdout: "Can't make rpm. It needs the program rpmbuild (package rpm on Debian, rpm-build on Fedora).",
  })
})
