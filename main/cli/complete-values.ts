import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseJson } from '../json'
import { dataDirectory } from '../platform/storage/data-directory'
import { readRegularFile } from '../platform/storage/regular-file'
import { answerPath, nameOfRead } from '../services/offline-cache/answer-path'

/** The command that the completions of the shells run, as the first word. */
export const valuesCommand = 'complete-values'

/**
 * Prints what can be typed for a profile, an instance or a group, one a line, with its name in words after a tab: from the files of the
 * last answers, without a request. It loads neither schemas nor services, which would take longer than a shell may wait; so it
 * takes what it can read, prints nothing else, and never fails. `words`: the kind, then the words before the cursor.
 */
export async function completeValues([kind, ...words]: readonly string[]): Promise<void> {
  if (kind === 'group') {
    process.stdout.write(await groups())
    return
  }
  const dataDir = dataDirectory({
    platform: process.platform,
    env: process.env,
    home: homedir(),
    override: optionIn(words, '--data-dir') ?? process.env.CAUSEWAY_DATA_DIR,
  })
  const named = optionIn(words, '--instance')
  const lists = [join(dataDir, 'instances.json'), '/etc/causeway/policy.json'].map(addressesIn)
  const ids = [...new Set((await Promise.all(lists)).flat().flatMap(idOf))]
  const chosen = ids.filter((id) => named === undefined || named === id || idOf(named).includes(id))
  const values =
    kind === 'instance'
      ? ids.map((id) => [id])
      : (await Promise.all(chosen.map((id) => profilesOf(dataDir, id)))).flat()
  const lines = values.map((value) => value.filter((text) => text !== '').join('\t'))
  process.stdout.write([...new Set(lines)].map((line) => `${line}\n`).join(''))
}

/** Returns the groups of this computer, one a line; those of a directory are too many, and take too long. */
async function groups(): Promise<string> {
  const file = await readRegularFile('/etc/group').catch(() => '')
  return [...file.toString().matchAll(/^([a-z_][\w.-]*):/gim)].map(([, name = '']) => `${name}\n`).join('')
}

function optionIn(words: readonly string[], name: string): string | undefined {
  const at = words.lastIndexOf(name)
  if (at !== -1) return words[at + 1]
  return words.findLast((word) => word.startsWith(`${name}=`))?.slice(name.length + 1)
}

async function addressesIn(path: string): Promise<string[]> {
  const file = await read(path)
  return list(at(file, 'data', 'instances') ?? at(file, 'instances')).flatMap((instance) =>
    text(at(instance, 'address')),
  )
}

/** The ID of an instance is its address, which is stored in its canonical form. */
function idOf(address: string): string[] {
  const full = /^https?:/i.test(address) ? address : `https://${address}`
  if (!URL.canParse(full)) return []
  const { host, pathname } = new URL(full)
  return [`${host}${pathname.replace(/\/+$/, '')}`]
}

async function profilesOf(dataDir: string, id: string): Promise<string[][]> {
  const answer = async (name: string) => {
    const json = at(await read(answerPath(join(dataDir, 'seen'), id, name)), 'json')
    return typeof json === 'string' ? parseJson(json) : undefined
  }
  const endpoints = await answer('endpoints')
  const [base] = text(at(endpoints, 'apiBaseUri'))
  if (base === undefined || !URL.canParse(base)) return []
  const call = (name: string) => answer(nameOfRead(new URL(`${base}/${name}`)))
  const profiles =
    at(endpoints, 'apiVersion') === 3
      ? list(at(await call('info'), 'info', 'profile_list'))
      : list(at(await call('profile_list'), 'profile_list', 'data'))
  return profiles.flatMap((profile) =>
    text(at(profile, 'profile_id'))
      // A service chooses it, and must not complete an option into the command.
      .filter((word) => !word.startsWith('-'))
      .map((word) => {
        const name = at(profile, 'display_name')
        const [about = ''] = [name, at(name, 'en'), at(name, 'en-US')].flatMap(text)
        return [word, about]
      }),
  )
}

/** Returns texts that a terminal can show and a shell can take as one line. */
function text(value: unknown): string[] {
  if (Number.isSafeInteger(value)) return [String(value)]
  return typeof value === 'string' && /^[^\p{Cc}\p{Cf}\u2028\u2029]{1,1024}$/u.test(value) ? [value] : []
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (part, name) => (typeof part === 'object' && part !== null ? Reflect.get(part, name) : undefined),
    value,
  )
}

async function read(path: string): Promise<unknown> {
  try {
    return parseJson((await readRegularFile(path)).toString('utf8'))
  } catch {
    // Not there, or not readable: nothing to offer.
    return undefined
  }
}
