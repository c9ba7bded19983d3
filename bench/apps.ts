import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { settingsSchema } from '../contract/settings'
import { createAppsDivider } from '../main/app/divide-apps'
import { openUserManager } from '../main/platform/apps/user-manager'
import { ManagedUser } from '../main/platform/apps/user-manager.testing'
import { AppSplit } from '../main/tunnel/app-split'
import { groupsTop } from '../main/tunnel/apps-computers.testing'
import { appsUser, everywhere } from '../main/tunnel/apps-programs.testing'
import { AppsWorld } from '../main/tunnel/apps-world.testing'
import { sbin } from '../scripts/program'
import type { Figure } from './figure'
import { takeTurns } from './take-turns'

const rounds = 7
const streamMs = 1500
const starts = 20
const [host] = everywhere
const port = 6001

/** Answers a stream with the number of its bytes. */
const streamServer = `
require('node:net').createServer({ allowHalfOpen: true }, (socket) => {
  let received = 0
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => { received += chunk.length })
  socket.on('end', () => socket.end(String(received)))
}).listen(${port}, '${host}', () => console.log('ready'))
process.stdin.on('end', () => process.exit()).resume()`

/** Sends a stream for a while, and prints the Mbit/s with which it arrived. */
const streamClient = `
const block = Buffer.alloc(1 << 16)
const socket = require('node:net').connect(${port}, '${host}', () => {
  const began = performance.now()
  const send = () => { while (socket.writable && performance.now() - began < ${streamMs} && socket.write(block)); if (performance.now() - began >= ${streamMs}) socket.end() }
  socket.on('drain', send).on('data', (count) => console.log(Number(count) * 8 / 1000 / (performance.now() - began)))
  send()
}).on('error', (error) => { console.error(error); process.exit(1) })`

