import type { StoredAttachment } from '../attachments/attachment'
import { rememberLast } from '../remember-last'
import { pick, seededRandom } from './random'
import { crc32 } from 'node:zlib'
import texts from './texts/attachments.json'
import { type Colour, gradientPng } from '../content/images'

const fileExtensions = ['pdf', 'png', 'zip', 'txt', 'csv'] as const
type FileExtension = (typeof fileExtensions)[number]

/** Returns a PDF page with this text, which must be ASCII. */
function pdf(text: string): Buffer {
  const shown = text.replace(/[\\()]/g, '\\$&')
  const drawing = `BT /F1 18 Tf 72 720 Td (${shown}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

function zip(name: string, content: Buffer): Buffer {
  const path = Buffer.from(name)
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(0x0800, 2) // the name is UTF-8
  common.writeUInt16LE(0x5c21, 8) // 2026-01-01, the earliest time of day
  common.writeUInt32LE(crc32(content), 10)
  common.writeUInt32LE(content.length, 14)
  common.writeUInt32LE(content.length, 18)
  common.writeUInt16LE(path.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, path, content])
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, Buffer.alloc(14), path])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, central, end])
}

const colours: readonly Colour[] = [
  [28, 95, 184],
  [224, 138, 0],
  [34, 120, 74],
  [140, 40, 90],
]

function lines(random: () => number, subject: string): string {
  const count = 3 + Math.floor(random() * 20)
  return Array.from({ length: count }, (_, index) => `${index + 1}. A note on ${subject}.\n`).join('')
}

/** Returns a small file about a subject, which must be ASCII. The same random numbers give the same file. */
export function seedFile(random: () => number, extension: FileExtension, subject: string): Buffer {
  const contents: Record<FileExtension, () => string | Buffer> = {
    pdf: () => pdf(`Notes on ${subject}`),
    png: () => gradientPng(96, 64, pick(random, colours), pick(random, colours)),
    zip: () => zip(`${subject.replaceAll(' ', '-')}.txt`, Buffer.from(lines(random, subject))),
    txt: () => lines(random, subject),
    csv: () => `step,subject\r\n1,${subject}\r\n2,"${subject}, again"\r\n`,
  }
  return Buffer.from(contents[extension]())
}

interface SeedFile {
  key: string
  extension: FileExtension
  bytes: Buffer
  modifiedAt: number
}

/** Keys of files that belong to no attachment; generated attachments of scenarios share them. */
export const sampleKeys = { pdf: 'samples/sample.pdf', txt: 'samples/sample.txt' } as const

const count = 40
const unusualTitles: Record<string, string | undefined> = texts.unusualTitles

function identifier(random: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function about(random: () => number, index: number) {
  const id = identifier(random)
  const subject = pick(random, texts.subjects)
  const videos = random() < 0.8 ? [`video-${Math.floor(random() * 6) + 1}`] : ['video-1', 'video-2']
  const modules = random() < 0.7 ? [`module-${Math.floor(random() * 3) + 1}`] : []
  const userId = pick(random, texts.users)
  const title = unusualTitles[index] ?? `${pick(random, texts.kinds)} on ${subject}`
  const description = random() < 0.5 ? `Goes with the lesson on ${subject}.` : null
  return { subject, attachment: { id, userId, title, description, videos, modules } }
}

/** Returns the data of a seed; `updatedAt` and `modifiedAt` are relative to the time of seeding. */
const generated = rememberLast((seed: number): { attachments: StoredAttachment[]; files: SeedFile[] } => {
  const random = seededRandom(seed)
  const files: SeedFile[] = (['pdf', 'txt'] as const).map((extension) => ({
    key: sampleKeys[extension],
    extension,
    bytes: seedFile(random, extension, 'samples'),
    modifiedAt: 0,
  }))
  const attachments = Array.from({ length: count }, (_, index): StoredAttachment => {
    const { subject, attachment } = about(random, index)
    const updatedAt = -Math.floor((index * 5 + random()) * 3_600_000)
    if (index % 3 === 0) {
      const url = `https://www.example.org/reading/${encodeURIComponent(subject)}/${attachment.id.slice(0, 8)}`
      return { ...attachment, content: { type: 'EXTERNAL', url }, updatedAt }
    }
    const extension = pick(random, fileExtensions)
    const key = `${attachment.id}/${identifier(random)}.${extension}`
    const file = { type: 'INTERNAL', extension } as const
    if (index % 7 === 1) {
      return { ...attachment, content: { ...file, awaitedKey: key, fileKey: null }, updatedAt }
    }
    files.push({ key, extension, bytes: seedFile(random, extension, subject), modifiedAt: updatedAt })
    return { ...attachment, content: { ...file, awaitedKey: null, fileKey: key }, updatedAt }
  })
  return { attachments, files }
})

/** Returns the initial data, determined by seed and time (in milliseconds). Some files are still awaited. */
export function seedAttachments(seed: number, now: number): ReturnType<typeof generated> {
  const { attachments, files } = generated(seed)
  return {
    attachments: attachments.map((one) => ({ ...one, updatedAt: now + one.updatedAt })),
    files: files.map((file) => ({ ...file, modifiedAt: now + file.modifiedAt })),
  }
}
