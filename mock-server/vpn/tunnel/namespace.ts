import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { isAlive } from '../../alive'
import { requireProgram } from './programs'
import { servedKinds, type ServedKind } from './tunnel'

const run = promisify(execFile)

/** A network namespace for servers, joined to the one in which the mock runs by a pair of devices. */
export interface ServerNamespace {
  name: string
  /** Which of the free address blocks it has; every address of the mock's networks follows from it. */
  slot: number
  /** The device that stays outside. */
  device: string
  /** The addresses of the servers: one for each kind of profile, so that both have the portals' own ports. */
  serverAddresses: Record<ServedKind, string>
}

const slots = 60
const namePattern = /^causeway-mock-(\d+)-(\d+)$/

async function ip(...parameters: string[]): Promise<string> {
  const { stdout } = await run(requireProgram('ip'), parameters, { timeout: 10_000 })
  return stdout
}

/** The slots in use, after removing what killed mocks have left behind. */
async function usedSlots(): Promise<Set<number>> {
  const used = new Set<number>()
  for (const line of (await ip('netns', 'list')).split('\n')) {
    const [name = ''] = line.split(' ')
    const [, slot, pid] = namePattern.exec(name) ?? []
    if (slot === undefined) continue
    if (isAlive(Number(pid))) used.add(Number(slot))
    else await removeNamespace(name)
  }
  return used
}

/** Runs a command that makes something, and returns false where somebody else has made it already. */
async function claims(...parameters: string[]): Promise<boolean> {
  try {
    await ip(...parameters)
    return true
  } catch (error) {
    if (error instanceof Error && error.message.includes('File exists')) return false
    throw error
  }
}

/**
 * Makes a namespace with a free block of addresses. Making the device outside is what claims the block, because the
 * kernel lets only one process do it. Rejects where this is not permitted.
 */
export async function openNamespace(): Promise<ServerNamespace> {
  const used = await usedSlots()
  for (let slot = 0; slot < slots; slot += 1) {
    const namespace = used.has(slot) ? undefined : await openSlot(slot)
    if (namespace !== undefined) return namespace
  }
  throw new Error(`all ${slots} address blocks for mock servers are in use`)
}

/** The namespace for a block of addresses, or undefined where another mock has the block. */
async function openSlot(slot: number): Promise<ServerNamespace | undefined> {
  const name = `causeway-mock-${slot}-${process.pid}`
  const device = `cw-mock${slot}`
  const serverAddresses = {
    'default-gateway': linkAddress('default-gateway', slot, 1),
    other: linkAddress('other', slot, 1),
  }
  const namespace = { name, slot, device, serverAddresses }
  if (!(await claims('netns', 'add', name))) return undefined
  try {
    if (await claims('link', 'add', device, 'type', 'veth', 'peer', 'name', 'outside', 'netns', name)) {
      await joinNamespace(namespace)
      return namespace
    }
    await removeNamespace(name)
    return undefined
  } catch (error) {
    await removeNamespace(name)
    throw error
  }
}

/** An address in the small network that joins the namespace to the mock's: 1 is inside, 2 outside. */
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
  await ip('-n', name, 'address', 'add', `${testPrefixOf(slot)}.1/32`, 'dev', 'lo')
  await ip('-n', name, 'link', 'set', 'lo', 'up')
}

/** The first three numbers of the network that a client reaches only through the tunnel. */
export function testPrefixOf(slot: number): string {
  return `10.99.${slot}`
}

/** The command that runs another in the namespace. */
export function insideNamespace({ name }: ServerNamespace): string[] {
  return [requireProgram('ip'), 'netns', 'exec', name]
}

/** Removes a namespace with all that is in it, unless another mock has just done so. */
async function removeNamespace(name: string): Promise<void> {
  await ip('netns', 'delete', name).catch(() => undefined)
}

/** Removes the namespace and the device outside; whatever ran inside must have ended. */
export async function closeNamespace({ name, device }: ServerNamespace): Promise<void> {
  // The device goes with its namespace, but only once the kernel gets to it; the next mock may want the name sooner.
  await ip('link', 'delete', device).catch(() => undefined)
  await removeNamespace(name)
}
