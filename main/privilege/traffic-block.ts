import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'
import { Emitter } from '../emitter'
import { FileRecord, type KillSwitchRecord, ServiceRecord } from './kill-switch-record'

/** Returns where it is recorded that the kill switch of this user is up (docs/helper.md). */
export function killSwitchRecord(platform: NodeJS.Platform): KillSwitchRecord {
  if (platform === 'win32') return new ServiceRecord()
  const folder = platform === 'darwin' ? '/var/run/causeway' : '/run/causeway'
  return new FileRecord(`${folder}/${String(process.getuid?.() ?? 0)}/kill-switch`)
}

/** On Windows, the service may ask the firewall. */
async function passesService(): Promise<boolean> {
  const { mayPassService } = await import('./helper-client')
  return mayPassService()
}

interface TrafficBlockOptions {
  /** The record, or the path of its file; default: the system's. */
  readonly record?: KillSwitchRecord | string
  /** Returns true if packets may leave although the kill switch is recorded; false also if that can't be seen. */
  readonly probe?: () => Promise<boolean>
}

/**
 * Tells if the kill switch blocks the traffic of this user. Only root may ask the firewall. What everybody may do is read root's
 * own record, which ends with the kill switch and with the computer's run, and try to send a packet: other programs may have
 * emptied the firewall. On Windows, Causeway's service asks the firewall.
 */
export class TrafficBlock {
  readonly #record: KillSwitchRecord
  readonly #probe: () => Promise<boolean>
  readonly #changes = new Emitter<void>()
  /** A packet has passed in spite of the record. */
  #isLifted = false
  /** The last answer of `check`. */
  #before: boolean | undefined

  constructor({ record, probe }: TrafficBlockOptions = {}) {
    const { platform } = process
    this.#record =
      typeof record === 'string' ? new FileRecord(record) : (record ?? killSwitchRecord(platform))
    this.#probe = probe ?? (platform === 'win32' ? passesService : mayPass)
  }

  /** Answers from the record and the last `check`, because this is asked often. */
  isOn(): boolean {
    return this.#record.isThere() && !this.#isLifted
  }

  /** Looks whether packets pass if the record says that none does. Calls the listeners if the answer is another one than before. */
  async check(): Promise<boolean> {
    await this.#record.read()
    this.#isLifted = this.#record.isThere() && (await this.#probe())
    const isOn = this.isOn()
    const changed = this.#before !== undefined && this.#before !== isOn
    this.#before = isOn
    if (changed) this.#changes.emit()
    return isOn
  }

  /** Calls back when the record changes, and after changes that `check` found; returns a function that stops it. */
  watch(listener: () => void): () => void {
    const watched = this.#record.watch(listener)
    const stopChanges = this.#changes.on(() => {
      watched.again()
      listener()
    })
    return () => {
      stopChanges()
      watched.close()
    }
  }
}

/**
 * Ports that a firewall is likely to permit. The kill switch permits none, but the rules of a computer's own firewall refuse some
 * packets, too, also after they have replaced the kill switch.
 */
const probedPorts = [9, 53, 67, 80, 123, 443, 1194, 5353]

/**
 * Returns true if a packet may leave by a network interface; false if a firewall refuses them all, or nothing can be sent, such as
 * without a network. They are packets of multicast with a lifetime of 0, and for IPv6 within this computer: the firewall sees them,
 * and neither the network nor another program ever does.
 */
async function mayPass(): Promise<boolean> {
  const all = Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses.map((each) => ({ ...each, name, isTunnel: /^(cw\d+t|utun\d+)$/.test(name) })),
  )
  // The kernel finds an interface by its address, which a server may have given to the tunnel, too.
  const tunnels = new Set(all.flatMap(({ address, isTunnel }) => (isTunnel ? [address] : [])))
  const own = all.filter(({ address, internal }) => !internal && !tunnels.has(address))
  const ipv4 = own.filter(({ family }) => family === 'IPv4')
  // Each device has a link-local address, also without a network.
  const ipv6 = own.filter(({ family, scopeid }) => family === 'IPv6' && scopeid === 0)
  const from = ipv4.length > 0 || process.platform !== 'linux' ? ipv4 : ipv6
  const answers = await Promise.all(from.slice(0, 8).map(sendsFrom))
  return answers.includes(true)
}

async function sendsFrom({
  address,
  family,
  name,
}: Pick<NetworkInterfaceInfo, 'address' | 'family'> & { readonly name: string }): Promise<boolean> {
  const isIpv4 = family === 'IPv4'
  const socket = createSocket(isIpv4 ? 'udp4' : 'udp6').on('error', () => undefined)
  try {
    socket.bind(0, address)
    await once(socket, 'listening')
    socket.setMulticastInterface(isIpv4 ? address : `::%${name}`)
    socket.setMulticastTTL(0)
    socket.setMulticastLoopback(false)
    const answers = probedPorts.map(
      (port) =>
        new Promise<boolean>((resolve) => {
          socket.send('', port, isIpv4 ? '224.0.0.1' : `ff01::1%${name}`, (error) => {
            resolve(error === null)
          })
        }),
    )
    return (await Promise.all(answers)).includes(true)
  } catch {
    // The address has just gone.
    return false
  } finally {
    socket.close()
  }
}
