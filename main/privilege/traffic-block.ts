import { createSocket } from 'node:dgram'
import { lstatSync, watch } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { dirname } from 'node:path'
import { Emitter } from '../emitter'

/** Returns the path where the helper records that the kill switch of this user is up (docs/helper.md); undefined on Windows. */
function killSwitchRecord(platform: NodeJS.Platform = process.platform): string | undefined {
  const folder = platform === 'darwin' ? '/var/run/causeway' : '/run/causeway'
  return platform === 'win32' ? undefined : `${folder}/${String(process.getuid?.() ?? 0)}/kill-switch`
}

/**
 * Tells if the kill switch blocks the traffic of this user. Only root may ask the firewall. What everybody may do is read root's
 * own record, which ends with the kill switch and with the computer's run, and try to send a packet: other programs may have
 * emptied the firewall.
 */
export class TrafficBlock {
  readonly #record: string | undefined
  readonly #probe: typeof mayPass
  readonly #changes = new Emitter<void>()
  /** A packet has passed in spite of the record. */
  #isLifted = false
  /** The last answer of `check`. */
  #before: boolean | undefined

  constructor({
    record = killSwitchRecord(),
    probe = mayPass,
  }: { readonly record?: string; readonly probe?: typeof mayPass } = {}) {
    this.#record = record
    this.#probe = probe
  }

  /** Answers from the record and the last `check`, because this is asked often. */
  isOn(): boolean {
    return this.#isRecorded() && !this.#isLifted
  }

  /** Tries to send a packet if the record says that none passes. Calls the listeners if the answer is another one than before. */
  async check(): Promise<boolean> {
    this.#isLifted = this.#isRecorded() && (await this.#probe()) === true
    const isOn = this.isOn()
    const changed = this.#before !== undefined && this.#before !== isOn
    this.#before = isOn
    if (changed) this.#changes.emit()
    return isOn
  }

  /** Calls back when the record changes, and after changes that `check` found; returns a function that stops it. */
  watch(listener: () => void): () => void {
    let stopRecord: (() => void) | undefined
    const again = () => {
      stopRecord?.()
      stopRecord = this.#watchRecord(again)
      listener()
    }
    stopRecord = this.#watchRecord(again)
    const stopChanges = this.#changes.on(again)
    return () => {
      stopChanges()
      stopRecord?.()
    }
  }

  #isRecorded(): boolean {
    if (this.#record === undefined) return false
    try {
      return lstatSync(this.#record, { throwIfNoEntry: false }) !== undefined
    } catch {
      // What can't be seen may be there: `check` tries a packet.
      return true
    }
  }

  /** Only root may list the record's folder, so others learn by this that the record goes, and by `check` that it is there. */
  #watchRecord(onChange: () => void): (() => void) | undefined {
    if (this.#record === undefined) return undefined
    for (const path of [this.#record, dirname(this.#record)]) {
      try {
        const watcher = watch(path, { persistent: false }, onChange)
        watcher.on('error', () => {
          watcher.close()
        })
        return () => {
          watcher.close()
        }
      } catch {
        // Missing, or not for this user.
      }
    }
    return undefined
  }
}

/**
 * Ports that a firewall is likely to permit. The kill switch permits none, but the rules of a computer's own firewall refuse some
 * packets, too, also after they have replaced the kill switch.
 */
const probedPorts = [9, 53, 67, 80, 123, 443, 1194, 5353]

/**
 * Returns true if a packet may leave by a network interface, false if a firewall refuses them all, and undefined if that can't be
 * seen, such as without a network. They are packets of multicast with a lifetime of 0: the firewall sees them, and the network
 * never does.
 */
async function mayPass(): Promise<boolean | undefined> {
  const all = Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses.map((each) => ({ ...each, isTunnel: /^(cw\d+t|utun\d+)$/.test(name) })),
  )
  // The kernel finds an interface by its address, which a server may have given to the tunnel, too.
  const tunnels = new Set(all.flatMap(({ address, isTunnel }) => (isTunnel ? [address] : [])))
  const own = all.filter(
    ({ address, family, internal }) => family === 'IPv4' && !internal && !tunnels.has(address),
  )
  const answers = await Promise.all(own.slice(0, 8).map(({ address }) => sendsFrom(address)))
  return answers.includes(true) ? true : answers.find((answer) => answer !== undefined)
}

async function sendsFrom(address: string): Promise<boolean | undefined> {
  const socket = createSocket('udp4')
  try {
    return await new Promise((resolve) => {
      socket.on('error', () => {
        resolve(undefined)
      })
      socket.bind(0, address, () => {
        try {
          socket.setMulticastInterface(address)
          socket.setMulticastTTL(0)
          socket.setMulticastLoopback(false)
          const answers: (boolean | undefined)[] = []
          for (const port of probedPorts)
            socket.send('', port, '224.0.0.1', (error) => {
              if (error === null) resolve(true)
              else answers.push((error as NodeJS.ErrnoException).code === 'EPERM' ? false : undefined)
              if (answers.length === probedPorts.length) resolve(answers.includes(false) ? false : undefined)
            })
        } catch {
          // The address has just gone.
          resolve(undefined)
        }
      })
    })
  } finally {
    socket.close()
  }
}
