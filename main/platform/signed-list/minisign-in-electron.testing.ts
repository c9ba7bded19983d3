import { text } from 'node:stream/consumers'
import { CausewayError } from '../../errors'
import { parseMinisignKey } from './minisign'
import type { MinisignVector } from './minisign-vectors.testing'
import { verifyMinisign } from './verify-minisign'

/** A program for Electron: reads vectors on its standard input, and prints the outcome of each. */
const vectors = JSON.parse(await text(process.stdin)) as readonly MinisignVector[]
const outcomes = vectors.map(({ keys, file, legacy, content, signature }) => {
  try {
    const parsed = keys.flatMap((key) => parseMinisignKey(key) ?? [])
    verifyMinisign(Buffer.from(content), signature, { area: 'organization-list', keys: parsed, file, legacy })
    return 'accepted'
  } catch (error) {
    return error instanceof CausewayError ? error.details?.reason : String(error)
  }
})
process.stdout.write(JSON.stringify({ electron: process.versions.electron, outcomes }))
