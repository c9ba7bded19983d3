import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { type Policy, noPolicy, policySchema } from '../../contract/policy'
import { CausewayError } from '../errors'
import { askWindowsHelper, type WindowsHelper, windowsHelper } from '../platform/child-process/windows-helper'
import { isLocalPath } from '../platform/child-process/is-program'
import { openRegularFile } from '../platform/storage/regular-file'
import { parseAddress } from '../portal/instance/address'
import { parseClientId } from '../portal/instance/service-settings'

const maxBytes = 1024 * 1024
const registryKey = 'HKLM\\SOFTWARE\\Policies\\Causeway'

/** A place where only an administrator can write, and the text of the policy there; undefined if there is none. */
interface PolicySource {
  readonly place: string
  readonly text: () => Promise<string | undefined>
}

/** Runs a program of the system and returns its output. Throws if that fails. */
type Ask = (program: string, words: readonly string[]) => Promise<string>

/**
 * Creates a function that reads the computer's policy (docs/administrators.md): `/etc/causeway/policy.json` on Linux, a
 * configuration profile or `/Library/Application Support/Causeway/policy.json` on macOS, and the registry on Windows. A policy
 * is read once per process; without one, nothing is set. Throws `policy/unusable` for a policy that others can change, that can't be
 * read or that has errors, so that a mistake never lifts a lock, and `helper/windows-helper-unusable`.
 */
export function createPolicyReader(
  options: {
    readonly platform?: NodeJS.Platform
    /** For tests: the folder of policy.json, and its owner. */
    readonly folder?: string
    readonly owner?: number
    readonly ask?: Ask
    readonly helper?: WindowsHelper
  } = {},
): () => Promise<Policy> {
  let known: Promise<Policy> | undefined
  return () => {
    known ??= read(sourcesOf(options)).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
}

async function read(sources: readonly PolicySource[]): Promise<Policy> {
  for (const { place, text } of sources) {
    const found = await text()
    if (found !== undefined) return parsed(found, place)
  }
  return noPolicy
}

function sourcesOf({
  platform = process.platform,
  folder,
  owner = 0,
  ask = askSystem,
  helper = windowsHelper,
}: Parameters<typeof createPolicyReader>[0] & object): PolicySource[] {
  if (platform === 'win32') return [registry(helper)]
  const files = folder ?? (platform === 'darwin' ? '/Library/Application Support/Causeway' : '/etc/causeway')
  const own = ownedFile(`${files}/policy.json`, owner)
  return platform === 'darwin'
    ? [profile('/Library/Managed Preferences/org.causeway.app.plist', owner, ask), own]
    : [own]
}

/** A file that only its owner can change, in a folder that only its owner can change. */
function ownedFile(path: string, owner: number): PolicySource {
  return { place: path, text: async () => (await ownedContent(path, owner))?.toString('utf8') }
}

async function ownedContent(path: string, owner: number): Promise<Buffer | undefined> {
  const isOwned = ({ uid, mode }: { uid: number; mode: number }) => uid === owner && (mode & 0o022) === 0
  try {
    const folder = await stat(dirname(path))
    const file = await openRegularFile(path)
    try {
      const found = await file.stat()
      if (!isOwned(folder) || !isOwned(found)) throw unusable(path, 'untrusted')
      if (found.size > maxBytes) throw unusable(path, 'invalid', 'larger than 1 MB')
      return await file.readFile()
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof CausewayError) throw error
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw unusable(path, 'unreadable', undefined, error)
  }
}

/** The preferences that a configuration profile sets, which macOS keeps as a property list. */
function profile(path: string, owner: number, ask: Ask): PolicySource {
  return {
    place: path,
    text: async () => {
      if ((await ownedContent(path, owner)) === undefined) return undefined
      const json = await ask('/usr/bin/plutil', ['-convert', 'json', '-o', '-', path]).catch(() => undefined)
      if (json === undefined) throw unusable(path, 'unreadable')
      return json
    },
  }
}

const registryAnswer = z.object({ kind: z.enum(['none', 'text', 'other']), text: z.string() })

/**
 * The value `Policy` of a key that only administrators can change. The system's reg.exe ends in the same way without a value
 * and where an administrator has blocked it.
 */
function registry(helper: WindowsHelper): PolicySource {
  return {
    place: registryKey,
    text: async () => {
      const found = await askWindowsHelper(registryAnswer, helper('policy'))
      if (found === undefined) throw new CausewayError('helper/windows-helper-unusable')
      if (found.kind === 'other') throw unusable(registryKey, 'invalid', 'Policy is not a text (REG_SZ)')
      return found.kind === 'text' ? found.text.trim() : undefined
    },
  }
}

async function askSystem(program: string, words: readonly string[]): Promise<string> {
  const { execa } = await import('execa')
  return (await execa(program, words, { timeout: 10_000 })).stdout
}

function parsed(text: string, place: string): Policy {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (error) {
    throw unusable(place, 'invalid', 'not JSON', error)
  }
  const policy = policySchema.safeParse(content)
  if (!policy.success) throw unusable(place, 'invalid', z.prettifyError(policy.error).replaceAll(/\s+/g, ' '))
  for (const { address, clientId } of policy.data.instances) {
    try {
      parseAddress(address)
      if (clientId !== undefined) parseClientId(clientId)
    } catch (error) {
      throw unusable(place, 'invalid', `instances: ${JSON.stringify(address)} or its clientId`, error)
    }
  }
  const { openvpnPath = '' } = policy.data.settings
  if (openvpnPath !== '' && !isLocalPath(openvpnPath)) {
    throw unusable(place, 'invalid', 'settings.openvpnPath is not a path on this computer')
  }
  return policy.data
}

function unusable(
  path: string,
  reason: 'unreadable' | 'untrusted' | 'invalid',
  problem?: string,
  cause?: unknown,
): CausewayError {
  return new CausewayError('policy/unusable', {
    details: { path, reason, ...(problem === undefined ? {} : { problem: problem.slice(0, 300) }) },
    cause,
  })
}
