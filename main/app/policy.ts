import { lstat, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parse } from 'lossless-json'
import { z } from 'zod'
import packageJson from '../../package.json' with { type: 'json' }
import { type Policy, noPolicy, policyNames, policySchema } from '../../contract/policy'
import { settingName } from '../../contract/settings'
import { brand } from '../brand'
import { CausewayError, toErrorReport } from '../errors'
import { askWindowsHelper, type WindowsHelper, windowsHelper } from '../platform/child-process/windows-helper'
import { isLocalPath } from '../platform/child-process/is-program'
import { nearestName } from '../platform/settings/nearest-name'
import { englishValues } from '../platform/settings/settings'
import { policyFolder } from '../platform/storage/data-directory'
import { reasonOf } from '../platform/storage/file-system-error'
import { openRegularFile } from '../platform/storage/regular-file'
import { parseAddress } from '../portal/instance/address'
import { parseClientId } from '../portal/instance/service-settings'
import { resultWithin } from '../platform/child-process/result-within'

const maxBytes = 1024 * 1024
export const registryKey = 'HKLM\\SOFTWARE\\Policies\\Causeway'

/** A place where only an administrator can write, and the text of the policy there; undefined if there is none. */
interface PolicySource {
  readonly place: string
  readonly text: () => Promise<string | undefined>
}

/** Runs a program of the system and returns its output. Throws if that fails. */
type Ask = (program: string, words: readonly string[]) => Promise<string>

interface PolicyReaderOptions {
  readonly platform?: NodeJS.Platform
  /** For tests: the folder of policy.json, and its owner. */
  readonly folder?: string
  readonly owner?: number
  readonly ask?: Ask
  readonly helper?: WindowsHelper
}

/** The computer's policy, and where it is. */
interface FoundPolicy extends ReadPolicy {
  readonly place: string
}

export type FindPolicy = () => Promise<FoundPolicy | undefined>

/**
 * Creates a function that reads the computer's policy (docs/administrators.md): `/etc/causeway/policy.json` on Linux, a
 * configuration profile or `/Library/Application Support/Causeway/policy.json` on macOS, and the registry on Windows. A policy
 * is read once per process; undefined if there is none. Throws `policy/unusable` for a policy that others can change, that can't be
 * read or that has errors, so that a mistake never lifts a lock, and `helper/windows-helper-unusable`.
 */
export function createPolicyFinder(options: PolicyReaderOptions = {}): FindPolicy {
  let known: Promise<FoundPolicy | undefined> | undefined
  return () => {
    known ??= find(sourcesOf(options)).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
}

/** Returns a function that reads the values of a policy alone: without a policy, nothing is set. */
export function policyReader(find: FindPolicy = createPolicyFinder()): () => Promise<Policy> {
  return async () => (await find())?.policy ?? noPolicy
}

async function find(sources: readonly PolicySource[]): Promise<FoundPolicy | undefined> {
  for (const { place, text } of sources) {
    const found = await text()
    if (found === undefined) continue
    const { problems, ...read } = parsePolicy(found)
    if (problems.length > 0) throw unusable(place, 'invalid', problems.join('; '))
    return { ...read, place }
  }
  return undefined
}

function sourcesOf({
  platform = process.platform,
  folder,
  owner = 0,
  ask = askSystem,
  helper = windowsHelper,
}: PolicyReaderOptions): PolicySource[] {
  if (platform === 'win32') return [registry(helper)]
  const files = folder ?? policyFolder(platform)
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
    if (reasonOf(error) === 'ENOENT' && !(await leadsNowhere(dirname(path))) && !(await leadsNowhere(path)))
      return undefined
    throw unusable(path, 'unreadable', undefined, error)
  }
}

