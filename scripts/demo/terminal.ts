import { execa } from 'execa'
import { z } from 'zod'
import { runDemo, type AppEnvironment, type RunningMockServer } from './run-demo'

/** Runs the demo in the terminal: prints typed commands and their output. */

const env: Record<string, string> = {}
/**
 * The profile for the organization's networks only. That for all traffic would take over the routes of this computer, so the
 * mock server doesn't push them by default, and Causeway would report less than that profile promises.
 */
const profile = 'office'
let steps = 0

function say(text: string): void {
  steps += 1
  console.log(`\n${steps}. ${text}`)
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '   ')
}

async function causeway(...args: string[]): Promise<void> {
  console.log(`   $ causeway ${args.join(' ')}`)
  const { all, failed } = await execa(process.execPath, ['out/main/cli.js', ...args], {
    env,
    reject: false,
    all: true,
  })
  console.log(indented(all))
  if (failed) throw new Error(`causeway ${args.join(' ')} failed`)
}

/** Connects with a real tunnel, pings through it, and disconnects with SIGINT, like Ctrl-C. */
async function connectAndPing(profile: string, address: string): Promise<void> {
  console.log(`   $ causeway connect ${profile}`)
  const connect = execa(process.execPath, ['out/main/cli.js', 'connect', profile, '--yes'], {
    env,
    reject: false,
    all: true,
  })
  const printed = printLines(connect.iterable({ from: 'all' }))
  while (connect.exitCode === null && !(await isConnected())) continue
  if (connect.exitCode === null) {
    console.log(`   $ ping -c 3 ${address}      (through the tunnel)`)
    const ping = await execa('ping', ['-c', '3', '-i', '0.2', '-W', '2', address], { reject: false })
    console.log(indented(ping.stdout.split('\n').slice(-2).join('\n')))
    if (ping.failed) throw new Error('No answer came through the tunnel')
    connect.kill('SIGINT')
  }
  await printed
  if ((await connect).exitCode !== 0) throw new Error('causeway connect failed')
}

async function printLines(lines: AsyncIterable<string>): Promise<void> {
  for await (const line of lines) console.log(indented(line))
}

/** Asks another process of the command, because the output is for people and differs without a terminal. */
async function isConnected(): Promise<boolean> {
  const { stdout } = await execa(process.execPath, ['out/main/cli.js', 'status', '--json'], { env })
  return z.object({ state: z.string() }).parse(JSON.parse(stdout)).state === 'connected'
}

async function demo(server: RunningMockServer, environment: AppEnvironment): Promise<void> {
  Object.assign(env, environment)
  console.log(
    `   It plays a VPN service at ${server.instance} with API version ${server.api} and a real OpenVPN (${server.tunnel.mode}).`,
  )

  say('Adding its instance')
  await causeway('instance', 'add', server.instance)

  say('Logging in (a script visits the address in place of your browser)')
  await causeway('login')

  say('Its profiles')
  await causeway('profile', 'list')

  if (server.api === '2') {
    say('Its messages')
    await causeway('message', 'list')
  }

  say('Its newest attachments')
  await causeway('attachment', 'list', '--page-size', '5')

  const { pingAddress } = server.tunnel
  if (pingAddress === undefined) {
    say(
      'Connecting with OpenVPN: a handshake only, because a device and routes take more rights than there are here',
    )
    await causeway('connect', profile, '--check')
  } else {
    say('Connecting with OpenVPN, and disconnecting')
    await connectAndPing(profile, pingAddress)
  }

  say('Logging out')
  await causeway('logout')
}

say('Starting the mock server')
await runDemo(demo)
