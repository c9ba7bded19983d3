import { z } from 'zod'
import { CausewayError } from '../errors'
import { parseJson } from '../json'
import { safeUrl } from '../../contract/safe-url'

/** The name of the feed at its address; `updates.json.minisig` is its signature. */
export const feedName = 'updates.json'

/** A file that installs the release, as the feed's signature vouches for it. */
export interface UpdateFile {
  readonly url: URL
  /** In base64. */
  readonly sha512: string
  /** In bytes. */
  readonly size: number
}

/** The newest release, from `updates.json` (docs/releasing.md). */
export interface Feed {
  /** Grows with each change of the feed. */
  readonly version: number
  /** The version of Causeway, such as `1.3.0`. */
  readonly release: string
  readonly expires: Date
  /** The oldest version that is supported. */
  readonly minimumVersion: string | undefined
  readonly notes: URL | undefined
  /** The share of installations that it is offered to, in percent. */
  readonly rollout: number
  /** By target, such as `AppImage-x64`. */
  readonly files: ReadonlyMap<string, UpdateFile>
}

const release = z
  .string()
  .max(40)
  .regex(/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/)
const maxBytes = 4 * 1024 ** 3

const address = z.string().max(2048)
// Made once: making a schema takes longer than reading a feed.
const schema = z.object({
  v: z.int().nonnegative(),
  version: release,
  date: z.iso.date(),
  expires: z.iso.datetime(),
  minimumVersion: release.optional(),
  notes: address.optional(),
  rollout: z.number().min(0).max(100).default(100),
  files: z
    .record(
      z.string().max(64),
      z.object({
        file: address,
        sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
        size: z.int().positive().max(maxBytes),
      }),
    )
    .default({}),
})

/** Parses the feed that came from this address. Throws `updates/invalid-document`. */
export function parseFeed(json: string, source: URL): Feed {
  const parsed = schema.safeParse(parseJson(json))
  if (!parsed.success) throw invalidDocument()
  const urlOf = (text: string): URL => {
    const url = safeUrl('listed', text, source)
    if (url === undefined) throw invalidDocument()
    return url
  }
  const { v, version, expires, minimumVersion, notes, rollout, files } = parsed.data
  return {
    version: v,
    release: version,
    expires: new Date(expires),
    minimumVersion,
    notes: notes === undefined ? undefined : urlOf(notes),
    rollout,
    files: new Map(
      Object.entries(files).map(([target, { file, ...rest }]) => [target, { url: urlOf(file), ...rest }]),
    ),
  }
}

function invalidDocument(): CausewayError {
  return new CausewayError('updates/invalid-document')
}
