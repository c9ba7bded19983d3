import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { linuxPeerUid, systemPeerUid } from './peer-uid'

const connection = {
  localAddress: '127.0.0.1',
  localPort: 0x1f90,
  remoteAddress: '127.0.0.2',
  remotePort: 0xd414,
}
const header =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode'
const ends = '0200007F:D414 0100007F:1F90'
const backwards = '0100007F:1F90 0200007F:D414'

function row(parts: { ends?: string; state?: string; uid?: string; inode?: string } = {}): string {
  const { state = '01', uid = '1000', inode = '17049' } = parts
  return `  21: ${parts.ends ?? ends} ${state} 00000000:00000000 00:00000000 00000000 ${uid.padStart(5)}        0 ${inode} 2 0000000085f6585b 20 0 0 11 -1`
}

describe('the user of a peer, from the tables of Linux', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'causeway-peer-'))
  })
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true })
  })

  async function uidFrom(...tables: (readonly string[])[]): Promise<number> {
    const paths = tables.map((_rows, index) => join(folder, String(index)))
    for (const [index, rows] of tables.entries()) {
      await writeFile(paths[index] ?? '', `${[header, ...rows].join('\n')}\n`)
    }
    return linuxPeerUid(paths)(connection)
  }

  it.each([
    ['its row', [row()], 1000],
    ['root', [row({ uid: '0' })], 0],
    ['a long number', [row({ uid: '4294967294' })], 4_294_967_294],
    ['not our end of it', [row({ ends: backwards, uid: '7' }), row()], 1000],
    [
      'not a connection of another port',
      [row({ ends: '0200007F:D415 0100007F:1F90', uid: '7' }), row()],
      1000,
    ],
    [
      'a row behind thousands',
      [...Array<string>(5000).fill(row({ ends: backwards, uid: '7' })), row()],
      1000,
    ],
  ])('is that of %s', async (_name, rows, uid) => {
    expect(await uidFrom(rows)).toBe(uid)
  })

  it('is found for an IPv6 socket that uses IPv4', async () => {
    const mapped = '0000000000000000FFFF0000'
    const rows = [row({ ends: `${mapped}0200007F:D414 ${mapped}0100007F:1F90` })]
    expect(await uidFrom([], rows)).toBe(1000)
  })

  it.each([
    ['no row', []],
    ['our end only', [row({ ends: backwards })]],
    ['a socket that was closed', [row({ state: '04', uid: '0', inode: '0' })]],
    ['one that waits for its port to be free again', [row({ state: '06', uid: '0', inode: '0' })]],
    ['one without a process', [row({ uid: '0', inode: '0' })]],
    ['a user that is no number', [row({ uid: 'root' })]],
    ['half a row', [row().slice(0, 60)]],
  ])('is not guessed from %s', async (_name, rows) => {
    await expect(uidFrom(rows)).rejects.toThrow()
  })

  it('is not returned if a table cannot be read', async () => {
    await expect(linuxPeerUid([join(folder, 'missing')])(connection)).rejects.toThrow('ENOENT')
  })

  it('is not returned for a closed connection, or for one without IPv4', async () => {
    const peerUid = linuxPeerUid([])
    await expect(peerUid({ ...connection, remoteAddress: undefined })).rejects.toThrow('IPv4')
    await expect(peerUid({ ...connection, remoteAddress: '::1' })).rejects.toThrow('IPv4')
  })
})

it.runIf(process.platform === 'linux').each(['127.0.0.1', '::ffff:127.0.0.1'])(
  'the kernel tells whose socket connects to %s',
  async (address) => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
    const client = connect((server.address() as AddressInfo).port, address)
    onTestFinished(() => {
      client.destroy()
      server.close()
    })
    const socket = await accepted
    expect(await systemPeerUid('linux')?.(socket)).toBe(process.getuid?.())
    socket.destroy()
  },
)

it.each(['darwin', 'win32'] as const)('is not available on %s', (platform) => {
  expect(systemPeerUid(platform)).toBeUndefined()
})
