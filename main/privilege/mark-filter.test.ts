import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { answersDropped } from './mark-filter'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'causeway-filter-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

interface Computer {
  readonly filter?: string
  readonly mark?: string
  readonly mounts?: string
  readonly nft?: boolean
}

async function reasonOn({ filter = '1', mark = '0', mounts = '', nft = true }: Computer): Promise<unknown> {
  const root = await mkdtemp(path.join(folder, 'root-'))
  const write = async (file: string, text: string) => {
    await mkdir(path.join(root, path.dirname(file)), { recursive: true })
    await writeFile(path.join(root, file), text, { mode: 0o755 })
  }
  await write('proc/sys/net/ipv4/conf/all/rp_filter', '0\n')
  await write('proc/sys/net/ipv4/conf/all/src_valid_mark', `${mark}\n`)
  await write('proc/sys/net/ipv4/conf/eth0/rp_filter', `${filter}\n`)
  await write('proc/self/mounts', `proc /proc proc rw,nosuid 0 0\n${mounts}`)
  if (nft) await write('sbin/nft', '#!/bin/sh\n')
  return answersDropped({ root, folders: [path.join(root, 'sbin')] })
}

const readOnly = 'proc /proc/sys proc ro,nosuid,relatime 0 0\n'

it.each<readonly [string, Computer, unknown]>([
  ['a filter that is loose', { filter: '2', nft: false, mounts: readOnly }, undefined],
  ['a strict filter that the helper can change', {}, undefined],
  ['a strict filter without nft', { nft: false }, 'no-nft'],
  ['a container with settings that nobody can change', { mounts: readOnly }, 'setting'],
  ['a container whose host has changed them', { mounts: readOnly, mark: '1' }, undefined],
])('%s', async (_what, computer, reason) => {
  expect(await reasonOn(computer)).toBe(reason)
})
