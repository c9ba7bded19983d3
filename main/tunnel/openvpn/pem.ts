import { X509Certificate, createPrivateKey } from 'node:crypto'

interface PemBlock {
  readonly label: string
  readonly body: string
}

const staticKeyLabel = 'OpenVPN Static key V1'
const staticKeyBytes = 256
const clientKeyV2Label = 'OpenVPN tls-crypt-v2 client key'
/** The client's key of 256 bytes, and the wrapped key with its length, at most 1024 bytes (tls-crypt-v2.txt). */
const clientKeyV2Bytes = { least: staticKeyBytes + 34, most: staticKeyBytes + 1024 }

/**
 * Reads a text and writes it again from the decoded bytes, so that none of the original text is forwarded. Returns
 * undefined for a text of another kind.
 */
export type Rebuild = (text: string) => string | undefined

/** Rebuilds one or more CERTIFICATE blocks, each a valid X.509 certificate, without the text around them. */
export const rebuildCertificates: Rebuild = (text) => {
  const blocks = readBlocks(text)
  if (blocks === undefined || blocks.length === 0 || blocks.some(({ label }) => label !== 'CERTIFICATE')) {
    return undefined
  }
  const certificates = blocks.map(({ body }) => readCertificate(body))
  return certificates.every((certificate) => certificate !== undefined) ? certificates.join('\n') : undefined
}

/** Rebuilds one private key without a passphrase, as PKCS#8. */
export const rebuildPrivateKey: Rebuild = (text) => {
  try {
    return createPrivateKey(text).export({ type: 'pkcs8', format: 'pem' }).toString().trim()
  } catch {
    return undefined
  }
}

/** Rebuilds one OpenVPN static key (tls-crypt, tls-auth): 256 bytes in hexadecimal. */
export const rebuildStaticKey: Rebuild = (text) => {
  const block = onlyBlock(text, staticKeyLabel)
  const hex = block?.replace(/\s/g, '')
  if (hex?.length !== staticKeyBytes * 2 || !/^[0-9A-Fa-f]+$/.test(hex)) {
    return undefined
  }
  return writeBlock(staticKeyLabel, Buffer.from(hex, 'hex').toString('hex'), 32)
}

/** Rebuilds one client key for tls-crypt-v2. */
export const rebuildClientKeyV2: Rebuild = (text) => {
  const block = onlyBlock(text, clientKeyV2Label)
  const bytes = block === undefined ? undefined : decodeBase64(block)
  if (bytes === undefined || bytes.length < clientKeyV2Bytes.least || bytes.length > clientKeyV2Bytes.most) {
    return undefined
  }
  return writeBlock(clientKeyV2Label, bytes.toString('base64'), 64)
}

function readCertificate(body: string): string | undefined {
  const bytes = decodeBase64(body)
  if (bytes === undefined) {
    return undefined
  }
  try {
    // `raw` contains only the parsed certificate, without bytes after it.
    return writeBlock('CERTIFICATE', new X509Certificate(bytes).raw.toString('base64'), 64)
  } catch {
    return undefined
  }
}

function onlyBlock(text: string, label: string): string | undefined {
  const blocks = readBlocks(text)
  return blocks?.length === 1 && blocks[0]?.label === label ? blocks[0].body : undefined
}

/** Returns all blocks; undefined if a block is not closed by its own label. */
function readBlocks(text: string): PemBlock[] | undefined {
  const blocks: PemBlock[] = []
  let open: { label: string; body: string[] } | undefined
  for (const line of text.split('\n').map((each) => each.trim())) {
    const [, edge, label] = /^-----(BEGIN|END) ([A-Za-z0-9 -]{1,40})-----$/.exec(line) ?? []
    if (edge === 'BEGIN' && label !== undefined) {
      if (open !== undefined) {
        return undefined
      }
      open = { label, body: [] }
    } else if (edge === 'END') {
      if (open?.label !== label || open === undefined) {
        return undefined
      }
      blocks.push({ label: open.label, body: open.body.join('\n') })
      open = undefined
    } else {
      open?.body.push(line)
    }
  }
  return open === undefined ? blocks : undefined
}

function decodeBase64(text: string): Buffer | undefined {
  const compact = text.replace(/\s/g, '')
  const bytes = Buffer.from(compact, 'base64')
  // Node ignores invalid base64 characters; encoding again detects them.
  return compact !== '' && bytes.toString('base64') === compact ? bytes : undefined
}

function writeBlock(label: string, body: string, width: number): string {
  const lines = body.match(new RegExp(`.{1,${width}}`, 'g')) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`].join('\n')
}
