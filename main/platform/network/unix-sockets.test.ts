import { expect, it } from 'vitest'
import { pathsIn } from './unix-sockets'

it('finds the paths in the lists of Linux and macOS', () => {
  const linux = `Num       RefCount Protocol Flags    Type St Inode Path
0000000082f6abe5: 00000003 00000000 00000000 0001 03 12391245
00000000ed53c001: 00000002 00000000 00010000 0001 01 12389235 /home/ann/.config/causeway/tunnel.sock
00000000ed53c002: 00000003 00000000 00000000 0001 03 12389236 /home/ann/.config/causeway/tunnel.sock
00000000ed53c003: 00000002 00000000 00010000 0001 01 12389237 @/abstract/tunnel.sock
00000000ed53c004: 00000002 00000000 00010000 0001 01 12389238 /srv/my data/tunnel.sock
`
  expect(pathsIn(linux)).toEqual(['/home/ann/.config/causeway/tunnel.sock', '/srv/my data/tunnel.sock'])
  const macos = `Active LOCAL (UNIX) domain sockets
Address          Type   Recv-Q Send-Q            Inode             Conn             Refs          Nextref Addr
9d3a7f1c2b5e8d01 stream      0      0 9d3a7f1c2b5e8e01                0                0                0 /Users/ann/Library/Application Support/causeway/tunnel.sock
9d3a7f1c2b5e8d02 stream      0      0                0 9d3a7f1c2b5e8d03                0                0
`
  expect(pathsIn(macos)).toEqual(['/Users/ann/Library/Application Support/causeway/tunnel.sock'])
})
