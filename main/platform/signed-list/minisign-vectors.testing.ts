import { commentFor, type SigningOptions, TestSigner } from './signed-list.testing'

/** A signature file, what is expected of it, and the outcome: `accepted`, or the reason of the refusal. */
export interface MinisignVector {
  readonly name: string
  readonly keys: readonly string[]
  readonly file: string
  readonly legacy: 'accept' | 'refuse'
  readonly content: string
  readonly signature: string
  readonly outcome: string
}

/** Made by minisign 0.11. */
const minisign = {
  key: 'RWRrhJLRtxnrDfd42nsPP7N2GO1uTi8P2SbX8bXzKiqXwq0GcWkI0mgi',
  otherKey: 'RWQv3zfC8Q+DCEOYexPsXfFC6fPk1U7wvwgQqy7jghhGErCaV6p8Gc0V',
  content: '{"v":1700000000,"server_list":[]}\n',
  hashed: `untrusted comment: signature from minisign secret key
RURrhJLRtxnrDR/5y2PIqCbPFkwDNZXWdwSB3CAoFQG9VNchb2Cb3hbo33QaWkwcu/c9OlyZothKkARzV+N6QLx7ISRvaNm6ZgE=
trusted comment: timestamp:1700000000\tfile:server_list.json\thashed
GW/l/7cvdFmsbisx8NZ7aTB3nQ51tT5nJvNu98M11IXFzo0MpBr2sRHJY9YtW3ioZAx5DTf42dL3GZf4iswdAQ==
`,
  legacy: `untrusted comment: signature from minisign secret key
RWRrhJLRtxnrDRD+7nppovA391LbDwhkBN3gv8N3b5+jDtXE0CSK/fZ+7z/EorjGzTpvw5dL9fWz0BWrkSugbYFcVLH5p2/GHwA=
trusted comment: timestamp:1795383928\tfile:server_list.json
G01pJMhB3ji+fqBNc30HDQTJCzNYxOhOFi/LHjViLO9Yqj+udf2lXTHMWJ+bwSpy1q5sit7h25uaDUuk7iCUDQ==
`,
}

const file = 'server_list.json'
const signer = new TestSigner()
const content = '{"v":7,"server_list":[]}'
const good = commentFor(file, 1_700_000_000)

const ofMinisign = { keys: [minisign.key], file, legacy: 'accept', content: minisign.content } as const
const ours = { keys: [minisign.key, signer.publicKey], file, legacy: 'accept', content } as const

function signed(options: SigningOptions = {}, by = signer): string {
  return by.sign(content, { comment: good, ...options })
}

/** The algorithm of a signature file replaced by another name. */
function claiming(algorithm: string, signature: string): string {
  const [, line = ''] = signature.split('\n')
  const bytes = Buffer.from(line, 'base64')
  bytes.write(algorithm, 'latin1')
  return signature.replace(line, bytes.toString('base64'))
}

const comments: readonly (readonly [outcome: string, comment: string])[] = [
  ['accepted', `timestamp:0\tfile:${file}`],
  ['accepted', `timestamp:4102444800\tfile:${file}\thashed`],
  ['accepted', `timestamp:9007199254740991\tfile:${file}`],
  ['timestamp', `file:${file}`],
  ['timestamp', `timestamp:\tfile:${file}`],
  ['timestamp', `timestamp:soon\tfile:${file}`],
  ['timestamp', `timestamp:-1\tfile:${file}`],
  ['timestamp', `timestamp:9999999999999999\tfile:${file}`],
  ['timestamp', `timestamp:99999999999999999999\tfile:${file}`],
  ['timestamp', 'some other words'],
  ['timestamp', ''],
  ['file-name', 'timestamp:1700000000'],
  ['file-name', 'timestamp:1700000000\tfile:'],
  ['file-name', 'timestamp:1700000000\tfile:organization_list.json'],
  ['timestamp', `timestamp:1700000000 file:${file}`],
  ['comment', `timestamp:1\ttimestamp:2\tfile:${file}`],
  ['comment', `timestamp:1\tfile:${file}\tfile:other.json`],
]

/** Signatures of minisign and of a test key, in both forms, and one for each way in which a signature can be wrong. */
export const minisignVectors: readonly MinisignVector[] = [
  { name: 'of minisign, hashed', ...ofMinisign, signature: minisign.hashed, outcome: 'accepted' },
  { name: 'of minisign, legacy', ...ofMinisign, signature: minisign.legacy, outcome: 'accepted' },
  {
    name: 'of minisign, hashed where legacy is refused',
    ...ofMinisign,
    legacy: 'refuse',
    signature: minisign.hashed,
    outcome: 'accepted',
  },
  {
    name: 'of minisign, legacy where it is refused',
    ...ofMinisign,
    legacy: 'refuse',
    signature: minisign.legacy,
    outcome: 'legacy-algorithm',
  },
  {
    name: 'of another key',
    ...ofMinisign,
    keys: [minisign.otherKey],
    signature: minisign.hashed,
    outcome: 'unknown-key',
  },
  {
    name: 'of other content, hashed',
    ...ofMinisign,
    content: `${minisign.content} `,
    signature: minisign.hashed,
    outcome: 'signature',
  },
  {
    name: 'of other content, legacy',
    ...ofMinisign,
    content: `${minisign.content} `,
    signature: minisign.legacy,
    outcome: 'signature',
  },
  { name: 'of the second of two keys, hashed', ...ours, signature: signed(), outcome: 'accepted' },
  {
    name: 'of the second of two keys, legacy',
    ...ours,
    signature: signed({ algorithm: 'Ed' }),
    outcome: 'accepted',
  },
  {
    name: 'of a forger who claims the id of a trusted key',
    ...ours,
    signature: signed({}, new TestSigner(signer.id)),
    outcome: 'signature',
  },
  { name: 'hashed, but named legacy', ...ours, signature: claiming('Ed', signed()), outcome: 'signature' },
  {
    name: 'legacy, but named hashed',
    ...ours,
    signature: claiming('ED', signed({ algorithm: 'Ed' })),
    outcome: 'signature',
  },
  {
    name: 'of an unknown algorithm',
    ...ours,
    signature: claiming('EX', signed()),
    outcome: 'unknown-algorithm',
  },
  {
    name: 'with a comment changed after signing',
    ...ours,
    signature: signed().replace('1700000000', '1800000000'),
    outcome: 'comment-signature',
  },
  {
    name: 'with another line at its end',
    ...ours,
    signature: `${signed()}trusted comment: more\n`,
    outcome: 'format',
  },
  ...comments.map(([outcome, comment]) => ({
    name: `with the comment ${JSON.stringify(comment)}`,
    ...ours,
    signature: signed({ comment }),
    outcome,
  })),
]
