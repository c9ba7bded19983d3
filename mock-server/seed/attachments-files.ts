import { crc32 } from 'node:zlib'
import { gradientPng } from '../content/png'
import { pick } from './random'

/** Kinds of seed files; each opens in its usual program. */
export const fileExtensions = ['pdf', 'png', 'zip', 'txt', 'csv'] as const
export type FileExtension = (typeof fileExtensions)[number]

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

/** Returns a ZIP archive of one uncompressed file. */
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

type Colour = readonly [red: number, green: number, blue: number]
const colours: readonly [Colour, ...Colour[]] = [
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
  switch (extension) {
    case 'pdf':
      return pdf(`Notes on ${subject}`)
    case 'png':
      return gradientPng(96, 64, pick(random, colours), pick(random, colours))
    case 'zip':
      return zip(`${subject.replaceAll(' ', '-')}.txt`, Buffer.from(lines(random, subject)))
    case 'txt':
      return Buffer.from(lines(random, subject))
    case 'csv':
      return Buffer.from(`step,subject\r\n1,${subject}\r\n2,"${subject}, again"\r\n`)
  }
}
