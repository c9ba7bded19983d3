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
  ).toBe("electron-builder couldn't download fpm; CUSTOM_FPM_PATH can name one that is installed.")
  expect(failureOf('  ⨯ ENOSPC: no space left on device  failedTask=build stackTrace=Error')).toBe(
    'electron-builder failed: ENOSPC: no space left on device',
  )
})
