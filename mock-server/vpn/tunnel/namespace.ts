import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { isAlive } from '../../alive'
import { requireProgram } from './programs'

const run = promisify(execFile)

/** A network namespace for servers, joined to the one in which the mock runs by a pair of devices. */
export interface ServerNamespace {
  name: string
  /** Which of the free address blocks it has; every address of the mock's networks follows from it. */
  slot: number
  /** The device that stays outside. */
  device: string
  /** The address of the servers. */
  serverAddress: string
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
    else await closeNamespace({ name, device: deviceOf(Number(slot)) })
  }
  return used
}

function deviceOf(slot: number): string {
  return `cw-mock${slot}`
}

/**
 * Makes a namespace with a free block of addresses. Making the device outside is what claims the block, because the
 * kernel lets only one process do it. Rejects where this is not permitted.
 */
export async function openNamespace(): Promise<ServerNamespace> {
  const used = await usedSlots()
  for (let slot = 0; slot < slots; slot += 1) {
    if (used.has(slot)) continue
    const name = `causeway-mock-${slot}-${process.pid}`
    const device = deviceOf(slot)
    await ip('netns', 'add', name)
    try {
      await ip('link', 'add', device, 'type', 'veth', 'peer', 'name', 'outside', 'netns', name)
    } catch (error) {
      await ip('netns', 'delete', name)
      if (error instanceof Error && error.message.includes('File exists')) continue
      throw error
    }
    const namespace = { name, slot, device, serverAddress: `192.168.77.${4 * slot + 1}` }
    try {
      await joinNamespace(namespace)
      return namespace
    } catch (error) {
      await closeNamespace(namespace)
      throw error
    }
  }
  throw new Error(`all ${slots} address blocks for mock servers are in use`)
}

async function joinNamespace({ name, slot, device, serverAddress }: ServerNamespace): Promise<void> {
  await ip('address', 'add', `192.168.77.${4 * slot + 2}/30`, 'dev', device)
  await ip('link', 'set', device, 'up')
  await ip('-n', name, 'address', 'add', `${serverAddress}/30`, 'dev', 'outside')
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

/** Removes the namespace and the device outside; whatever ran inside must have ended. */
export async function closeNamespace({ name, device }: { name: string; device: string }): Promise<void> {
  // The device goes with its namespace, but only once the kernel gets to it; the next mock may want the name sooner.
  await ip('link', 'delete', device).catch(() => undefined)
  await ip('netns', 'delete', name)
}
