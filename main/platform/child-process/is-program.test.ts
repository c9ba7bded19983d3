import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { isLocalPath, isProgram } from './is-program'

it.each([
  'C:\\Program Files\\OpenVPN\\bin\\openvpn.exe',
  'c:/Program Files/OpenVPN/bin/openvpn.exe',
  'D:\\openvpn.exe',
])('accepts a path on a drive on Windows: %s', (path) => {
  expect(isLocalPath(path, 'win32')).toBe(true)
})

it.each([
  '\\\\server\\share\\openvpn.exe',
  '//server/share/openvpn.exe',
  '\\/server/share/openvpn.exe',
  '\\\\?\\UNC\\server\\share\\openvpn.exe',
  '\\\\?\\C:\\openvpn.exe',
  '\\\\.\\PhysicalDrive0',
  '\\??\\UNC\\server\\share\\openvpn.exe',
  '\\openvpn.exe',
  'C:openvpn.exe',
  'openvpn.exe',
  '',
])('rejects network shares, devices and paths that depend on the current drive on Windows: %s', (path) => {
  expect(isLocalPath(path, 'win32')).toBe(false)
})

it.each(['/usr/sbin/openvpn', '//usr/sbin/openvpn'])(
  'accepts an absolute path on other systems: %s',
  (path) => {
    expect(isLocalPath(path, 'linux')).toBe(true)
  },
)

it.each(['usr/sbin/openvpn', './openvpn', 'C:\\openvpn.exe', ''])('rejects any other path: %s', (path) => {
  expect(isLocalPath(path, 'darwin')).toBe(false)
})

it.skipIf(process.platform === 'win32')('distinguishes programs from other files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-program-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'program')
  expect(await isProgram(file)).toBe(false)
  await writeFile(file, '')
  expect(await isProgram(file)).toBe(false)
  await chmod(file, 0o700)
  expect(await isProgram(file)).toBe(true)
  expect(await isProgram(folder)).toBe(false)
  expect(await isProgram(file, 'win32')).toBe(false)
})
