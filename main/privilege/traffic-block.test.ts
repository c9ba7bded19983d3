import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { expect, it, onTestFinished } from 'vitest'
import { TrafficBlock } from './traffic-block'

async function file(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-block-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'data', 'traffic-block')
}

it('is visible to the next run until it is lifted, also by another process', async () => {
  const options = { path: await file(), bootId: () => 'first' }
  const killed = new TrafficBlock(options)
  expect(killed.isOn()).toBe(false)
  killed.set(true)

  const next = new TrafficBlock(options)
  expect(next.isOn()).toBe(true)
  const told: boolean[] = []
  next.onChange(() => told.push(next.isOn()))
  next.set(false)
  expect(told).toEqual([false])
  expect(killed.isOn()).toBe(false)
})

it('does not survive a restart of the computer', async () => {
  const path = await file()
  new TrafficBlock({ path, bootId: () => 'first' }).set(true)
  expect(new TrafficBlock({ path, bootId: () => 'second' }).isOn()).toBe(false)
  expect(new TrafficBlock({ path, bootId: () => undefined }).isOn()).toBe(false)
})

it.skipIf(process.platform === 'win32')(
  'is off if its file is a pipe, and replaces it when turned on',
  async () => {
    const path = await file()
    await mkdir(dirname(path), { recursive: true })
    await execa('mkfifo', [path, `${path}.new`])
    const block = new TrafficBlock({ path, bootId: () => 'first' })
    expect(block.isOn()).toBe(false)
    block.set(true)
    expect(block.isOn()).toBe(true)
  },
)
