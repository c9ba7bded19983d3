import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { amount, isNightly } from '../../scripts/nightly-tests'
import { TestClient } from '../test-client'
import { startMockProcess } from '../test-process'

const directory = mkdtempSync(join(tmpdir(), 'causeway-mock-kill-'))
afterAll(() => {
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
})

const start = () => startMockProcess(directory, '--auto-approve')

/** Data that was written and acknowledged, with a check that it exists. */
interface Written {
  what: string
  isThere: (origin: string) => Promise<boolean>
}

/** Returns the number at the end of a name. */
const numberOf = (name: string) => Number(/\d+$/.exec(name)?.[0] ?? -1)

const json = { 'content-type': 'application/json' }
const get = async (address: string, headers: Record<string, string> = {}) => {
  const response = await fetch(address, { headers })
  return { status: response.status, text: await response.text() }
}

async function acknowledged(address: string, init: RequestInit): Promise<string> {
  const response = await fetch(address, init)
  const text = await response.text()
  if (response.status >= 300) throw new Error(`${response.status} ${text}`)
  return text
}

const writes: ((origin: string, name: string) => Promise<Written>)[] = [
  async (origin, name) => {
    const body = JSON.stringify({ name })
    await acknowledged(`${origin}/api/orgs`, { method: 'POST', headers: json, body })
    return {
      what: `organization ${name}`,
      isThere: async (at) => (await get(`${at}/api/orgs/name/${name}`)).status === 200,
    }
  },
  async (origin, name) => {
    const body = new URLSearchParams({ text: name, url: 'https://www.example.org/' })
    await acknowledged(`${origin}/2.3/misprints/new`, { method: 'POST', body })
    return {
      what: `misprint ${name}`,
      isThere: async (at) => (await get(`${at}/_mock/misprints`)).text.includes(name),
    }
  },
  async (origin, name) => {
    const body = JSON.stringify([{ profile_id: name, display_name: name }])
    await acknowledged(`${origin}/_mock/profiles`, { method: 'PUT', headers: json, body })
    return {
      what: `profile ${name}`,
      isThere: async (at) => {
        const { profiles } = JSON.parse((await get(`${at}/_mock`, { accept: 'application/json' })).text) as {
          profiles: string[]
        }
        // A later write may have replaced it, acknowledged or not.
        return numberOf(profiles[0] ?? '') >= numberOf(name)
      },
    }
  },
  async (origin, name) => {
    const body = JSON.stringify({ title: name, type: 'EXTERNAL', url: `https://www.example.org/${name}` })
    const made = await acknowledged(`${origin}/v2.0.0/attachments/`, { method: 'POST', headers: json, body })
    const { id } = JSON.parse(made) as { id: string }
    return {
      what: `attachment ${name}`,
      isThere: async (at) => (await get(`${at}/v2.0.0/attachments/${id}`)).text.includes(name),
    }
  },
  async (origin, name) => {
    const create = JSON.stringify({ title: name, type: 'INTERNAL', extension: 'txt' })
    const made = await acknowledged(`${origin}/v2.0.0/attachments/`, {
      method: 'POST',
      headers: json,
      body: create,
    })
    const { url } = JSON.parse(made) as { url: string }
    await acknowledged(url, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: name })
    const id = new URL(url).pathname.split('/')[2] ?? ''
    return {
      what: `file ${name}`,
      isThere: async (at) => {
        const shown = await get(`${at}/v2.0.0/attachments/${id}`)
        if (shown.status !== 200) return false
        return (await get((JSON.parse(shown.text) as { url: string }).url)).text === name
      },
    }
  },
  async (origin, name) => {
    const { accessToken } = await new TestClient({ origin }).logIn()
    return {
      what: `login ${name}`,
      isThere: async (at) =>
        (await get(`${at}/api/vpn/profile_list`, { authorization: `Bearer ${accessToken}` })).status === 200,
    }
  },
]

const writers = 3
const maxWrites = 25

/** Writes until the mock is killed, right after `killAfter` acknowledged writes and in the middle of others. */
async function writeAndKill(
  { child, server: { origin } }: Awaited<ReturnType<typeof start>>,
  killAfter: number,
  nextName: () => string,
): Promise<Written[]> {
  const written: Written[] = []
  const gone = once(child, 'close')
  let turn = killAfter
  const write = async () => {
    while (!child.killed) {
      turn += 1
      const one = writes[turn % writes.length]
      const done = await one?.(origin, nextName()).catch((error: unknown) => {
        if (!child.killed) throw error
        return undefined
      })
      if (done !== undefined) written.push(done)
      if (written.length >= killAfter) child.kill('SIGKILL')
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  await gone
  return written
}

it(
  'keeps everything acknowledged after a kill -9 at any time',
  async () => {
    let count = 0
    const nextName = () => `name-${(count += 1)}`
    const all: Written[] = []
    const moments = { numRuns: amount(5), ...(isNightly ? {} : { seed: 1 }) }
    for (const killAfter of fc.sample(fc.integer({ min: 1, max: maxWrites }), moments)) {
      const mock = await start()
      for (const { what, isThere } of all.slice(-maxWrites)) {
        expect([what, await isThere(mock.server.origin)]).toEqual([what, true])
      }
      all.push(...(await writeAndKill(mock, killAfter, nextName)))
    }
    const {
      child,
      server: { origin },
    } = await start()
    const missing: string[] = []
    for (const { what, isThere } of all) if (!(await isThere(origin))) missing.push(what)
    expect(missing).toEqual([])
    expect(new Set(all.map(({ what }) => what.split(' ')[0])).size).toBe(writes.length)
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toEqual(process.platform === 'win32' ? [null, 'SIGTERM'] : [0, null])
  },
  isNightly ? 900_000 : 240_000,
)
