import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { wayToRoot } from './find-helper'
import { killSwitchHere } from './kill-switch'

it('is not supported on other systems', async () => {
  expect(await killSwitchHere({ platform: 'freebsd' })).toBe('not-on-this-system')
})

it.runIf(process.platform === 'linux')('returns what is missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-here-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const helper = join(folder, 'causeway-helper')
  const look = () => killSwitchHere({ platform: 'linux', helper, folders: [folder] })
  const onMacos = () => killSwitchHere({ platform: 'darwin', helper, folders: [folder] })
  expect(await look()).toBe('no-helper')
  expect(await onMacos()).toBe('no-helper')

  await writeFile(helper, '#!/bin/sh\n', { mode: 0o777 })
  await chmod(helper, 0o777)
  expect(await look(), 'one that anybody may change').toBe('no-helper')

  // Only root can create a valid helper.
  if (process.geteuid?.() !== 0) return
  await chmod(helper, 0o755)
  await chown(helper, 1, 0)
  expect(await look(), 'one of another user').toBe('no-helper')
  await chown(helper, 0, 0)
  await chmod(helper, 0o644)
  expect(await look(), 'one that is no program').toBe('no-helper')
  await chmod(helper, 0o755)
  expect(await look()).toBe('no-nft')
  expect(await onMacos(), 'which has pf').toBe('available')
  await writeFile(join(folder, 'nft'), '#!/bin/sh\n', { mode: 0o755 })
  expect(await look()).toBe('available')
})

it('starts the helper as root by the first program that asks for permission', async () => {
  const [program, none] = [process.execPath, '/none/program']
  expect(await wayToRoot({ pkexec: program, sudo: program })).toBe('pkexec')
  expect(await wayToRoot({ pkexec: none, sudo: program })).toBe('sudo')
  expect(await wayToRoot({ pkexec: none, sudo: none })).toBeUndefined()
})
