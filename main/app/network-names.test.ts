import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { networkNameServers } from './network-names'

async function servers(text?: string): Promise<readonly string[]> {
  const root = await mkdtemp(join(tmpdir(), 'names-'))
  onTestFinished(() => rm(root, { recursive: true }))
  await mkdir(join(root, 'etc'))
  if (text !== undefined) await writeFile(join(root, 'etc/resolv.conf'), text)
  return networkNameServers(root)
}

it('reads the servers of the network, one of each family', async () => {
  const text =
    '# nameserver 192.0.2.9\nsearch example.org\nnameserver 192.0.2.53\nnameserver\t2001:db8::53\nnameserver 192.0.2.54\n'
  expect(await servers(text)).toEqual(['192.0.2.53', '2001:db8::53'])
})

it.each([
  undefined,
  '',
  'nameserver x',
  'nameserver 127.0.0.53\n',
  'nameserver 192.0.2.53\nnameserver ::1',
  'nameserver fe80::1%wan',
])('finds none where a resolver of this computer or of its link asks, or nobody: %j', async (text) => {
  expect(await servers(text)).toEqual([])
})
