import { chmod, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { silentProgram } from '../../platform/child-process/silent-program.testing'
import { createOpenVpnFinder, findOpenVpn, isUntried } from './find-openvpn'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'causeway-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

/** Creates a program that answers like OpenVPN of this version, and counts its calls. */
async function install(firstLine: string, exitCode = 0, name = 'openvpn'): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, `#!/bin/sh\necho x >> ${folder}/asked\necho '${firstLine}'\nexit ${exitCode}\n`)
  await chmod(file, 0o755)
  return file
}

/** For tests whose OpenVPN is a script. */
const withScript = it.skipIf(process.platform === 'win32')

const v26 = 'OpenVPN 2.6.14 x86_64-pc-linux-gnu [SSL (OpenSSL)]'

describe('the OpenVPN to use', () => {
  it('is found outside of PATH', async () => {
    const found = await findOpenVpn(undefined, { searchPath: '/nonexistent' })
    expect(found.path).toMatch(/[\\/]openvpn(\.exe)?$/)
    expect(found.version).toMatch(/^2\.\d+/)
  })

  withScript('is the first one in PATH, except in relative folders', async () => {
    const file = await install(v26)
    expect(await findOpenVpn(undefined, { searchPath: `.:${folder}:/usr/sbin` })).toEqual({
      path: file,
      version: '2.6.14',
    })
    const relative = path.relative(process.cwd(), folder)
    expect((await findOpenVpn(undefined, { searchPath: relative })).path).not.toBe(file)
  })

  withScript('has the name of the current MacPorts package on macOS', async () => {
    const file = await install(v26, 0, 'openvpn2')
    expect((await findOpenVpn(undefined, { searchPath: folder, platform: 'darwin' })).path).toBe(file)
    expect((await findOpenVpn(undefined, { searchPath: folder, platform: 'linux' })).path).not.toBe(file)
  })

  withScript('may exit with 1 after printing its version', async () => {
    const file = await install('OpenVPN 2.5.9 x86_64-pc-linux-gnu', 1)
    expect(await findOpenVpn(file)).toEqual({ path: file, version: '2.5.9' })
  })

  it('was tried with Causeway up to a certain version', () => {
    expect(['2.5.0', '2.6.14', '2.7.6', '2.8', '2.10.1', '3.0'].filter(isUntried)).toEqual([
      '2.8',
      '2.10.1',
      '3.0',
    ])
  })

  withScript('may be newer than any known version', async () => {
    expect((await findOpenVpn(await install('OpenVPN 3.0_git [git:x/y] z'))).version).toBe('3.0')
  })

  withScript.each(['OpenVPN 2.4.12 x86_64-pc-linux-gnu', 'OpenVPN 1.9.0 x'])(
    'is rejected if it is too old: %s',
    async (line) => {
      await expect(findOpenVpn(await install(line))).rejects.toMatchObject({ code: 'openvpn/too-old' })
    },
  )

  withScript('must answer, also if another process keeps its output open', async () => {
    const file = await silentProgram('openvpn')
    const failure = findOpenVpn(file)
    await expect(failure).rejects.toMatchObject({
      code: 'openvpn/not-found',
      variant: 'not-responding',
      details: { path: file },
    })
    await expect(failure).rejects.toThrow("OpenVPN isn't responding")
  })

  it('must be an executable OpenVPN', async () => {
    const file = await install('GNU bash, version 5.2')
    await expect(findOpenVpn(file)).rejects.toMatchObject({ code: 'openvpn/not-found' })
    await expect(findOpenVpn(folder)).rejects.toMatchObject({ code: 'openvpn/not-found' })
    await expect(findOpenVpn(path.join(folder, 'no'))).rejects.toMatchObject({ code: 'openvpn/not-found' })
    await chmod(file, 0o644)
    await expect(findOpenVpn(file)).rejects.toMatchObject({ code: 'openvpn/not-found' })
  })
})

describe('the finder', () => {
  withScript('reads the version once until the program changes', async () => {
    const file = await install(v26)
    const find = createOpenVpnFinder()
    expect(await find(file)).toEqual(await find(file))
    expect(await readFile(path.join(folder, 'asked'), 'utf8')).toBe('x\n')

    await install('OpenVPN 2.4.0 x')
    await utimes(file, 1, 1)
    await expect(find(file)).rejects.toMatchObject({ code: 'openvpn/too-old' })
  })
})
