import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildModelService, builtHelperFor, downloadModules, windowsService } from '../build-helper'
import { openVpnFolder, Windows, windowsPath } from './computer'
import {
  makeCausewayMsi,
  makeInstaller,
  makeMsi,
  makeUninstaller,
  msiTable,
  type Msi,
  type Offer,
  openVpnFile,
  sign,
  startAnswers,
  startScreen,
} from './installer-parts'

const programs = 'C:\\Program Files\\Causeway\\resources\\helper'
const notNow = 'To get OpenVPN later, open Settings → Check this computer in Causeway.'
const notDownloaded = "OpenVPN couldn't be downloaded."
const wrongFolder = 'Causeway can only be installed in a folder of C:\\Program Files,'
const refused = "The OpenVPN installer isn't the expected file"

interface Choices {
  /** A file in the installer's folder. */
  readonly beside?: Msi
  readonly answer?: 'yes' | 'no'
  readonly words?: readonly string[]
  /** False if the installer has to fail. */
  readonly succeeds?: boolean
}

/** Without Go's proxy, there is no service to install. */
const hasModules = await downloadModules(windowsService)

describe.skipIf(!hasModules)('the installer', () => {
  let folder: string
  let service: string
  let windows: Windows
  let site: string
  let files: Record<'unsigned' | 'signed' | 'other', Msi>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'causeway-installer-'))
    const screen = await startScreen()
    windows = new Windows({ prefix: join(folder, 'prefix'), display: screen.name })
    await windows.create()
    // Wine ends its services when no other program runs. One that starts meanwhile installs a service that the next ones don't list.
    await windows.shutDown()
    const user = windows.open('cmd')
    await once(user.stdout, 'data')
    await windows.copy(builtHelperFor('win32'), `${programs}\\causeway-helper.exe`)
    service = join(folder, 'causeway-service.exe')
    await buildModelService(service)
    await windows.copy(service, `${programs}\\causeway-service.exe`)
    // Without its entries in the registry, it isn't installed.
    await windows.copy(join(openVpnFolder, 'openvpn.exe'), 'C:\\Program Files\\OpenVPN\\bin\\openvpn.exe')
    const unsigned = await makeMsi(folder)
    files = {
      unsigned,
      signed: await sign(unsigned, folder, 'OpenVPN Inc.'),
      other: await sign(unsigned, folder, 'Somebody Else'),
    }
    const server = createServer((request, response) => {
      if (request.url === `/${openVpnFile}`) createReadStream(files.signed.path).pipe(response)
      else response.writeHead(404).end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    site = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
    return async () => {
      server.close()
      user.stdin.end()
      await once(user, 'close')
      await windows.shutDown()
      screen.end()
      await rm(folder, { recursive: true })
    }
  })

  /** Runs an installer with a file beside it, and returns what it asked. */
  async function install(offer: Offer, { beside, answer = 'yes', words = [], succeeds = true }: Choices) {
    const place = await windows.makeFolder('downloads')
    await makeInstaller(folder, join(windows.unixPath(place), 'causeway.exe'), offer)
    if (beside !== undefined) await cp(beside.path, join(windows.unixPath(place), openVpnFile))
    const answers = await startAnswers(windows, place, answer)
    expect(await windows.succeeds(`${place}\\causeway.exe`, ...words)).toBe(succeeds)
    return answers()
  }

  const isInstalled = () => windows.succeeds('reg', 'query', 'HKLM\\Software\\OpenVPN', '/ve')

  const serviceKey = 'HKLM\\System\\CurrentControlSet\\Services\\CausewayService'
  const serviceState = `${serviceKey}\\State`

  /** Returns the program of Causeway's service in Windows' list; empty if it isn't installed. */
  async function serviceProgram(): Promise<string> {
    return /ImagePath\s+REG_\w+\s+(.*)/.exec(await windows.output('reg', 'query', serviceKey))?.[1] ?? ''
  }

  /** Has the service note a route that it can't undo. */
  const noteUnreadable = () =>
    windows.wine('reg', 'add', serviceState, '/v', 'Bypass', '/d', 'no-route', '/f')

  /** Writes the uninstaller, and returns how to run it, and what it leaves of the program's files. */
  async function writeUninstaller() {
    const place = await windows.makeFolder('uninstaller')
    await makeUninstaller(folder, join(windows.unixPath(place), 'write.exe'))
    await windows.wine(`${place}\\write.exe`)
    const run = (...words: readonly string[]) =>
      windows.succeeds(
        'C:\\Program Files\\Causeway\\Uninstall.exe',
        ...words,
        '_?=C:\\Program',
        'Files\\Causeway',
      )
    const files = async () =>
      (await windows.files('C:\\Program Files\\Causeway')).filter((name) => name === 'Causeway.txt')
    return { run, files, place }
  }

  it("installs Causeway's service, which stays for an update, and removes it", async () => {
    await install(files.signed, { answer: 'no' })
    expect(await serviceProgram()).toContain(`${programs}\\causeway-service.exe`)
    const uninstaller = await writeUninstaller()
    expect(await uninstaller.run('/S', '--updated')).toBe(true)
    expect(await uninstaller.files()).toEqual([])
    await install(files.signed, { answer: 'no' })
    expect(await serviceProgram()).toContain(`${programs}\\causeway-service.exe`)
    await noteUnreadable()
    expect(await uninstaller.run('/S')).toBe(false)
    expect(await serviceProgram()).toContain(`${programs}\\causeway-service.exe`)
    expect(await uninstaller.files()).toEqual(['Causeway.txt'])
    await windows.wine('reg', 'delete', serviceState, '/f')
    expect(await uninstaller.run('/S')).toBe(true)
    expect(await serviceProgram()).toBe('')
    expect(await uninstaller.files()).toEqual([])
  })

  it("removes nothing while there is a service whose program doesn't start", async () => {
    await install(files.signed, { answer: 'no' })
    const uninstaller = await writeUninstaller()
    const program = windows.unixPath(`${programs}\\causeway-service.exe`)
    onTestFinished(() => cp(service, program))
    await rm(program)
    expect(await uninstaller.run('/S')).toBe(false)
    const answers = await startAnswers(windows, uninstaller.place, 'yes')
    expect(await uninstaller.run()).toBe(false)
    expect(await answers()).toContain("because its program doesn't start, so nothing was removed")
    expect(await uninstaller.files()).toEqual(['Causeway.txt'])
    await windows.wine('sc', 'delete', 'CausewayService')
    expect(await uninstaller.run('/S')).toBe(true)
    expect(await uninstaller.files()).toEqual([])
  })

  it("says so if Causeway's service can't be installed", async () => {
    await rm(windows.unixPath(`${programs}\\causeway-service.exe`))
    const asked = await install(files.signed, { answer: 'no' })
    await windows.copy(service, `${programs}\\causeway-service.exe`)
    expect(asked).toContain("Causeway's service couldn't be installed")
  })

  it('installs only below Program Files, also silently', async () => {
    const place = await windows.makeFolder('downloads')
    await makeInstaller(folder, join(windows.unixPath(place), 'causeway.exe'), files.signed)
    // NSIS takes the folder without quotes alone, which Wine would add around a word with a space.
    const succeeds = (to: string) =>
      windows.succeeds(`${place}\\causeway.exe`, '/S', ...`/D=${to}`.split(' '))
    for (const wrong of [
      'C:\\Apps\\Causeway',
      'C:\\Program Files',
      'C:\\Program Files\\',
      'C:\\Program Files and more\\Causeway',
      'C:\\Program Files\\..\\Apps\\Causeway',
      'C:\\Program Files\\Causeway\\..\\..\\Apps\\Causeway',
      '\\\\?\\C:\\Program Files\\..\\Apps\\Causeway',
    ]) {
      expect(await succeeds(wrong), wrong).toBe(false)
      expect(await windows.files('C:\\Apps')).toEqual([])
    }
    // Wine sets this only where it also runs 32-bit programs.
    const view = 'HKLM\\Software\\Wow6432Node\\Microsoft\\Windows\\CurrentVersion'
    await windows.wine('reg', 'add', view, '/v', 'ProgramFilesDir', '/d', 'C:\\Program Files (x86)', '/f')
    for (const [right, folder] of [
      ['C:\\Program Files\\Other\\..\\Tools\\Causeway', 'C:\\Program Files\\Tools\\Causeway'],
      ['c:\\PROGRAM FILES\\My Causeway', 'C:\\Program Files\\My Causeway'],
      ['C:\\Program Files (x86)\\Causeway', 'C:\\Program Files (x86)\\Causeway'],
    ] as const) {
      expect(await succeeds(right), right).toBe(true)
      expect(await windows.files(folder)).toEqual(['Causeway.txt'])
    }
  })

  it('installs only below Program Files as an MSI, too', async () => {
    const msi = windowsPath(await makeCausewayMsi(folder))
    const succeeds = (...words: readonly string[]) =>
      windows.succeeds('msiexec', '/i', msi, '/qn', ...words.map((to) => `APPLICATIONFOLDER=${to}`))
    for (const wrong of [
      'C:\\Apps\\Causeway',
      'C:\\Program Files',
      'C:\\Program Files and more\\Causeway',
      'C:\\Program Files\\..\\Apps\\Causeway',
      'C:/Program Files/Causeway',
    ])
      expect(await succeeds(wrong), wrong).toBe(false)
    expect(await windows.files('C:\\Apps')).toEqual([])
    expect(await succeeds('c:\\PROGRAM FILES\\Tools\\MSI')).toBe(true)
    expect(await windows.files('C:\\Program Files\\Tools\\MSI')).toEqual(['Causeway.txt', 'resources'])
    expect(await serviceProgram()).toContain('\\Tools\\MSI\\resources\\helper\\causeway-service.exe')
    // Wine doesn't find the folder of what is installed by itself.
    const there = 'APPLICATIONFOLDER=C:\\Program Files\\Tools\\MSI'
    expect(await windows.succeeds('msiexec', '/x', msi, '/qn', there)).toBe(true)
    expect(await serviceProgram()).toBe('')
    expect(await windows.files('C:\\Program Files\\Tools\\MSI')).toEqual([])
    expect(await succeeds()).toBe(true)
    expect(await windows.files('C:\\Program Files\\Causeway MSI')).toEqual(['Causeway.txt', 'resources'])
    expect(await serviceProgram()).toContain('C:\\Program Files\\Causeway MSI\\')
    expect(await windows.succeeds('msiexec', '/x', msi, '/qn')).toBe(true)
  })

  it("runs the service's program in an MSI with the rights of the installer, while it is there", async () => {
    const msi = await makeCausewayMsi(folder)
    const [inScript, asSystem, goesOn, rollback, programOfFile] = [1024, 2048, 64, 256, 18]
    const removing = 'REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE AND '
    const actions = new Map((await msiTable(msi, 'CustomAction')).map(([name, ...rest]) => [name, rest]))
    const sequence = new Map(
      (await msiTable(msi, 'InstallExecuteSequence')).map(([name = '', when, place]) => [
        name,
        { when, place: Number(place) },
      ]),
    )
    const place = (name: string) => sequence.get(name)?.place ?? Number.NaN
    const deferred = programOfFile + inScript + asSystem
    for (const [name, word, type, when, after, before] of [
      ['removeService', 'remove', deferred, `${removing}NOT REMOVEANYWAY`, 'StopServices', 'RemoveFiles'],
      [
        'removeServiceAnyway',
        'remove',
        deferred + goesOn,
        `${removing}REMOVEANYWAY`,
        'StopServices',
        'RemoveFiles',
      ],
      [
        'undoService',
        'remove',
        deferred + goesOn + rollback,
        'NOT Installed AND NOT WIX_UPGRADE_DETECTED',
        'InstallFiles',
        'installService',
      ],
      ['installService', 'install', deferred, 'NOT REMOVE', 'InstallFiles', 'InstallFinalize'],
    ] as const) {
      expect(actions.get(name)?.slice(0, 3), name).toEqual([String(type), 'causewayService', word])
      expect(sequence.get(name)?.when, name).toBe(when)
      expect(place(name), name).toBeGreaterThan(place(after))
      expect(place(name), name).toBeLessThan(place(before))
    }
    // Stopped for installing and removing, until it has ended; the program itself installs and deletes it.
    expect(await msiTable(msi, 'ServiceControl')).toEqual([
      ['causewayService', 'CausewayService', '34', '', '1', 'Service'],
    ])
    expect(await msiTable(msi, 'ServiceInstall')).toEqual([])
  })

  it('updates and removes the service as an MSI, and removes nothing while something is not undone', async () => {
    const [first, second] = [await makeCausewayMsi(folder), await makeCausewayMsi(folder, '1.0.1')]
    const msi = (word: '/i' | '/x', file: string, ...words: readonly string[]) =>
      windows.succeeds('msiexec', word, windowsPath(file), '/qn', ...words)
    expect(await msi('/i', first)).toBe(true)
    expect(await msi('/i', second)).toBe(true)
    const installed = 'C:\\Program Files\\Causeway MSI\\resources\\helper\\causeway-service.exe'
    expect(await serviceProgram()).toContain(installed)
    await noteUnreadable()
    expect(await msi('/x', second)).toBe(false)
    expect(await serviceProgram()).toContain(installed)
    expect(await windows.files('C:\\Program Files\\Causeway MSI')).toEqual(['Causeway.txt', 'resources'])
    // As a restart does.
    await windows.wine('reg', 'delete', serviceState, '/f')
    expect(await msi('/x', second)).toBe(true)
    expect(await serviceProgram()).toBe('')

    expect(await msi('/i', first)).toBe(true)
    await noteUnreadable()
    expect(await msi('/x', first, 'REMOVEANYWAY=1')).toBe(true)
    expect(await windows.files('C:\\Program Files\\Causeway MSI')).toEqual([])
    await windows.wine('reg', 'delete', serviceKey, '/f')
  })

  it('says why it installs nothing in another folder', async () => {
    const asked = await install(files.signed, { words: ['/D=C:\\Apps'], succeeds: false })
    expect(asked).toContain(wrongFolder)
    expect(asked).toContain('/D=C:\\Program Files\\Causeway')
    expect(await windows.files('C:\\Apps')).toEqual([])
  })

  it('asks nothing and installs nothing else in a silent installation', async () => {
    expect(await install(files.signed, { beside: files.signed, words: ['/S'] })).toBe('')
    expect(await isInstalled()).toBe(false)
  })

  it('leaves OpenVPN out if the user declines', async () => {
    const asked = await install(files.signed, { beside: files.signed, answer: 'no' })
    expect(asked).toMatch(
      /^Causeway connects through OpenVPN 2\.5 or newer[^]*Install OpenVPN 2\.6\.19 now\?/,
    )
    expect(asked).not.toContain(notNow)
    expect(await isInstalled()).toBe(false)
  })

  it('starts only the pinned file with a signature of its publisher', async () => {
    for (const [offer, beside] of [
      // Another file than the pinned one, one without a signature, one of another publisher.
      [files.signed, files.unsigned],
      [files.unsigned, files.unsigned],
      [files.other, files.other],
    ] as const) {
      const asked = await install(offer, { beside })
      expect(asked).toContain(refused)
      expect(asked).toContain(notNow)
      expect(await isInstalled()).toBe(false)
    }
  })

  it('says so if it cannot download the file', async () => {
    const asked = await install(files.signed, {})
    expect(asked).toContain(notDownloaded)
    expect(asked).toContain(notNow)
    expect(await isInstalled()).toBe(false)
  })

  it('downloads, checks and starts the file, leaves nothing of it, and asks no second time', async () => {
    const offer = { ...files.signed, releases: site }
    expect(await install(offer, {})).toMatch(/^Causeway connects [^]*website\.\s*$/)
    expect(await isInstalled()).toBe(true)
    expect(await windows.files('C:\\Program Files\\Causeway OpenVPN setup')).toEqual([])
    expect(await install(offer, {})).toBe('')
    // A version that is too old for Causeway.
    expect(await install({ ...offer, oldestMajor: 3 }, { answer: 'no' })).toContain('OpenVPN 3.5 or newer')
  })
})
