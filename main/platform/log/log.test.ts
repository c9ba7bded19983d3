import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createLog, type Log } from './log'
import { followLog } from './follow-log'
import { LogFile, logPath } from './log-file'
import { lastLogLines } from './read-log'

let folder: string

beforeEach(async () => {
  const parent = await mkdtemp(join(tmpdir(), 'causeway-log-'))
  folder = join(parent, 'logs')
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
})

function newLog(): Log {
  return createLog({
    folder,
    now: () => new Date(0),
  })
}

it.skipIf(process.platform === 'win32')(
  'counts lost lines and stays responsive while its file is a pipe without a reader',
  async () => {
    await mkdir(folder, { recursive: true })
    const path = join(folder, 'causeway.log')
    await execa('mkfifo', [path])
    const log = newLog()
    log.write('info', 'app', 'lost')
    await log.flush()
    await expect(lastLogLines(folder, 10)).rejects.toMatchObject({ code: 'data/unreadable' })

    await rm(path)
    log.write('info', 'app', 'kept')
    await log.flush()
    expect((await lastLogLines(folder, 10)).length).toBe(2)
  },
)

describe('the log', () => {
  it('writes one JSON object per line, for its owner alone', async () => {
    const log = newLog()
    log.write('info', 'http', 'exchange', { url: 'vpn.example.org/info.json', status: 200 })
    log.write('error', 'app', 'two', { reason: 'two\nlines' })
    await log.flush()
    const lines = await lastLogLines(folder, 10)
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        time: '1970-01-01T00:00:00.000Z',
        level: 'info',
        part: 'http',
        event: 'exchange',
        fields: { url: 'vpn.example.org/info.json', status: 200 },
      },
      {
        time: '1970-01-01T00:00:00.000Z',
        level: 'error',
        part: 'app',
        event: 'two',
        fields: { reason: 'two\nlines' },
      },
    ])
    // Windows has access lists instead.
    if (process.platform === 'win32') return
    expect((await stat(join(folder, 'causeway.log'))).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  it('keeps the order of lines, also across processes', async () => {
    const [first, second] = [newLog(), newLog()]
    for (let count = 0; count < 500; count += 1) {
      first.write('info', 'app', 'first', { count })
      second.write('info', 'app', 'second', { count })
    }
    await Promise.all([first.flush(), second.flush()])
    const entries = (await lastLogLines(folder, 2000)).map(
      (line) => JSON.parse(line) as { event: string; fields: { count: number } },
    )
    for (const name of ['first', 'second']) {
      const counts = entries.filter(({ event }) => event === name).map(({ fields }) => fields.count)
      expect(counts).toEqual(Array.from({ length: 500 }, (_, index) => index))
    }
  })

  it('removes its oldest file', async () => {
    const file = new LogFile({ folder, maxBytes: 100, files: 3, lostLines: String })
    for (let count = 1; count <= 50; count += 1) {
      file.append(`line ${count} ${'.'.repeat(30)}`)
      await file.flush()
    }
    expect((await readdir(folder)).sort()).toEqual(['causeway.log', 'causeway.log.1', 'causeway.log.2'])
    for (const name of await readdir(folder)) {
      expect((await stat(join(folder, name))).size).toBeLessThanOrEqual(100)
    }
    const lines = await lastLogLines(folder, 3)
    expect(lines.map((line) => line.split(' ')[1])).toEqual(['48', '49', '50'])
    expect(await readFile(join(folder, 'causeway.log'), 'utf8')).toContain('line 50')
  })

  it('is followed from its beginning again once the user has emptied the file', async () => {
    const path = logPath(folder)
    await mkdir(folder)
    await writeFile(path, 'one\ntwo\nhal')
    const lines: string[] = []
    const stop = new AbortController()
    const following = followLog(folder, stop.signal, (added) => lines.push(...added))
    await expect.poll(() => lines).toEqual(['one', 'two'])
    await truncate(path)
    await appendFile(path, 'six\n')
    await expect.poll(() => lines).toEqual(['one', 'two', 'six'])
    stop.abort()
    await following
  })

  it('reports the number of lost lines once writing works again', async () => {
    await writeFile(folder, 'in the way')
    const file = new LogFile({ folder, lostLines: (count) => `${count} lost` })
    file.append('one')
    file.append('two')
    await file.flush()
    await rm(folder)
    file.append('three')
    await file.flush()
    expect(await lastLogLines(folder, 10)).toEqual(['2 lost', 'three'])
  })
})
