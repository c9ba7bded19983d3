import { execa } from 'execa'
import { chmod, copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runningPrograms } from './running-programs'

const uid = process.getuid?.() ?? 0

/** A folder with a desktop entry `app`, whose programs are the only ones in PATH. */
async function computer(command: string) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'running-')))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'applications'))
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=App',
    `Exec=${command.replaceAll('FOLDER', folder)}`,
  ]
  await writeFile(join(folder, 'applications/app.desktop'), lines.join('\n'))
  const write = async (name: string, text: string): Promise<void> => {
    await writeFile(join(folder, name), text)
    await chmod(join(folder, name), 0o755)
  }
  // Says that it runs, and ends with its input.
  await write('script', '#!/bin/sh\necho runs; read line')
  await write('parent', '#!/bin/sh\n./script; read line')
  await copyFile('/bin/cat', join(folder, 'program'))
  return {
    folder,
    places: { folders: [folder], desktops: [], path: `${folder}:/usr/bin:/bin` },
    /** Starts something, and returns its process. */
    start: async (file: string, ...words: string[]): Promise<number> => {
      const started = execa(file, words, { cwd: folder, stdin: 'pipe', reject: false })
      onTestFinished(async () => {
        started.stdin.end()
        await started
      })
      const said = new Promise((resolve) => started.stdout.once('data', resolve))
      if (file.endsWith('program')) started.stdin.write('runs\n')
      await said
      return started.pid ?? 0
    },
  }
}

describe.runIf(process.platform === 'linux')('programs that run, without systemd', () => {
  it.each(['/bin/sh FOLDER/script', 'sh FOLDER/script', 'FOLDER/script', 'script', 'env FOLDER/script'])(
    'belong to an entry that starts them by: %s',
    async (command) => {
      const { folder, places, start } = await computer(command)
      const other = await start('/bin/sh', '-c', 'echo runs; read line')
      const [direct, interpreted] = [
        await start(join(folder, 'script')),
        await start('sh', join(folder, 'script')),
      ]
      const found = await runningPrograms(['app'], uid, '/', places)
      const pids = found.map(({ pid }) => pid)
      expect(pids.toSorted((a, b) => a - b)).toEqual([direct, interpreted])
      expect(pids).not.toContain(other)
    },
  )

  it.each(['sh -c true', 'python3 -m app', 'flatpak run org.example.App', 'env A=b script'])(
    'are never those of the interpreter or launcher: %s',
    async (command) => {
      const { places, start } = await computer(command)
      await start('/bin/sh', '-c', 'echo runs; read line')
      expect(await runningPrograms(['app'], uid, '/', places)).toEqual([])
    },
  )

  it('belong to a listed path, with what they have started, and no other user', async () => {
    const { folder, places, start } = await computer('none')
    const program = await start(join(folder, 'program'))
    const parent = await start(join(folder, 'parent'))
    const list = [join(folder, 'program'), join(folder, 'parent')]
    const found = await runningPrograms(list, uid, '/', places)
    expect(found.find(({ pid }) => pid === program)).toMatchObject({ app: join(folder, 'program') })
    const ofParent = found.filter(({ app }) => app === join(folder, 'parent')).map(({ pid }) => pid)
    expect(ofParent).toContain(parent)
    expect(ofParent).toHaveLength(2)
    expect(await runningPrograms(list, uid + 1, '/', places)).toEqual([])
    expect(await runningPrograms([], uid, '/', places)).toEqual([])
  })
})