/** `npm run bench -- apps`: measures what apps outside and inside get, and how soon one that starts is outside. */
export async function benchApps(): Promise<Figure[]> {
  const world = await AppsWorld.make()
  const ends: (() => Promise<unknown>)[] = [() => world.remove()]
  try {
    const server = execa('ip', ['netns', 'exec', world.far, process.execPath, '-e', streamServer], {
      ...sbinOptions,
      reject: false,
    })
    ends.push(async () => {
      server.stdin.end()
      await server
    })
    await once(createInterface({ input: server.stdout }), 'line')
    return [...(await streams(world, ends)), await scopes(world, ends)]
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

const sbinOptions = { env: sbin }

async function streams(world: AppsWorld, ends: (() => Promise<unknown>)[]): Promise<Figure[]> {
  const installed = await world.install('linux')
  ends.push(() => installed.remove())
  const top = (await groupsTop()) ?? ''
  /** Measures a stream of an app, over a link with this rate, or over memory alone. */
  async function stream(name: string, link?: '1gbit'): Promise<number> {
    const limit = link === undefined ? 'noqueue' : `tbf rate ${link} burst 256kb latency 50ms`
    await world.inClient('tc', ...`qdisc replace dev wan root ${limit}`.split(' '))
    const group = `${top}${await world.group(name)}/cgroup.procs`
    const as = ['setpriv', `--reuid=${appsUser}`, `--regid=${appsUser}`, '--clear-groups', '--']
    const program = ['ip', 'netns', 'exec', world.client, ...as, process.execPath, '-e', streamClient]
    const words = ['-c', `echo $$ >${group} && exec "$@"`, 'sh', ...program]
    return Number((await execa('/bin/sh', words, sbinOptions)).stdout)
  }
  const through = (name: string, apps: readonly string[], link?: '1gbit') => async (): Promise<number> => {
    const tunnel = await world.tunnel('wireguard', installed, { apps })
    await tunnel.connected()
    const rate = await stream(name, link)
    await tunnel.stop()
    return rate
  }
  const except = ['apps except allow', `app ${await world.group('listed')}`]
  const only = ['apps only block', `app ${await world.group('listed')}`]
  const rates = await takeTurns(rounds, {
    none: () => stream('listed', '1gbit'),
    outside: through('listed', except, '1gbit'),
    outsideOnly: through('other', only, '1gbit'),
    memoryNone: () => stream('listed'),
    memoryOutside: through('listed', except),
    plain: through('other', []),
    inside: through('other', except),
    insideOnly: through('listed', only),
  })
  const beside = {
    none: { what: 'no tunnel', values: rates.none },
    memoryNone: { what: 'no tunnel', values: rates.memoryNone },
    plain: { what: 'a tunnel for all apps', values: rates.plain },
  }
  const figure = (what: string, own: readonly number[], other: keyof typeof beside): Figure => ({
    what: `one TCP stream of an app ${what}`,
    unit: 'Mbit/s',
    own,
    beside: beside[other],
  })
  const goal = { atLeast: 0.97 }
  return [
    { ...figure('outside, all but it inside, over 1 Gbit/s', rates.outside, 'none'), goal },
    { ...figure('outside, another alone inside, over 1 Gbit/s', rates.outsideOnly, 'none'), goal },
    figure('outside, all but it inside, over memory', rates.memoryOutside, 'memoryNone'),
    { ...figure('inside, another outside', rates.inside, 'plain'), goal },
    { ...figure('inside alone', rates.insideOnly, 'plain'), goal },
  ]
}

/** Measures the time from the first step of an app that the desktop starts until the helper has confirmed that it's outside. */
async function scopes(world: AppsWorld, ends: (() => Promise<unknown>)[]): Promise<Figure> {
  const user = await ManagedUser.make()
  const installed = await world.install('linux', user.uid)
  const dataDir = await mkdtemp(join(tmpdir(), 'causeway-bench-'))
  ends.push(
    () => user.end(),
    () => installed.remove(),
    () => rm(dataDir, { recursive: true }),
  )
  const settings = { ...settingsSchema.parse({}), appsMode: 'except', apps: 'bench' } as const
  const divide = createAppsDivider({
    dataDir,
    settings: { all: () => Promise.resolve(settings), managed: () => Promise.resolve([]) },
    profileChoices: { of: () => Promise.resolve(undefined) },
    reporter: {
      notice: () => undefined,
      failure: (_, error) => {
        throw error
      },
    },
    network: { watch: () => () => undefined },
    openManager: () => openUserManager(user.bus),
  })
  const division = await divide({ instanceId: 'vpn.example.org', profileId: 'internet' })
  if (division === undefined) throw new Error("The user's systemd gives no answer.")
  const split = new AppSplit(division)
  const groups = split.request.groups.map((group) => `app ${group}`)
  const tunnel = await world.tunnel('wireguard', installed, { apps: ['apps except allow', ...groups] })
  await tunnel.connected()
  let told = (_: readonly string[]): void => undefined
  split.follow({
    send: (command) =>
      void tunnel.ask(command).then((answer) => {
        if (answer === 'added' || answer === 'removed' || answer === 'gone' || answer === 'none')
          split.onAnswer(answer)
      }),
    tell: ({ running }) => {
      told(running)
    },
    onFull: () => undefined,
  })
  const until = (isRunning: boolean) =>
    new Promise<number>((resolve) => {
      told = (running) => {
        if (running.length > 0 === isRunning) resolve(performance.timeOrigin + performance.now())
      }
    })
  const waits: number[] = []
  for (let count = 0; count <= starts; count += 1) {
    const outside = until(true)
    const [first, ...words] = user.asUser
    const run = [
      'systemd-run',
      '--user',
      '--scope',
      '--quiet',
      '--collect',
      `--unit=app-gnome-bench-${count}.scope`,
    ]
    const app = execa(first, [...words, ...run, 'bash', '-c', 'echo $EPOCHREALTIME; read -r line'], {
      env: user.env,
      extendEnv: false,
      reject: false,
    })
    const [line] = (await once(createInterface({ input: app.stdout }), 'line')) as [string]
    // The first one warms up caches.
    if (count > 0) waits.push((await outside) - Number(line) * 1000)
    else await outside
    const gone = until(false)
    app.stdin.end()
    await Promise.all([app, gone])
  }
  split.close()
  await tunnel.stop()
  return {
    what: 'from the start of an app until it is outside',
    unit: 'ms',
    own: waits,
    goal: { atMost: 50 },
  }
}
