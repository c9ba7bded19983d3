import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { browserCommands, createOpenBrowser } from './open-browser'

const openExternal = (): Promise<void> => Promise.reject(new Error('was asked'))

const isWindows = process.platform === 'win32'

/** Writes a script that records its arguments, which `seen` returns. */
async function recordingScript(folder: string): Promise<{ script: string; calls: () => Promise<string[]> }> {
  const script = join(folder, 'browser.mjs')
  const record = join(folder, 'seen.json')
  await writeFile(
    script,
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(record)}, JSON.stringify(process.argv.slice(2)))`,
  )
  return { script, calls: async () => JSON.parse(await readFile(record, 'utf8')) as string[] }
}

describe('createOpenBrowser', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'causeway-browser-'))
  })

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true })
  })

  it('passes the address to the command as its last argument, without a shell', async () => {
    const { script, calls } = await recordingScript(folder)
    const open = createOpenBrowser({ commands: [`${process.execPath} ${script} --new-window`], openExternal })
    const address = 'https://vpn.example.org/authorize?a=1&b=$(id)'
    await open(new URL(address))
    expect(await calls()).toEqual(['--new-window', new URL(address).href])
  })

  it.each([
    ['the whole command', (program: string) => program],
    ['quotes', (program: string) => `"${program}" --private "a b"`],
    ['backslashes', (program: string) => `${program.replaceAll(' ', '\\ ')} --private a\\ b`],
  ])('runs a program whose path has spaces: %s', async (_name, command) => {
    const program = join(folder, isWindows ? 'my browser.cmd' : 'my browser')
    const { script, calls } = await recordingScript(folder)
    const start = `"${process.execPath}" "${script}"`
    await writeFile(program, isWindows ? `@${start} %*\r\n` : `#!/bin/sh\nexec ${start} "$@"\n`, {
      mode: 0o755,
    })
    await createOpenBrowser({ commands: [command(program)], openExternal })(
      new URL('https://vpn.example.org/'),
    )
    const words = await calls()
    expect(words.at(-1)).toBe('https://vpn.example.org/')
    if (words.length > 1) expect(words.slice(0, -1)).toEqual(['--private', 'a b'])
  })

  it('passes on quotes inside of words', async () => {
    const seen = join(folder, 'seen')
    const script = `require("node:fs").writeFileSync(process.argv[1],\\ "a\\ b")`
    const open = createOpenBrowser({ commands: [`${process.execPath} -e ${script} ${seen}`], openExternal })
    await open(new URL('https://vpn.example.org/'))
    expect(await readFile(seen, 'utf8')).toBe('a b')
  })

  it('uses the first of $BROWSER that there is, with the address in the place of %s', async () => {
    const { script, calls } = await recordingScript(folder)
    const url = new URL('https://vpn.example.org/authorize?a=%s')
    const missing = join(folder, 'no-such-browser')
    const BROWSER = `${missing} %s::${process.execPath} --no-such-option:${process.execPath} ${script} --url=%s 100%% --new`
    const commands = browserCommands(undefined, { BROWSER }, 'linux')
    await createOpenBrowser({ commands, openExternal })(url)
    expect(await calls()).toEqual([`--url=${url.href}`, '100%', '--new'])
  })

  it.each<[string | undefined, string | undefined, NodeJS.Platform, readonly string[]]>([
    ['firefox -P a:b', 'lynx', 'linux', ['firefox -P a:b']],
    [undefined, 'firefox:chromium %s', 'darwin', ['firefox', 'chromium %s']],
    [undefined, 'C:\\browser.exe', 'win32', ['C:\\browser.exe']],
    [undefined, ' : ', 'linux', []],
    [undefined, 'node -e a\\ ?\\ b:c', 'linux', ['node -e a\\ ?\\ b:c']],
    [undefined, undefined, 'linux', []],
    ['', 'lynx', 'linux', []],
  ])('chooses between --browser %j and $BROWSER %j on %s', (given, BROWSER, platform, commands) => {
    expect(browserCommands(given, { BROWSER }, platform)).toEqual(commands)
  })

  it('rejects if the command cannot be run', async () => {
    const open = createOpenBrowser({ commands: [join(folder, 'no-such-browser')], openExternal })
    await expect(open(new URL('https://vpn.example.org/'))).rejects.toMatchObject({
      code: 'oauth/browser-not-opened',
    })
  })

  it('rejects if the command fails', async () => {
    const open = createOpenBrowser({ commands: [`${process.execPath} --no-such-option`], openExternal })
    await expect(open(new URL('https://vpn.example.org/'))).rejects.toMatchObject({
      code: 'oauth/browser-not-opened',
    })
  })

  it('rejects if the system has no browser', async () => {
    const open = createOpenBrowser({ openExternal })
    await expect(open(new URL('https://vpn.example.org/'))).rejects.toMatchObject({
      code: 'oauth/browser-not-opened',
    })
  })

  it.each(['file:///etc/passwd', 'smb://host/share', 'javascript:alert(1)', 'ms-settings:'])(
    'never opens %s',
    async (address) => {
      const asked = vi.fn(() => Promise.resolve())
      await expect(createOpenBrowser({ openExternal: asked })(new URL(address))).rejects.toMatchObject({
        code: 'oauth/browser-not-opened',
      })
      expect(asked).not.toHaveBeenCalled()
    },
  )
})