/** Returns whether there is a link whose target is missing, such as on a disk that isn't mounted now. */
async function leadsNowhere(path: string): Promise<boolean> {
  const isThere = (look: typeof stat) =>
    look(path).then(
      () => true,
      () => false,
    )
  return (await isThere(lstat)) && !(await isThere(stat))
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

/** Runs a program of the system and returns its output. Throws if it fails or gives no answer. */
export async function askSystem(program: string, words: readonly string[]): Promise<string> {
  const { execa } = await import('execa')
  const answer = await resultWithin(10_000, execa(program, words))
  if (answer === undefined) throw new Error('The program gives no answer.')
  return answer.stdout
}

/** A policy, and the names in it that this version doesn't know and leaves out, such as `settings.newOne`. */
export interface ReadPolicy {
  readonly policy: Policy
  readonly skipped: readonly string[]
}

/**
 * Parses the text of a policy. A name that is nearly that of something known is a mistake that would leave it unlocked, so it is a
 * problem, and so is an unknown one that locks something; any other is taken for one of a newer version and skipped.
 * `minimumVersion` is for a policy that older versions must not skip parts of. With problems, the policy must not be used.
 */
export function parsePolicy(text: string): ReadPolicy & { readonly problems: readonly string[] } {
  const skipped: string[] = []
  const problems: string[] = []
  let content: unknown
  try {
    // Editors on Windows begin a file with a mark.
    content = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    return {
      policy: noPolicy,
      skipped,
      problems: [`not JSON: ${error instanceof Error ? error.message : ''}`],
    }
  }
  const first = policySchema.safeParse(content)
  for (const issue of first.error?.issues ?? []) {
    if (issue.code !== 'unrecognized_keys') {
      problems.push(`${nameOf(issue.path)}: ${allowedFor(issue)}`)
      continue
    }
    for (const key of issue.keys) {
      const near = nearestName(key, policyNames(issue.path))
      // A setting in the wrong place would not be locked either.
      const setting = nearestName(key, settingName.options)
      const name = nameOf([...issue.path, key])
      if (key === 'startAtLogin') problems.push(`${name} can't be set by a policy`)
      else if (near === undefined && setting !== undefined)
        problems.push(`${name} is unknown (did you mean settings.${setting}?)`)
      else if (near === undefined) {
        const part = partOf(content, issue.path)
        if (locks(key, Reflect.get(part, key)))
          problems.push(`${name} is unknown to this version, and locks something`)
        skipped.push(name)
        Reflect.deleteProperty(part, key)
      } else problems.push(`${name} is unknown (did you mean ${near}?)`)
    }
  }
  for (const name of repeatedNames(text)) problems.push(`${name} is there more than once`)
  const last = skipped.length === 0 ? first : policySchema.safeParse(content)
  if (!last.success && problems.length === 0) problems.push(`the policy: ${last.error.message}`)
  const { data: policy = noPolicy } = last
  return { policy, skipped, problems: [...problems, ...problemsOf(policy)] }
}

/** Reads a policy that need not be in effect. Throws `policy/invalid-file`. */
export async function checkPolicyFile(path: string): Promise<ReadPolicy> {
  const refused = (variant: 'unreadable' | undefined, problem: string | undefined, cause?: unknown) =>
    new CausewayError('policy/invalid-file', { variant, details: { path, problem }, cause })
  let text: string
  try {
    const file = await openRegularFile(path)
    try {
      if ((await file.stat()).size > maxBytes) throw refused(undefined, 'larger than 1 MB')
      text = await file.readFile('utf8')
    } finally {
      await file.close()
    }
  } catch (error) {
    throw error instanceof CausewayError ? error : refused('unreadable', undefined, error)
  }
  const { problems, ...read } = parsePolicy(text)
  if (problems.length > 0) throw refused(undefined, problems.join('; '))
  return read
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.') || 'the policy'
}

/** Says what a value must be: for a setting as `causeway settings list` does. */
function allowedFor({ path, message }: z.core.$ZodIssue): string {
  const [part, name] = path
  const setting = part === 'settings' ? settingName.safeParse(name).data : undefined
  return setting === undefined ? message : `must be one of these: ${englishValues(setting).join(', ')}`
}

/** Returns whether an unknown key claims to lock something; ignoring it would unlock that. */
function locks(name: string, value: unknown): boolean {
  const parts: [string, unknown][] = [[name, value]]
  for (const [key, part] of parts) {
    if (/^lock|Lock/.test(key) && part !== false) return true
    if (typeof part === 'object' && part !== null) for (const each of Object.entries(part)) parts.push(each)
  }
  return false
}

function partOf(content: unknown, path: readonly PropertyKey[]): object {
  return path.reduce<object>((part, key) => Reflect.get(part, key) as object, content as object)
}

/** Stands for the value of a name that is there again. */
const repeated = Symbol('repeated')

/** Returns the names that are there more than once, with different values: only the last of them would count. */
function repeatedNames(text: string): string[] {
  // As the value of such a name, it says where that is.
  const content = parse(text.replace(/^\uFEFF/, ''), null, { onDuplicateKey: () => repeated })
  const names: string[] = []
  const look = (value: unknown, path: readonly string[]): void => {
    if (value === repeated) names.push(nameOf(path))
    else if (typeof value === 'object' && value !== null)
      for (const [key, part] of Object.entries(value)) look(part, [...path, key])
  }
  look(content, [])
  return names
}

/** Returns what the schema can't tell. */
function problemsOf({ instances, settings, minimumVersion }: Policy): string[] {
  const { openvpnPath = '', discovery = '', discoveryKey = '' } = settings
  const known = new Map<string, number>()
  const problems = instances.flatMap(({ address, clientId }, index) => {
    try {
      const { id } = parseAddress(address)
      if (clientId !== undefined) parseClientId(clientId)
      const same = known.get(id)
      known.set(id, same ?? index)
      return same === undefined
        ? []
        : [`instances.${String(index)}: it has the same address as instances.${String(same)}`]
    } catch (error) {
      return [`instances.${String(index)}: ${toErrorReport(error).message}`]
    }
  })
  if (openvpnPath !== '' && !isLocalPath(openvpnPath))
    problems.push('settings.openvpnPath must be a path on this computer')
  if (discovery !== '' && discoveryKey === '' && brand.discovery === undefined)
    problems.push('settings.discovery needs settings.discoveryKey, the public key of these lists')
  const { version } = packageJson
  if (minimumVersion?.localeCompare(version, 'en', { numeric: true }) === 1)
    problems.push(`it needs Causeway ${minimumVersion}, and this is ${version}`)
  return problems
}

function unusable(
  path: string,
  reason: 'unreadable' | 'untrusted' | 'invalid',
  problem?: string,
  cause?: unknown,
): CausewayError {
  return new CausewayError('policy/unusable', {
    details: { path, reason, problem: problem?.slice(0, 1000) },
    cause,
  })
}
