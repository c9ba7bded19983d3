import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, readdir, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { execa } from 'execa'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { releaseKillSwitch, runHelper } from '../../privilege/helper-client'
import { frameParser } from '../../privilege/helper-socket'
import { mayMakeNamespaces } from '../../privilege/helper.testing'
import { fakeMacos, type MacosComputer } from './macos-computer.testing'

const may = (await mayMakeNamespaces()) && process.platform === 'linux'
if (!may) {
  process.stderr.write('Left out, because no mount namespace can be made here: the daemon of macOS.\n')
}

/** Accounts that every system has. */
const [atConsole, elsewhere] = [1, 2]

/** Connects as a user, passes its standard input on, and prints what comes back. */
const client = (socket: string, user: number) => `
  process.setgid(${user})
  process.setuid(${user})
  const socket = require('node:net').connect('${socket}')
  process.stdin.pipe(socket)
  socket.pipe(process.stdout)
  socket.on('error', () => process.exit(1))`

describe.runIf(may)('the helper of macOS behind the socket of launchd', () => {
  let computer: MacosComputer
  let launchd: Server
  let path: string

  beforeAll(async () => {
    computer = await fakeMacos('touch $folder/console\nmount --bind $folder/console /dev/console')
    await writeFile(computer.file('console'), '')
    path = computer.file('socket')
    // Starts a helper for each connection, with the socket as its standard input and output.
    launchd = createServer({ pauseOnConnect: true }, (connection: Socket) => {
      spawn(computer.helper, ['serve'], { stdio: [connection, connection, 'ignore'] })
      connection.destroy()
    })
    launchd.listen(path)
    await once(launchd, 'listening')
    await chmod(path, 0o666)
  })
  afterAll(async () => {
    launchd.close()
    await computer.remove()
  })
  beforeEach(async () => {
    await computer.reset()
    await chown(computer.file('console'), atConsole, 0)
  })

  const daemon = () => ({ elevation: 'launchd', helper: computer.helper, socket: path }) as const

  function connect(user: number, input?: string | Buffer) {
    return execa(process.execPath, ['-e', client(path, user)], {
      ...(input === undefined ? { stdin: 'pipe' } : { input }),
      encoding: 'buffer',
      reject: false,
      timeout: 60_000,
    })
  }

  /** Returns the messages and the exit status of the helper that answers a user. */
  async function answerTo(user: number, input: string | Buffer) {
    const { stdout } = await connect(user, input)
    const frames = frameParser()(Buffer.from(stdout))
    const text = (name: string) =>
      Buffer.concat(frames.filter(({ stream }) => stream === name).map(({ content }) => content)).toString()
    return { output: text('messages').replaceAll('causeway-helper: ', ''), status: frames.at(-1)?.content[0] }
  }

  /** Waits until the helper and its watcher have undone everything. */
  async function undone(user: number): Promise<void> {
    await vi.waitFor(async () => {
      expect(await computer.text('ended')).toBe('ended')
      expect(await readdir(computer.file(`state/${String(user)}`))).not.toContainEqual(
        expect.stringMatching(/^cw/),
      )
    })
  }

  it('runs a tunnel like one that sudo started', async () => {
    const { openVpn, words } = await computer.launch(daemon())
    expect(words).toMatchObject([{ message: 'started' }])
    expect(await openVpn.applyDns?.({ servers: ['10.0.0.53'], domains: [] })).toMatchObject({ applied: true })
    expect(await computer.text('names')).toContain('ServerAddresses * 10.0.0.53')
    openVpn.end({ hasBegun: true })
    expect(await openVpn.exited).toEqual({ exitCode: 0 })
    expect([await computer.text('ended'), await computer.text('names')]).toEqual(['ended', undefined])
  })

  it.each([
    ['root', 0, 'release\n', 'kill-switch none\n', 0],
    ['the user at the console', atConsole, 'release\n', 'kill-switch none\n', 0],
    ['the user at the console, who only wants to know', atConsole, '', '', 0],
    ['another user', elsewhere, 'release\n', 'failed not-at-console\n', 65],
    ['another user, about WireGuard', elsewhere, 'wireguard\n', 'failed not-at-console\n', 65],
    ['root, about every user', 0, 'release --all\n', 'kill-switch none\n', 0],
    [
      'the user at the console, about every user',
      atConsole,
      'release --all\n',
      'failed not-administrator\n',
      65,
    ],
  ])('answers %s', async (_who, user, input, output, status) => {
    expect(await answerTo(user, input)).toEqual({ output, status })
  })

  it('asks the system who sits at the computer, at each connection', async () => {
    await chown(computer.file('console'), elsewhere, 0)
    expect((await answerTo(elsewhere, 'release\n')).status).toBe(0)
    expect((await answerTo(atConsole, 'release\n')).status).toBe(65)
    // At the login window, the console is root's.
    await chown(computer.file('console'), 0, 0)
    expect((await answerTo(elsewhere, 'release\n')).status).toBe(65)
  })

  it.each([
    ['half a command', 'relea', 'failed incomplete\n'],
    ['an unknown command', 'watch cw1t\n', 'failed usage\n'],
    ['a long command', `${'r'.repeat(100_000)}\n`, 'failed usage\n'],
    [
      'random bytes',
      Buffer.concat([Buffer.from([0xff]), randomBytes(5000)]),
      /^failed (usage|incomplete)\n$/,
    ],
    ['a command in the form of a frame', Buffer.from('l\0\x08release\n'), 'failed usage\n'],
    ['a wrong header', 'run\nkill-switch maybe\n', 'failed header\n'],
    [
      'a hostile configuration, and more',
      `run\nkill-switch off\ndns off\nup /bin/sh\n${'x\n'.repeat(9000)}`,
      'refused up\n',
    ],
    [
      'a WireGuard tunnel without a key',
      'wireguard\nkill-switch off\ndns off\n#END\n',
      'refused private-key\n',
    ],
    [
      'a hostile value of a WireGuard tunnel',
      'wireguard\nkill-switch off\ndns off\nendpoint -blackhole;id 51820\n',
      'refused endpoint\n',
    ],
    [
      'random bytes for a configuration',
      Buffer.concat([Buffer.from('run\n\x80'), randomBytes(300_000)]),
      /^(refused|failed) /,
    ],
  ] as const)('refuses %s', async (_name, input, output) => {
    const answer = await answerTo(atConsole, Buffer.from(input))
    expect(answer.output).toMatch(typeof output === 'string' ? new RegExp(`^${output}$`) : output)
    expect(answer.status).toBe(65)
    expect(await computer.text('arguments')).toBeUndefined()
  })

  it('tells the app why it refused, while the app still sends', async () => {
    const { exited } = await runHelper(daemon(), {
      command: 'run',
      configuration: `up /bin/sh\n${'x\n'.repeat(2_000_000)}`,
      killSwitch: false,
    })
    expect(await exited).toMatchObject({ error: { code: 'helper/refused', details: { directive: 'up' } } })
  })

  it('ends the tunnel of a peer that is killed, and undoes everything', async () => {
    await writeFile(computer.file('stay'), '')
    const peer = connect(atConsole)
    peer.stdin.write('run\nkill-switch off\ndns on\nclient\nremote 192.0.2.1\n#END\ndns 10.0.0.53\n')
    await vi.waitFor(async () => {
      expect(await computer.text('names')).toContain('10.0.0.53')
      // OpenVPN has begun, and notices that it is told to end.
      expect(await computer.text('added')).toBe('')
    })
    peer.kill('SIGKILL')
    await peer
    await undone(atConsole)
    expect(await computer.text('names')).toBeUndefined()
  })

  it('reports a helper that was killed; its kill switch stays until it is released', async () => {
    const { openVpn } = await computer.launch({ ...daemon(), killSwitch: true })
    const helper = /cw(\d+)t/.exec((await computer.text('arguments')) ?? '')?.[1]
    process.kill(Number(helper), 'SIGKILL')
    expect(await openVpn.exited).toEqual({})
    await undone(0)
    expect(await computer.text('anchors/0')).toContain('block drop')
    expect(await releaseKillSwitch(daemon())).toBe('released')
    expect(await computer.text('anchors/0')).toBeUndefined()
  })

  it('serves launchd alone: neither sudo nor a terminal', async () => {
    const serve = async (env: Readonly<Record<string, string>>) =>
      (await execa(computer.helper, ['serve'], { env, stdin: 'ignore', reject: false })).stderr
    expect(await serve({ SUDO_UID: String(atConsole) })).toBe('causeway-helper: failed usage')
    expect(await serve({})).toBe('causeway-helper: failed caller find-peer ENOTSOCK')
  })
})
