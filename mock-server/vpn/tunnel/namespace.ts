import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { promisify } from 'node:util'
import { mayBeOwned, owner, ownerPattern } from '../../alive'
import { messageOf } from '../../errors'
import { requireProgram } from './programs'
import { type ServedKind, servedKinds } from '../remotes'

const run = promisify(execFile)

/** A network namespace for servers, connected to the mock's by a veth pair. */
export interface ServerNamespace {
  name: string
  /** The number of its address block, which determines all addresses of the mock's networks. */
  slot: number
  device: string
  /** The addresses of the servers: one for each kind of profile, so that both can use the ports of portals. */
  serverAddresses: Record<ServedKind, string>
}

const slots = 60
const namePattern = new RegExp(`^causeway-mock-(\\d+)-(${ownerPattern})$`)

export async function ip(...parameters: string[]): Promise<string> {
  const { stdout } = await run(requireProgram('ip'), parameters, { timeout: 10_000 })
  return stdout
}

/** Removes the namespaces of killed mocks and returns the slots in use. */
async function usedSlots(): Promise<Set<number>> {
  const used = new Set<number>()
  for (const line of (await ip('netns', 'list')).split('\n')) {
    const [name = ''] = line.split(' ')
    const [, slot, by] = namePattern.exec(name) ?? []
    if (slot === undefined || by === undefined) continue
    if (mayBeOwned(by)) used.add(Number(slot))
    else await removeNamespace(name)
  }
  return used
}

/** Runs a command that creates something; returns false if it already exists. */
async function claims(...parameters: string[]): Promise<boolean> {
  try {
    await ip(...parameters)
    return true
  } catch (error) {
    if (messageOf(error).includes('File exists')) return false
    throw error
  }
}

/** Creates a namespace with a free address block. The outer device claims it: only one process can create that. */
export async function openNamespace(): Promise<ServerNamespace> {
  const used = await usedSlots()
  for (let slot = 0; slot < slots; slot += 1) {
    const namespace = used.has(slot) ? undefined : await openSlot(slot)
    if (namespace !== undefined) return namespace
  }
  throw new Error(`all ${slots} address blocks for mock servers are in use`)
}

/** Creates the namespace for an address block; returns undefined if another mock has the block. */
async function openSlot(slot: number): Promise<ServerNamespace | undefined> {
  const name = `causeway-mock-${slot}-${owner}`
  const device = `cw-mock${slot}`
  const serverAddresses = {
    'default-gateway': linkAddress('default-gateway', slot, 1),
    other: linkAddress('other', slot, 1),
  }
  const namespace = { name, slot, device, serverAddresses }
  if (!(await claims('netns', 'add', name))) return undefined
  let isJoined = false
  try {
    if (!(await claims('link', 'add', device, 'type', 'veth', 'peer', 'name', 'outside', 'netns', name)))
      return undefined
    await joinNamespace(namespace)
    isJoined = true
    return namespace
  } finally {
    if (!isJoined) await removeNamespace(name)
  }
}

/** Returns an address in the network between the two namespaces: 1 is inside, 2 outside. */
function linkAddress(serves: ServedKind, slot: number, side: 1 | 2): string {
  const network = { 'default-gateway': '192.168.77', other: '192.168.78' }
  return `${network[serves]}.${4 * slot + side}`
}

async function joinNamespace({ name, slot, device, serverAddresses }: ServerNamespace): Promise<void> {
  for (const serves of servedKinds) {
    await ip('address', 'add', `${linkAddress(serves, slot, 2)}/30`, 'dev', device)
    await ip('-n', name, 'address', 'add', `${serverAddresses[serves]}/30`, 'dev', 'outside')
  }
  await ip('link', 'set', device, 'up')
  await ip('-n', name, 'link', 'set', 'outside', 'up')
  for (const address of addressesBehind(slot)) {
    await ip('-n', name, 'address', 'add', `${address}/${isIPv6(address) ? 128 : 32}`, 'dev', 'lo')
  }
  await ip('-n', name, 'link', 'set', 'lo', 'up')
}

/** Returns the first three numbers of the network that is only reachable through the tunnel. */
export function testPrefixOf(slot: number): string {
  return `10.99.${slot}`
}

/** Returns the IPv6 network that is only reachable through the tunnel, with its colons. */
export function testPrefix6Of(slot: number): string {
  return `fd99:0:0:${(slot + 1).toString(16)}::`
}

/** Returns the addresses that are only reachable through the tunnel: IPv4, and IPv6 if this machine has it. */
export function addressesBehind(slot: number): string[] {
  return [`${testPrefixOf(slot)}.1`, ...(hasIpv6() ? [`${testPrefix6Of(slot)}1`] : [])]
}

export function hasIpv6(): boolean {
  try {
    return readFileSync('/proc/sys/net/ipv6/conf/default/disable_ipv6', 'utf8').trim() === '0'
  } catch {
    return false
  }
}

export function insideNamespace({ name }: ServerNamespace): string[] {
  return [requireProgram('ip'), 'netns', 'exec', name]
}

export async function runInside(
  namespace: ServerNamespace,
  [program, ...parameters]: [Parameters<typeof requireProgram>[0] | 'sh', ...string[]],
  input = '',
): Promise<string> {
  const [first = '', ...rest] = insideNamespace(namespace)
  const path = program === 'sh' ? program : requireProgram(program)
  const running = run(first, [...rest, path, ...parameters], { timeout: 10_000 })
  const { stdin } = running.child
  // A program that reads nothing may end first; its status says how it went.
  stdin?.on('error', () => undefined)
  stdin?.end(input)
  return (await running).stdout
}

/** Removes a namespace with its contents, unless another mock has already done so. */
async function removeNamespace(name: string): Promise<void> {
  await ip('netns', 'delete', name).catch(() => undefined)
}

/** Removes the namespace and the outer device. All processes inside must have ended. */
export async function closeNamespace({ name, device }: ServerNamespace): Promise<void> {
  // The kernel removes the device with its namespace, but later; the next mock may need the name sooner.
  await ip('link', 'delete', device).catch(() => undefined)
  await removeNamespace(name)
}
