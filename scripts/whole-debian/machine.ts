import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { execa } from 'execa'
import { sbin } from '../program'
import { packetsTo } from './capture'

/** The machine's network cards, each with a virtual cable to a network of its own (world.ts). */
export const cards = ['cable0', 'cable1'] as const
export type Card = (typeof cards)[number]

/** Who runs scripts in the machine: root, and the person who sits at it. */
export const ports = ['root', 'person'] as const
type Port = (typeof ports)[number]

/** What a script has said, on both outputs. */
interface Said {
  readonly status: number
  readonly output: string
}

export interface Machine {
  /** Runs a script of bash; `seconds` of the machine's clock bound it. */
  run(port: Port, script: string, seconds?: number): Promise<Said>
  /** Waits until the machine has started, or started again, and the person is logged in. */
  started(seconds: number): Promise<void>
  /** Returns how many packets the network cards have sent to these hosts, as packetsTo of capture.ts has them. */
  sentTo(hosts: readonly string[]): Promise<number>
  end(): Promise<void>
}

/** The file of the packets that a card has sent and received. */
const captureOf = (folder: string, card: Card) => join(folder, `${card}.pcap`)

/** Places of the cards on the bus, in whose order the machine names them. */
const slots = { cable0: 10, cable1: 11 } as const

const kernelOptions = [
  ...['root=/dev/vda', 'rw', 'console=ttyS0', 'loglevel=5', 'mitigations=off', 'net.ifnames=0'],
  // On a busy computer, the kernel's check of its timer fails, and it doesn't start.
  ...['no_timer_check', 'systemd.show_status=yes'],
  ...['systemd.default_timeout_start_sec=600', 'systemd.default_device_timeout_sec=600'],
].join(' ')

interface Hardware {
  /** For sockets, captures, what the kernel says (console.log), and what scripts say (said.log). */
  readonly folder: string
  /** The file of the first disk, which stays as it is: what is written is forgotten at the end. */
  readonly disk: string
  /** The file of the second disk, read only. */
  readonly medium: string
  readonly kernel: string
  readonly initrd: string
  /** Words that start a program in the network namespace with the other ends of the cables. */
  readonly inWorld: readonly [string, ...string[]]
}

/** Starts a machine without hardware help, and returns how to use it; it ends with `end`, or with this process. */
export async function startMachine({
  folder,
  disk,
  medium,
  kernel,
  initrd,
  inWorld,
}: Hardware): Promise<Machine> {
  const socket = (name: string) => join(folder, name)
  const network = cards.flatMap((card) => [
    ...['-netdev', `tap,id=${card},ifname=${card},script=no,downscript=no,vnet_hdr=off`],
    ...[
      '-device',
      `virtio-net-pci,id=card-${card},netdev=${card},addr=${slots[card]},mac=52:54:00:00:00:${slots[card]}`,
    ],
    ...['-object', `filter-dump,id=dump-${card},netdev=${card},file=${captureOf(folder, card)}`],
  ])
  const words = [
    // Its firmware sleeps (S3) and wakes; that of a newer model takes longer to start.
    ...['-machine', 'pc', '-global', 'PIIX4_PM.disable_s3=0', '-cpu', 'Nehalem', '-m', '2048'],
    // Its clock counts instructions: on a busy computer it runs slower, and programs don't miss their time limits.
    ...['-accel', 'tcg,thread=single', '-icount', 'shift=1,sleep=on'],
    ...['-display', 'none', '-vga', 'std', '-serial', `file:${socket('console.log')}`],
    ...['-kernel', kernel, '-initrd', initrd],
    ...['-drive', `file=${disk},format=raw,if=virtio,snapshot=on,cache=unsafe`],
    ...['-drive', `file=${medium},format=raw,if=virtio,readonly=on`, '-device', 'virtio-serial', ...network],
    ...ports.flatMap((port) => [
      ...['-chardev', `socket,id=${port},path=${socket(port)},server=on,wait=off`],
      ...['-device', `virtserialport,chardev=${port},name=${port}`],
    ]),
    ...['-append', kernelOptions],
  ]
  const [program, ...through] = inWorld
  const process = execa(program, [...through, 'qemu-system-x86_64', ...words], {
    env: sbin,
    stdin: 'ignore',
    reject: false,
    all: true,
  })
  const ended = process.then(({ all }) => {
    throw new Error(`The machine has ended: ${all}`)
  })
  ended.catch(() => undefined)
  const open = (name: string) => Promise.race([opened(socket(name)), ended])
  const shells = { root: shellOn(await open('root')), person: shellOn(await open('person')) }
  const run = async (port: Port, script: string, seconds = 120): Promise<Said> => {
    const said = await Promise.race([shells[port].run(script, seconds), ended])
    await appendFile(
      socket('said.log'),
      `— ${port}, ${new Date().toISOString()}\n${script}\n${said.output}(${said.status})\n`,
    )
    return said
  }
  return {
    run,
    started: async (seconds) => {
      await Promise.race([Promise.all(ports.map((port) => shells[port].ready(seconds))), ended])
    },
    sentTo: async (hosts) => {
      const counts = await Promise.all(cards.map((card) => packetsTo(captureOf(folder, card), hosts)))
      return counts.reduce((sum, count) => sum + count, 0)
    },
    end: async () => {
      process.kill('SIGKILL')
      await process
    },
  }
}

/** Connects to a socket of the machine, which makes it soon after its start. */
async function opened(path: string): Promise<Socket> {
  for (;;) {
    const socket = connect(path)
    try {
      await once(socket, 'connect')
      // The machine's end says more.
      socket.on('error', () => undefined)
      return socket
    } catch {
      await wait(100)
    }
  }
}

/** How much slower the machine's clock may be than this computer's. */
const slowest = 10

/** Speaks with the program that runs scripts in the machine (guest.ts): a line in base64 there, a status and the output back. */
function shellOn(socket: Socket) {
  // Also those whose answer comes too late, so that it isn't taken for the next one's.
  const asked: ((line: string) => void)[] = []
  let heard: (() => void) | undefined
  let isReady = false
  lines(socket).on('line', (line) => {
    if (line !== 'ready') {
      asked.shift()?.(line)
      return
    }
    isReady = true
    heard?.()
  })
  return {
    /** Waits until the program has started, again after each start of the machine. */
    ready: async (seconds: number): Promise<void> => {
      const waiting = new Promise<void>((resolve) => (heard = resolve))
      if (!isReady) await within(seconds, 'the machine has not started', waiting)
      isReady = false
    },
    run: async (script: string, seconds: number): Promise<Said> => {
      const answer = new Promise<string>((resolve) => asked.push(resolve))
      const bounded = `timeout --kill-after=5 ${seconds} bash -c "$script"`
      const text = `script=$(cat <<'END_OF_SCRIPT'\n${script}\nEND_OF_SCRIPT\n)\n${bounded}`
      socket.write(`${Buffer.from(text).toString('base64')}\n`)
      const [status = '', output = ''] = (
        await within(slowest * seconds, `no answer to ${script}`, answer)
      ).split(' ')
      return { status: Number(status), output: Buffer.from(output, 'base64').toString() }
    },
  }
}

function lines(socket: Socket) {
  return createInterface({ input: socket }).on('error', () => undefined)
}

async function within<Result>(seconds: number, what: string, work: Promise<Result>): Promise<Result> {
  const ended = new AbortController()
  const late = wait(seconds * 1000, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`after ${seconds} s: ${what}`)
  })
  late.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    ended.abort()
  }
}
