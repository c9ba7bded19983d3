import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DocumentedService } from '../services/attachments/documented-service.testing'
import { BuiltCommand, type Person } from './causeway.testing'

let command: BuiltCommand
let person: Person
let service: DocumentedService

beforeAll(async () => {
  command = await BuiltCommand.make()
  service = await DocumentedService.start({ strict: true, oldestFirst: true })
  person = await command.person('https://vpn.example.org/')
  await person.json('instance', 'set', '--attachments', service.attachments)
})
afterAll(async () => {
  await service.close()
  await command.remove()
})
beforeEach(() => {
  service.calls.length = 0
})

const run = (...args: string[]) => person.json('attachment', ...args)

async function file(name: string, content = 'notes'): Promise<string> {
  const path = join(person.dataDir, name)
  await writeFile(path, content)
  return path
}

describe('against a service that accepts only documented requests', () => {
  it('lists valid attachments, and reports the number of invalid ones and the total', async () => {
    service.behaviour.badRecords = [{ id: 'bad' }, null]
    const { id } = service.add({ status: 'COMPLETED', videos: ['v2'] })
    const listed = await person.run(['attachment', 'list', '--json'])
    expect(JSON.parse(listed.stdout)).toMatchObject([{ id }])
    expect(JSON.parse(listed.stderr.split('\n', 1)[0] ?? '')).toMatchObject({
      notice: { code: 'attachments/unreadable', details: { count: 2 } },
    })
    expect(await run('list', '--with-total')).toMatchObject({ data: [{ id }], totalCount: 3, unreadable: 2 })
    const shown = await person.run(['attachment', 'for-video', 'v2'])
    expect(shown.stderr).toContain("Attachments that couldn't be read and aren't shown: 2.")
    service.behaviour.badRecords = []
    await run('delete', id, '--yes')
  })

  it('reports a possible leftover if the service does not identify the new attachment', async () => {
    const other = service.add({ title: 'one' })
    Object.assign(service.behaviour, { listsBehind: 1000, earlyRefusals: 1000 })
    const path = await file('one.txt')
    const failed = await person.failure(['attachment', 'upload', path])
    expect(failed).toMatchObject({
      code: 'attachments/storage-refused',
      details: { status: 403, left: 'unidentified' },
    })
    const { stderr } = await person.run(['attachment', 'upload', path])
    expect(stderr).toContain('The service may still list')
    expect(stderr).toMatch(/causeway .*attachment list/)
    Object.assign(service.behaviour, { listsBehind: 0, earlyRefusals: 0 })
    expect(service.calls.filter((call) => /^(PATCH|DELETE)/.test(call))).toEqual([])
    expect(service.entries).toContain(other)
  })
})

describe('safety checks', () => {
  it('require --yes without a terminal to delete, and to replace a link with a file', async () => {
    const { id } = service.add({ type: 'EXTERNAL', status: 'COMPLETED', url: 'https://example.org/' })
    const path = await file('one.txt')
    for (const args of [
      ['delete', id],
      ['replace', id, path],
    ]) {
      expect(await person.failure(['attachment', ...args])).toMatchObject({
        status: 2,
        code: 'usage/invalid-argument',
        details: { argument: 'yes' },
      })
    }
    expect(service.calls.filter((call) => !call.startsWith('GET'))).toEqual([])
    expect(await run('replace', id, path, '--yes')).toMatchObject({ type: 'INTERNAL' })
  })

  // Windows doesn't look whether the folder before `..` exists.
  const missing = ['nodir/', 'nodir/.', ...(process.platform === 'win32' ? [] : ['nodir/..'])]
  it.each(missing)('refuse to download into a missing folder: %s', async (to) => {
    const target = `${person.dataDir}/${to}`
    expect(await person.failure(['attachment', 'download', 'x', target])).toMatchObject({
      code: 'attachments/file-unwritable',
      details: { reason: 'no-folder' },
    })
    expect(service.calls).toEqual([])
  })
})
