import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** Decompressors by their content coding. A map, because a server chooses the name: an object also has `constructor`. */
export const decompressors: ReadonlyMap<string, () => ReturnType<typeof createGunzip>> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])
